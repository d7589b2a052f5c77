//! Blocks on their way between processes.
//!
//! Who reads which blocks in a step follows from what the ply looks at, which all processes know: so nobody asks. The owner of some blocks
//! and the one who reads them make the same list ([`Wanted`]), the one to pack them, the other to find them in what arrives.

use super::super::dense::block::Block;
use super::super::ranks::Several;
use super::layout::{PitchLayout, Places};
use super::looked::{Read, Store, mirrored};
use std::collections::BTreeMap;

/// Kept blocks that a process reads of another in a step: words as in a map, by store and chunk.
#[derive(Default)]
pub struct Wanted(BTreeMap<(Store, usize), Vec<u64>>);

impl Wanted {
    /// Adds what is read; of a chunk that is not kept, the mirror images.
    pub fn add(&mut self, layout: &PitchLayout, words_in_chunk: usize, read: Read) {
        let points = layout.shape().points();
        let kept = layout.is_kept(read.chunk);
        let chunk = if kept {
            read.chunk
        } else {
            layout.mirror_chunk(read.chunk)
        };
        let words = self
            .0
            .entry((read.store, chunk))
            .or_insert_with(|| vec![0; words_in_chunk]);
        if kept {
            words[read.word * points + read.ball] |= read.bits;
        } else {
            let blocks = (read.chunk, read.word, read.ball, read.bits);
            mirrored(layout, blocks, |at, bit| words[at] |= bit);
        }
    }

    /// How many blocks there are.
    pub fn blocks(&self) -> usize {
        let words = self.0.values().flatten();
        words.map(|word| word.count_ones() as usize).sum()
    }

    /// Copies all of them from where they are, in the order of the list; `store` gives a chunk of a store and the places in it.
    pub fn pack<'a, B: std::ops::Deref<Target = [Block]>>(
        &self,
        points: usize,
        store: impl Fn(Store, usize) -> (B, &'a Places),
    ) -> Vec<Block> {
        let mut packed = Vec::with_capacity(self.blocks());
        for (&(kind, chunk), words) in &self.0 {
            let (blocks, places) = store(kind, chunk);
            for (at, &bits) in words.iter().enumerate() {
                let mut bits = bits;
                while bits != 0 {
                    let inner = (at / points) << 6 | bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    packed.push(blocks[places.place(at % points, chunk, inner)]);
                }
            }
        }
        packed
    }

    /// What is found where, when they have arrived.
    pub fn unpack(self, points: usize, blocks: Vec<Block>, several: Several) -> Arrived {
        let mut end = 0;
        let mut chunks = BTreeMap::new();
        for (key, words) in self.0 {
            let starts = (words.iter())
                .map(|word| {
                    let start = end;
                    end += word.count_ones();
                    start
                })
                .collect();
            chunks.insert(
                key,
                Parcel {
                    points,
                    words,
                    starts,
                },
            );
        }
        Arrived {
            blocks,
            chunks,
            several,
        }
    }
}

/// Blocks that have arrived from one process.
pub struct Arrived {
    blocks: Vec<Block>,
    chunks: BTreeMap<(Store, usize), Parcel>,
    several: Several,
}

impl Arrived {
    /// Every chunk of which blocks have arrived.
    pub fn sources(&self) -> impl Iterator<Item = ((Store, usize), Source<'_>)> {
        (self.chunks.iter()).map(|(&key, parcel)| (key, Source::Away(parcel, &self.blocks, self.several)))
    }
}

/// Where the blocks of a chunk stand in what has arrived.
pub struct Parcel {
    points: usize,
    words: Vec<u64>,
    /// How many blocks stand before those of each word.
    starts: Vec<u32>,
}

/// Where blocks of a chunk are read.
#[derive(Clone, Copy)]
pub enum Source<'a> {
    /// In the memory of this process.
    Here(&'a [Block]),
    /// In what has arrived.
    Away(&'a Parcel, &'a [Block], Several),
}

impl<'a> Source<'a> {
    /// What nobody reads.
    pub const NONE: Source<'static> = Source::Here(&[]);

    /// The block at a place of a chunk of this process.
    #[inline(always)]
    pub fn here(self, place: usize) -> &'a Block {
        match self {
            Source::Here(blocks) => &blocks[place],
            Source::Away(..) => panic!("a chunk is done by its owner"),
        }
    }

    /// The block at a place, or of that ball and number.
    #[inline(always)]
    pub fn block(self, layout: &PitchLayout, place: usize, ball: usize, high: usize) -> &'a Block {
        match self {
            Source::Here(blocks) => &blocks[place],
            Source::Away(parcel, blocks, _) => &blocks[parcel.place(layout, ball, high)],
        }
    }
}

impl Parcel {
    fn place(&self, layout: &PitchLayout, ball: usize, high: usize) -> usize {
        let (_, inner) = layout.parts(high);
        let (at, bit) = ((inner >> 6) * self.points + ball, inner & 63);
        let word = self.words[at];
        assert!(word >> bit & 1 == 1, "what is read was asked for");
        self.starts[at] as usize + (word & ((1 << bit) - 1)).count_ones() as usize
    }
}

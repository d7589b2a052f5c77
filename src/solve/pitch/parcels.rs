//! Blocks on their way between processes.
//!
//! Who reads which blocks in a stage follows from what the ply looks at, which all processes know: so nobody asks. The owner of some blocks
//! and the one who reads them make the same list ([`Wanted`]), the one to pack them, the other to find them in what arrives.

use super::super::dense::block::Block;
use super::super::ranks::Several;
use super::layout::{PitchLayout, Places};
use super::looked::{Read, Store};
use super::map::mirrored;
use std::collections::BTreeMap;

/// Kept blocks that a process reads of another in a stage: words as in a map, by store and chunk.
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
        into: &mut [Block],
        store: impl Fn(Store, usize) -> (B, &'a Places),
    ) {
        let mut into = into.iter_mut();
        for (&(kind, chunk), words) in &self.0 {
            let (blocks, places) = store(kind, chunk);
            for (at, &bits) in words.iter().enumerate() {
                let mut bits = bits;
                while bits != 0 {
                    let inner = (at / points) << 6 | bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    *into.next().expect("there is room for all") =
                        blocks[places.place(at % points, chunk, inner)];
                }
            }
        }
    }
}

/// Where blocks of other processes stand in the room that they have arrived in.
#[derive(Default)]
pub struct Arrived(BTreeMap<(Store, usize), Parcel>);

impl Arrived {
    /// One list after the other.
    pub fn new(points: usize, lists: impl Iterator<Item = Wanted>) -> Arrived {
        let mut end = 0;
        let mut start = |word: &u64| {
            let start = end;
            end += word.count_ones();
            start
        };
        let parcels = lists.flat_map(|wanted| wanted.0).map(|(key, words)| {
            let starts = words.iter().map(&mut start).collect();
            let parcel = Parcel {
                points,
                words,
                starts,
            };
            (key, parcel)
        });
        Arrived(parcels.collect())
    }

    /// Every chunk of which blocks have arrived.
    pub fn sources<'a>(
        &'a self,
        blocks: &'a [Block],
        several: Several,
    ) -> impl Iterator<Item = ((Store, usize), Source<'a>)> {
        (self.0.iter()).map(move |(&key, parcel)| (key, Source::Away(parcel, blocks, several)))
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

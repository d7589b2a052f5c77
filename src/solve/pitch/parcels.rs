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
            for (ball, inner) in members(words, points) {
                *into.next().expect("there is room for all") = blocks[places.place(ball, chunk, inner)];
            }
        }
    }
}

/// The ball and the number in its chunk of each block in the words of a chunk.
fn members(words: &[u64], points: usize) -> impl Iterator<Item = (usize, usize)> {
    words.iter().enumerate().flat_map(move |(at, &word)| {
        let some = |bits: u64| (bits != 0).then_some(bits);
        let bits = std::iter::successors(some(word), move |bits| some(bits & (bits - 1)));
        bits.map(move |bits| (at % points, (at / points) << 6 | bits.trailing_zeros() as usize))
    })
}

/// Where blocks of other processes stand in the room that they have arrived in: for each place of a chunk the number of the block, or
/// [`ELSEWHERE`].
pub struct Arrived(BTreeMap<(Store, usize), Vec<u32>>);

/// What was not asked for.
const ELSEWHERE: u32 = u32::MAX;

impl Arrived {
    /// One list after the other.
    pub fn new<'a>(
        points: usize,
        lists: impl Iterator<Item = Wanted>,
        places: impl Fn(Store) -> &'a Places,
    ) -> Arrived {
        let mut numbers = 0..ELSEWHERE;
        let chunks = lists.flat_map(|wanted| wanted.0).map(|((store, chunk), words)| {
            let places = places(store);
            let mut chosen = vec![ELSEWHERE; places.size(chunk)];
            for (ball, inner) in members(&words, points) {
                let number = numbers.next().expect("no memory holds so many blocks");
                chosen[places.place(ball, chunk, inner)] = number;
            }
            ((store, chunk), chosen)
        });
        Arrived(chunks.collect())
    }

    /// Every chunk of which blocks have arrived.
    pub fn sources<'a>(
        &'a self,
        blocks: &'a [Block],
        several: Several,
    ) -> impl Iterator<Item = ((Store, usize), Source<'a>)> {
        (self.0.iter()).map(move |(&key, chosen)| (key, Source::Away(chosen, blocks, several)))
    }
}

/// Where blocks of a chunk are read.
#[derive(Clone, Copy)]
pub enum Source<'a> {
    /// In the memory of this process.
    Here(&'a [Block]),
    /// In what has arrived: the number of the block at each place, and the blocks.
    Away(&'a [u32], &'a [Block], Several),
}

impl<'a> Source<'a> {
    /// What nobody reads.
    pub const NONE: Source<'static> = Source::Here(&[]);

    /// The block at a place of the chunk. One that has not arrived is in no room.
    #[inline(always)]
    pub fn block(self, place: usize) -> &'a Block {
        match self {
            Source::Here(blocks) => &blocks[place],
            Source::Away(numbers, blocks, _) => &blocks[numbers[place] as usize],
        }
    }
}

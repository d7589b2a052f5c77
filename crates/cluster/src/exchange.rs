//! Lists of the blocks that processes send each other.
//!
//! The work list determines which process reads which blocks, and all processes know it, so no
//! requests are sent. Owner and reader of blocks make the same list ([`Wanted`]): the owner packs
//! the blocks by it, the reader finds them in its receive buffer.

use super::reads::{Read, Store};
use phutbase_base::bits::bits;
use phutbase_pitches::block::Block;
use phutbase_pitches::scratch::Mapping;
use phutbase_pitches::solver::layout::{BlockPlaces, PitchLayout};
use phutbase_pitches::solver::map::mirrored;
use phutbase_pitches::solver::sweep::ChunkBlocks;
use std::collections::BTreeMap;

/// Kept blocks that one process reads of another in a stage: words of a map, by store and chunk.
#[derive(Default)]
pub struct Wanted(BTreeMap<(Store, usize), Vec<u64>>);

impl Wanted {
    /// Adds blocks that are read; for a chunk that is not kept, their mirror images.
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

    pub fn blocks(&self) -> usize {
        let words = self.0.values().flatten();
        words.map(|word| word.count_ones() as usize).sum()
    }

    /// Copies the blocks in list order; `block` reads one by store, chunk, ball and number in the
    /// chunk.
    pub fn pack(
        &self,
        points: usize,
        into: &mut [Block],
        block: impl Fn(Store, usize, usize, usize) -> Block,
    ) {
        let mut into = into.iter_mut();
        for (&(store, chunk), words) in &self.0 {
            for ((ball, inner), into) in members(words, points).zip(&mut into) {
                *into = block(store, chunk, ball, inner);
            }
        }
    }
}

/// Iterates over the blocks in the words of a chunk: the ball, and the number in the chunk.
fn members(words: &[u64], points: usize) -> impl Iterator<Item = (usize, usize)> {
    words
        .iter()
        .enumerate()
        .flat_map(move |(at, &word)| bits(word).map(move |bit| (at % points, (at / points) << 6 | bit)))
}

/// Blocks received from other processes.
pub struct Received {
    /// For each place of a chunk the index of its block in `blocks`, or [`NOT_REQUESTED`].
    index: BTreeMap<(Store, usize), Vec<u32>>,
    pub blocks: Mapping<Block>,
}

/// Marks a block that was not requested.
const NOT_REQUESTED: u32 = u32::MAX;

impl Received {
    /// Indexes the blocks of the lists, received one list after the other.
    pub fn new<'a>(
        points: usize,
        lists: impl Iterator<Item = Wanted>,
        places: impl Fn(Store) -> &'a BlockPlaces,
        blocks: Mapping<Block>,
    ) -> Received {
        let mut numbers = 0..NOT_REQUESTED;
        let chunks = lists.flat_map(|wanted| wanted.0).map(|((store, chunk), words)| {
            let places = places(store);
            let mut chosen = vec![NOT_REQUESTED; places.size(chunk)];
            for (ball, inner) in members(&words, points) {
                let number = numbers.next().expect("no memory holds 2^32 blocks");
                chosen[places.place(ball, chunk, inner)] = number;
            }
            ((store, chunk), chosen)
        });
        let index = chunks.collect();
        Received { index, blocks }
    }

    /// Iterates over the chunks of a store with received blocks.
    pub fn sources(&self, of: Store) -> impl Iterator<Item = (usize, ChunkSource<'_>)> {
        let chunks = self.index.iter().filter(move |((store, _), _)| *store == of);
        chunks.map(|(&(_, chunk), chosen)| (chunk, ChunkSource::Away(chosen, &self.blocks)))
    }
}

#[derive(Clone, Copy)]
pub enum ChunkSource<'a> {
    /// The chunk is local.
    Here(&'a [Block]),
    /// The chunk is remote: for each place the index of the received block, and the buffer.
    Away(&'a [u32], &'a [Block]),
}

impl ChunkBlocks for ChunkSource<'_> {
    /// Returns the block at a place of the chunk. Panics if it was not requested.
    #[inline(always)]
    fn block(&self, place: usize) -> &Block {
        match self {
            ChunkSource::Here(blocks) => &blocks[place],
            ChunkSource::Away(numbers, blocks) => &blocks[numbers[place] as usize],
        }
    }
}

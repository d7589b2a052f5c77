//! A bit for each block.

use super::super::dense::block::ZEROS;
use super::layout::PitchLayout;

/// A bit for each block: for each chunk, kept or not, 64 blocks of each ball in turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockMap {
    pub words: Vec<u64>,
    pub points: usize,
    /// Words of one ball in a chunk.
    pub in_chunk: usize,
}

impl BlockMap {
    /// No block.
    pub fn none(layout: &PitchLayout) -> BlockMap {
        let points = layout.shape().points();
        let in_chunk = (1usize << layout.inner_bits()).div_ceil(64);
        BlockMap {
            words: vec![0; layout.chunks() * in_chunk * points],
            points,
            in_chunk,
        }
    }

    /// Every block with the ball on one of these points.
    pub fn every(layout: &PitchLayout, balls: &[usize]) -> BlockMap {
        let mut map = BlockMap::none(layout);
        for chunk in 0..layout.chunks() {
            for word in 0..map.in_chunk {
                let at = map.at(chunk, word);
                for &ball in balls {
                    map.words[at + ball] = valid(layout, ball, chunk, word);
                }
            }
        }
        map
    }

    /// What a map of so many blocks takes, in bytes.
    pub fn bytes(layout: &PitchLayout) -> u64 {
        let in_chunk = (1u64 << layout.inner_bits()).div_ceil(64);
        8 * layout.chunks() as u64 * in_chunk * layout.shape().points() as u64
    }

    /// Where the words of the balls begin for 64 blocks.
    #[inline(always)]
    pub fn at(&self, chunk: usize, word: usize) -> usize {
        (chunk * self.in_chunk + word) * self.points
    }

    /// How many words a chunk has.
    pub fn words_in_chunk(&self) -> usize {
        self.in_chunk * self.points
    }

    /// The words of a chunk.
    #[inline(always)]
    pub fn chunk(&self, chunk: usize) -> &[u64] {
        let size = self.words_in_chunk();
        &self.words[chunk * size..][..size]
    }

    /// The words of all chunks, one after the other.
    pub fn chunks_mut(&mut self) -> impl Iterator<Item = &mut [u64]> {
        let size = self.words_in_chunk();
        self.words.chunks_exact_mut(size)
    }

    /// Whether a block is there.
    #[inline(always)]
    pub fn has(&self, layout: &PitchLayout, ball: usize, high: usize) -> bool {
        let (chunk, inner) = layout.parts(high);
        self.words[self.at(chunk, inner >> 6) + ball] >> (inner & 63) & 1 == 1
    }

    /// Gives the chunks that are not kept the mirror images of those that are.
    pub fn complete(&mut self, layout: &PitchLayout) {
        for chunk in (0..layout.chunks()).filter(|&chunk| !layout.is_kept(chunk)) {
            let size = self.words_in_chunk();
            self.words[chunk * size..][..size].fill(0);
            self.add_mirrored(layout, layout.mirror_chunk(chunk), chunk);
        }
    }

    /// Adds the mirror images of the blocks of a chunk to its mirror image.
    pub fn add_mirrored(&mut self, layout: &PitchLayout, from: usize, to: usize) {
        let size = self.words_in_chunk();
        for word in 0..self.in_chunk {
            for ball in 0..self.points {
                let bits = self.words[self.at(from, word) + ball];
                let read = (from, word, ball, bits);
                mirrored(layout, read, |at, bit| self.words[to * size + at] |= bit);
            }
        }
    }
}

/// Hands on the mirror images of blocks of a chunk, word and ball: each one's place in the words of its chunk, and its bit there.
pub fn mirrored(
    layout: &PitchLayout,
    (chunk, word, ball, mut bits): (usize, usize, usize, u64),
    mut image: impl FnMut(usize, u64),
) {
    let to = layout.shape().mirrored(ball);
    while bits != 0 {
        let high = chunk << layout.inner_bits() | word << 6 | bits.trailing_zeros() as usize;
        bits &= bits - 1;
        let (_, inner) = layout.parts(layout.mirror_high(high));
        image((inner >> 6) * layout.shape().points() + to, 1 << (inner & 63));
    }
}

/// Of 64 blocks of a chunk those that there are with the ball on a point.
pub fn valid(layout: &PitchLayout, ball: usize, chunk: usize, word: usize) -> u64 {
    let own = layout.high_bit(ball);
    let inner_bits = layout.inner_bits();
    let all = if inner_bits < 6 {
        (1 << (1 << inner_bits)) - 1
    } else {
        u64::MAX
    };
    match (own < 1 << inner_bits, own < 64) {
        _ if own == 0 => all,
        (true, true) => all & ZEROS[own.trailing_zeros() as usize],
        (true, false) => all & u64::from(word << 6 & own == 0).wrapping_neg(),
        _ => all & u64::from(chunk << inner_bits & own == 0).wrapping_neg(),
    }
}

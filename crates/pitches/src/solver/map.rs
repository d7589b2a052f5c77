//! Sets of blocks, one bit for each block.

use super::layout::PitchLayout;
use phutbase_base::bits::ZEROS;
use phutbase_base::bits::bits;

/// A set of blocks. For each chunk, kept or not, and each 64 of its blocks: one word per ball.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockMap {
    pub words: Vec<u64>,
    pub points: usize,
    /// Words per ball in a chunk.
    pub in_chunk: usize,
}

impl BlockMap {
    pub fn none(layout: &PitchLayout) -> BlockMap {
        let points = layout.shape().points();
        let in_chunk = (1usize << layout.inner_bits()).div_ceil(64);
        BlockMap {
            words: vec![0; layout.chunks() * in_chunk * points],
            points,
            in_chunk,
        }
    }

    /// Creates the set of all blocks with the ball on one of these points.
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

    pub fn bytes(layout: &PitchLayout) -> u64 {
        let in_chunk = (1u64 << layout.inner_bits()).div_ceil(64);
        8 * layout.chunks() as u64 * in_chunk * layout.shape().points() as u64
    }

    /// Returns the index of the first ball's word for 64 blocks.
    #[inline(always)]
    pub fn at(&self, chunk: usize, word: usize) -> usize {
        (chunk * self.in_chunk + word) * self.points
    }

    pub fn words_in_chunk(&self) -> usize {
        self.in_chunk * self.points
    }

    #[inline(always)]
    pub fn chunk(&self, chunk: usize) -> &[u64] {
        let size = self.words_in_chunk();
        &self.words[chunk * size..][..size]
    }

    pub fn is_empty_in(&self, chunk: usize) -> bool {
        self.chunk(chunk).iter().all(|&bits| bits == 0)
    }

    pub fn chunks_mut(&mut self) -> impl Iterator<Item = &mut [u64]> {
        let size = self.words_in_chunk();
        self.words.chunks_exact_mut(size)
    }

    #[inline(always)]
    pub fn has(&self, layout: &PitchLayout, ball: usize, high: usize) -> bool {
        let (chunk, inner) = layout.parts(high);
        self.words[self.at(chunk, inner >> 6) + ball] >> (inner & 63) & 1 == 1
    }

    /// Fills the chunks that are not kept with the mirror images of the kept ones.
    pub fn complete(&mut self, layout: &PitchLayout) {
        for chunk in (0..layout.chunks()).filter(|&chunk| !layout.is_kept(chunk)) {
            let size = self.words_in_chunk();
            self.words[chunk * size..][..size].fill(0);
            self.add_mirrored(layout, layout.mirror_chunk(chunk), chunk);
        }
    }

    /// Adds the mirror images of the blocks of chunk `from` to its mirror image `to`.
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

/// Passes the mirror image of each block to `image`: its word in its chunk, and its bit there.
pub fn mirrored(
    layout: &PitchLayout,
    (chunk, word, ball, set): (usize, usize, usize, u64),
    mut image: impl FnMut(usize, u64),
) {
    let to = layout.shape().mirrored(ball);
    for bit in bits(set) {
        let high = chunk << layout.inner_bits() | word << 6 | bit;
        let (_, inner) = layout.parts(layout.mirror_high(high));
        image((inner >> 6) * layout.shape().points() + to, 1 << (inner & 63));
    }
}

/// Returns the blocks among 64 of a chunk that exist with the ball on a point.
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

//! The mirror (left and right columns swapped) on patterns, and on the blocks that hold them.
//!
//! In the order of points a point and its mirror image are one or two bits apart, so the mirror image of a pattern takes a few
//! shifts. Inside blocks the same exchanges are exchanges of index bits.

use super::super::dense::block::{BLOCK_BITS, BLOCK_WORDS, Block, ZEROS};

/// The mirror on patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mirror {
    /// Bits that change places with the next bit.
    with_next: u64,
    /// Bits that change places with the next but one.
    with_second: u64,
    /// Bits that stay.
    alone: u64,
}

impl Mirror {
    /// The mirror that exchanges each of the first `points` bits with its `image`.
    ///
    /// # Panics
    /// If a bit is more than two places from its image.
    pub fn new(points: usize, image: impl Fn(usize) -> usize) -> Mirror {
        let mut mirror = Mirror {
            with_next: 0,
            with_second: 0,
            alone: 0,
        };
        for bit in 0..points {
            let bits = match image(bit) as isize - bit as isize {
                0 => &mut mirror.alone,
                1 => &mut mirror.with_next,
                2 => &mut mirror.with_second,
                -1 | -2 => continue,
                _ => panic!("the order of points keeps mirror images together"),
            };
            *bits |= 1 << bit;
        }
        mirror
    }

    /// The mirror image of a pattern.
    #[inline(always)]
    pub fn of(self, pattern: u64) -> u64 {
        let exchanged = |bits: u64, by: u32| (pattern & bits) << by | (pattern >> by & bits);
        (pattern & self.alone) | exchanged(self.with_next, 1) | exchanged(self.with_second, 2)
    }

    /// Whether no bit from `bit` on changes places with one below it.
    pub fn parts_at(self, bit: usize) -> bool {
        let below = (1u64 << bit) - 1;
        self.of(below) & !below == 0
    }

    /// The exchanges of index bits inside blocks.
    pub fn inside_blocks(self) -> BlockMirror {
        let mut mirror = BlockMirror {
            exchanges: [(0, 0); BLOCK_BITS / 2],
            count: 0,
        };
        for bit in 0..BLOCK_BITS {
            for (bits, by) in [(self.with_next, 1), (self.with_second, 2)] {
                if bits >> bit & 1 == 1 {
                    mirror.exchanges[mirror.count] = (bit, bit + by);
                    mirror.count += 1;
                }
            }
        }
        mirror
    }
}

/// The mirror inside blocks.
#[derive(Clone, Copy, Debug)]
pub struct BlockMirror {
    /// Pairs of index bits that change places, the lower one first.
    exchanges: [(usize, usize); BLOCK_BITS / 2],
    count: usize,
}

impl BlockMirror {
    /// The mirror image of a block.
    #[inline(always)]
    pub fn of(&self, block: &Block) -> Block {
        let mut block = *block;
        for &(low, high) in &self.exchanges[..self.count] {
            match (low < 6, high < 6) {
                (true, true) => exchange_in_words(&mut block, low, high),
                (true, false) => exchange_across(&mut block, low, 1 << (high - 6)),
                _ => exchange_words(&mut block, 1 << (low - 6), 1 << (high - 6)),
            }
        }
        block
    }
}

/// Exchanges two index bits that both choose bits in a word.
#[inline(always)]
fn exchange_in_words(block: &mut Block, low: usize, high: usize) {
    let up = (1 << high) - (1 << low);
    // The members with the lower index bit set and the higher one clear.
    let movers = !ZEROS[low] & ZEROS[high];
    for word in &mut block.0 {
        let difference = (*word ^ *word >> up) & movers;
        *word ^= difference | difference << up;
    }
}

/// Exchanges an index bit in words with the one that parts words `step` from each other.
#[inline(always)]
fn exchange_across(block: &mut Block, low: usize, step: usize) {
    let down = 1 << low;
    for words in block.0.chunks_exact_mut(2 * step) {
        let (clear, set) = words.split_at_mut(step);
        for (clear, set) in clear.iter_mut().zip(set) {
            let difference = (*clear >> down ^ *set) & ZEROS[low];
            *set ^= difference;
            *clear ^= difference << down;
        }
    }
}

/// Exchanges two index bits that both choose words.
#[inline(always)]
fn exchange_words(block: &mut Block, low: usize, high: usize) {
    for word in 0..BLOCK_WORDS {
        if word & low != 0 && word & high == 0 {
            block.0.swap(word, word ^ low ^ high);
        }
    }
}

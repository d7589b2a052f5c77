//! The mirror (left and right columns swapped) on patterns and on blocks of patterns.
//!
//! In the order of points a point and its mirror image are at most two bits apart, so mirroring a
//! pattern takes a few shifts. Inside blocks it exchanges index bits.

use crate::block::{BLOCK_BITS, BLOCK_WORDS, Block};
use phutbase_base::bits::ZEROS;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mirror {
    /// Bits that are exchanged with the next bit.
    with_next: u64,
    /// Bits that are exchanged with the next but one.
    with_second: u64,
    /// Fixed bits.
    alone: u64,
}

impl Mirror {
    /// Creates the mirror that exchanges each of the first `points` bits with its `image`.
    /// Every image must be at most two places away.
    pub fn new(points: usize, image: impl Fn(usize) -> usize) -> Mirror {
        let mut mirror = Mirror::default();
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

    #[inline(always)]
    pub fn of(self, pattern: u64) -> u64 {
        let exchanged = |bits: u64, by: u32| (pattern & bits) << by | (pattern >> by & bits);
        (pattern & self.alone) | exchanged(self.with_next, 1) | exchanged(self.with_second, 2)
    }

    /// Returns whether no bit from `bit` on is exchanged with a lower one.
    pub fn splits_at(self, bit: usize) -> bool {
        let below = (1u64 << bit) - 1;
        self.of(below) & !below == 0
    }

    pub fn inside_blocks(self) -> BlockMirror {
        let kinds = [(self.with_next, 1), (self.with_second, 2)];
        let pairs = kinds.into_iter().flat_map(|(bits, by)| {
            let exchanged = (0..BLOCK_BITS).filter(move |bit| bits >> bit & 1 == 1);
            exchanged.map(move |bit| (bit, bit + by))
        });
        BlockMirror(pairs.collect())
    }
}

/// Pairs of exchanged index bits, the lower one first.
#[derive(Clone, Debug)]
pub struct BlockMirror(Vec<(usize, usize)>);

impl BlockMirror {
    #[inline(always)]
    pub fn of(&self, block: &Block) -> Block {
        let mut block = *block;
        for &(low, high) in &self.0 {
            match (low < 6, high < 6) {
                (true, true) => exchange_in_words(&mut block, low, high),
                (true, false) => exchange_across(&mut block, low, 1 << (high - 6)),
                _ => exchange_words(&mut block, 1 << (low - 6), 1 << (high - 6)),
            }
        }
        block
    }
}

/// Exchanges two index bits that both select bits in a word.
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

/// Exchanges index bit `low`, which selects bits in a word, with one that selects words.
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

/// Exchanges two index bits that both select words.
#[inline(always)]
fn exchange_words(block: &mut Block, low: usize, high: usize) {
    for word in 0..BLOCK_WORDS {
        if word & low != 0 && word & high == 0 {
            block.0.swap(word, word ^ low ^ high);
        }
    }
}

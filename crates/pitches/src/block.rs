//! Sets of 4,096 positions, and the operations of a ply on them.
//!
//! A [`Block`] has one bit for each of the 2^12 stone patterns with the same high bits. Index bit
//! `i` is bit `i` of a position's number in the block: bits 0–5 select the bit in a word, bits 6–11
//! the word.
//!
//! ```text
//!            index bit   11 10  9  8  7  6 | 5  4  3  2  1  0
//!                        └─── word 0‥63 ──┘ └── bit in word ──┘
//! ```
//!
//! The code is plain Rust over `[u64; 64]`, always inlined, so that it is compiled once for each
//! instruction set (see `simd.rs`) and vectorised by the compiler.

use bytemuck::{Pod, Zeroable};
use phutbase_base::bits::ZEROS;
use phutbase_base::bits::bits;

pub const BLOCK_BITS: usize = 12;
pub const BLOCK_WORDS: usize = 1 << (BLOCK_BITS - 6);

/// Largest depth that fits into a depth byte.
pub const MAX_PLIES: u8 = u8::MAX - 1;

/// A set of positions, one bit for each value of the 12 lowest pattern bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct Block(pub [u64; BLOCK_WORDS]);

impl Block {
    pub const EMPTY: Block = Block([0; BLOCK_WORDS]);

    /// Counts the members.
    pub fn count(&self) -> u64 {
        self.0.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    pub fn members(&self) -> impl Iterator<Item = usize> + '_ {
        let words = self.0.iter().enumerate();
        words.flat_map(|(word, &set)| bits(set).map(move |bit| word * 64 + bit))
    }
}

/// Adds to `into` the patterns from which placing a stone inside the block leads into `from`: for each
/// of these index bits, a pattern with that bit clear if the pattern with it set is in `from`.
#[inline(always)]
pub(crate) fn join_placements(bits: impl Iterator<Item = usize>, from: &Block, into: &mut Block) {
    for bit in bits {
        if let Some(empty) = ZEROS.get(bit) {
            for (into, from) in into.0.iter_mut().zip(&from.0) {
                *into |= from >> (1 << bit) & empty;
            }
        } else {
            let step = 1 << (bit - 6);
            for (into, from) in (into.0.chunks_exact_mut(2 * step)).zip(from.0.chunks_exact(2 * step)) {
                for (into, from) in into[..step].iter_mut().zip(&from[step..]) {
                    *into |= from;
                }
            }
        }
    }
}

//! The place of every position of one length in a plane.
//!
//! A *plane* is one set of positions: a bit for each ball square `b` (1 … n−2) and each pattern of
//! stones (2^(n−1) of them, without the ball's square). The pattern's bits fall into three parts:
//!
//! ```text
//!     pattern bit   n−2 …                    …            … 12 | 11 … 0
//!                   └─ slice number ─┘└─ block in the slice ─┘  └ bit in the block
//! ```
//!
//! A *slice* holds, for every ball square, the states of the blocks with the same highest pattern
//! bits: `[ball][block]`, contiguous. A turn that changes none of these bits stays in its slice;
//! placing a far stone leads to the slice with that bit set, jumping over far stones to a slice
//! with bits cleared.
//!
//! Strips with fewer than 12 pattern bits use one block per ball square. The missing index bits
//! belong to no square and no turn changes them, so the block holds identical copies of the set.

use phutbase_machine::block::BLOCK_BITS;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DenseLayout {
    length: usize,
    /// log2 of the blocks per ball square in a slice.
    slice_bits: usize,
}

const MAX_SLICE_BITS: usize = 8;
/// log2 of the number of slices at which slices start to grow: enough to keep many cores busy.
const WANTED_SLICES_BITS: usize = 6;

impl DenseLayout {
    pub fn new(length: usize) -> DenseLayout {
        assert!(
            length >= phutbase_rules::strip::MIN_LENGTH,
            "no strip has {length} squares"
        );
        let high_bits = (length - 1).saturating_sub(BLOCK_BITS);
        DenseLayout {
            length,
            slice_bits: high_bits.saturating_sub(WANTED_SLICES_BITS).min(MAX_SLICE_BITS),
        }
    }

    pub fn length(&self) -> usize {
        self.length
    }

    /// Returns the number of pattern bits, n − 1.
    pub fn pattern_bits(&self) -> usize {
        self.length - 1
    }

    pub fn low_bits(&self) -> usize {
        self.pattern_bits().min(BLOCK_BITS)
    }

    /// Returns the number of pattern bits of a block number.
    pub fn high_bits(&self) -> usize {
        self.pattern_bits() - self.low_bits()
    }

    /// Returns log2 of the blocks per ball square in a slice.
    pub fn slice_bits(&self) -> usize {
        self.slice_bits
    }

    pub fn balls(&self) -> usize {
        self.length - 2
    }

    pub fn slices(&self) -> usize {
        1 << (self.high_bits() - self.slice_bits)
    }

    /// Counts the blocks in a slice, for all ball squares together.
    pub fn slice_blocks(&self) -> usize {
        self.balls() << self.slice_bits
    }

    pub fn blocks(&self) -> usize {
        self.slices() * self.slice_blocks()
    }

    pub fn plane_bytes(&self) -> u64 {
        self.blocks() as u64 * size_of::<super::pool::BlockState>() as u64
    }

    /// Returns the index in its slice of block `block` (0 … `2^slice_bits − 1`) of a ball square.
    #[inline(always)]
    pub fn place_in_slice(&self, ball: usize, block: usize) -> usize {
        ((ball - 1) << self.slice_bits) | block
    }

    /// Returns the index in its plane of block `high` (0 … `2^high_bits − 1`) of a ball square.
    #[inline(always)]
    pub fn place(&self, ball: usize, high: usize) -> usize {
        let block = high & ((1 << self.slice_bits) - 1);
        (high >> self.slice_bits) * self.slice_blocks() + self.place_in_slice(ball, block)
    }
}

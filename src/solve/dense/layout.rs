//! Where the positions of one length stand in a plane.
//!
//! A *plane* is one set of positions: a bit for each ball square `b` (1 … n−2) and each pattern of stones
//! (2^(n−1) of them, the ball's square left out). The pattern's bits are cut in three:
//!
//! ```text
//!     pattern bit   n−2 …                    …            … 12 | 11 … 0
//!                   └─ slice number ─┘└─ block in the slice ─┘  └ bit in the block
//! ```
//!
//! A *slice* holds, for every ball square, the states of the blocks that share the highest pattern bits:
//! `[ball][block]`, contiguous. A turn that changes no high bit stays in its slice; a stone on a
//! far square leads to the slice with that bit set, a jump over far stones to a slice with bits cleared.
//!
//! Strips with fewer than 12 pattern bits fill one block per ball square; the index bits that they lack belong to no
//! square, no turn changes them, and the block holds identical copies of the set.

use super::block::BLOCK_BITS;

/// The shape of a plane for one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DenseLayout {
    length: usize,
    /// log2 of the blocks that a slice holds for one ball square.
    slice_bits: usize,
}

/// log2 of the blocks per ball square in a slice, at most.
const MAX_SLICE_BITS: usize = 8;
/// log2 of the number of slices wanted before slices grow: enough to keep many cores busy.
const WANTED_SLICES_BITS: usize = 6;

impl DenseLayout {
    /// The layout for strips of `length` squares.
    ///
    /// # Panics
    /// If `length` is below 3; the solver checks lengths before it comes here.
    pub fn new(length: usize) -> DenseLayout {
        assert!(
            length >= crate::games::strip::MIN_LENGTH,
            "no strip has {length} squares"
        );
        let high_bits = (length - 1).saturating_sub(BLOCK_BITS);
        DenseLayout {
            length,
            slice_bits: high_bits.saturating_sub(WANTED_SLICES_BITS).min(MAX_SLICE_BITS),
        }
    }

    /// The number of squares.
    pub fn length(&self) -> usize {
        self.length
    }

    /// The number of pattern bits, n − 1.
    pub fn pattern_bits(&self) -> usize {
        self.length - 1
    }

    /// The pattern bits inside a block.
    pub fn low_bits(&self) -> usize {
        self.pattern_bits().min(BLOCK_BITS)
    }

    /// The pattern bits that number the blocks of a ball square.
    pub fn high_bits(&self) -> usize {
        self.pattern_bits() - self.low_bits()
    }

    /// log2 of the blocks of one ball square in a slice.
    pub fn slice_bits(&self) -> usize {
        self.slice_bits
    }

    /// The number of ball squares.
    pub fn balls(&self) -> usize {
        self.length - 2
    }

    /// The number of slices.
    pub fn slices(&self) -> usize {
        1 << (self.high_bits() - self.slice_bits)
    }

    /// Blocks in one slice, all ball squares together.
    pub fn slice_blocks(&self) -> usize {
        self.balls() << self.slice_bits
    }

    /// Blocks in a plane.
    pub fn blocks(&self) -> usize {
        self.slices() * self.slice_blocks()
    }

    /// Bytes in a plane.
    pub fn plane_bytes(&self) -> u64 {
        self.blocks() as u64 * size_of::<super::pool::State>() as u64
    }

    /// The place in its slice of block `block` (0 … 2^slice_bits − 1) of a ball square.
    #[inline(always)]
    pub fn place_in_slice(&self, ball: usize, block: usize) -> usize {
        ((ball - 1) << self.slice_bits) | block
    }

    /// The place in its plane of block `high` (0 … 2^high_bits − 1) of a ball square.
    #[inline(always)]
    pub fn place(&self, ball: usize, high: usize) -> usize {
        let block = high & ((1 << self.slice_bits) - 1);
        (high >> self.slice_bits) * self.slice_blocks() + self.place_in_slice(ball, block)
    }
}

//! Where the positions of one shape stand: the order of points, blocks, chunks.
//!
//! A *pattern* is one bit for every point, set where a chap stands; the ball's own bit is always 0, so removing chaps only
//! ever makes a pattern smaller. Its bits are cut in three:
//!
//! ```text
//!     pattern bit   N−1 …                    …            … 12 | 11 … 0
//!                   └─ chunk number ─┘└─ block in the chunk ─┘  └ bit in the block
//! ```
//!
//! The order of points makes two things cheap. Points that a row flip (top and bottom rows swapped) exchanges are
//! neighbours, bits 2i and 2i+1, so flipping a pattern swaps adjacent bits. And goal-row points come first, then those on
//! the sidelines: few jumps go over a run of these alone and land on the pitch, so few jumps stay inside a block.
//!
//! A *store* keeps blocks for some points the ball may be on. Blocks whose number has the ball's own bit set do not
//! exist and are left out, so half the space is saved for balls beyond bit 12.

use super::super::dense::block::BLOCK_BITS;
use crate::games::pitch::Shape;

/// log2 of the number of chunks, at most: enough to keep many cores busy.
const MAX_CHUNK_BITS: usize = 7;

/// The shape of all stores for one size of pitch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    shape: Shape,
    /// The point of each pattern bit.
    order: Vec<usize>,
    /// The pattern bit of each point.
    bits: Vec<usize>,
    /// The pattern bits that a row flip swaps in pairs.
    paired: u64,
    chunk_bits: usize,
}

impl Layout {
    /// The layout of a shape.
    pub fn new(shape: Shape) -> Layout {
        let order = order(shape);
        let mut bits = vec![0; shape.points()];
        for (bit, &point) in order.iter().enumerate() {
            bits[point] = bit;
        }
        let singles = if shape.rows() % 2 == 1 { shape.columns() } else { 0 };
        let high_bits = shape.points().saturating_sub(BLOCK_BITS);
        Layout {
            shape,
            order,
            bits,
            paired: (1 << (shape.points() - singles)) - 1,
            chunk_bits: high_bits.min(MAX_CHUNK_BITS),
        }
    }

    /// The size of the pitch.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The points in the order of the pattern's bits.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// The pattern bit of a point.
    pub fn bit(&self, point: usize) -> usize {
        self.bits[point]
    }

    /// The pattern bits inside a block.
    pub fn low_bits(&self) -> usize {
        self.shape.points().min(BLOCK_BITS)
    }

    /// The pattern bits that number blocks.
    pub fn high_bits(&self) -> usize {
        self.shape.points() - self.low_bits()
    }

    /// The number of chunks.
    pub fn chunks(&self) -> usize {
        1 << self.chunk_bits
    }

    /// The pattern bits that number the blocks of a chunk.
    pub fn inner_bits(&self) -> usize {
        self.high_bits() - self.chunk_bits
    }

    /// The bit of a point in block numbers; 0 if it is inside blocks.
    pub fn high_bit(&self, point: usize) -> usize {
        match self.bit(point).checked_sub(BLOCK_BITS) {
            Some(bit) => 1 << bit,
            None => 0,
        }
    }

    /// A pattern with top and bottom rows swapped, and so on to the middle.
    #[inline(always)]
    pub fn flip(&self, pattern: u64) -> u64 {
        const EVEN: u64 = u64::MAX / 3;
        let pairs = pattern & self.paired;
        (pairs & EVEN) << 1 | (pairs >> 1 & EVEN) | (pattern & !self.paired)
    }

    /// The point that a row flip exchanges with this one.
    pub fn flipped(&self, point: usize) -> usize {
        let shape = self.shape;
        shape.point(shape.rows() - 1 - shape.row(point), shape.column(point))
    }

    /// The interior points in the left half, the middle column included: the mirror has the others.
    pub fn left_balls(&self) -> Vec<usize> {
        let half = self.shape.columns().div_ceil(2);
        let interior = self.shape.interior();
        interior.filter(|&ball| self.shape.column(ball) < half).collect()
    }
}

/// The points in the order of pattern bits: pairs first, goal rows before sidelines before the rest.
fn order(shape: Shape) -> Vec<usize> {
    let last_row = shape.rows() - 1;
    let last_column = shape.columns() - 1;
    let mut pairs: Vec<usize> = (0..shape.rows() / 2 * shape.columns()).collect();
    pairs.sort_by_key(|&point| {
        let sideline = [0, last_column].contains(&shape.column(point));
        (shape.row(point) > 0, !sideline, point)
    });
    let mut order = Vec::with_capacity(shape.points());
    for point in pairs {
        let above = shape.point(last_row - shape.row(point), shape.column(point));
        order.extend([point, above]);
    }
    if shape.rows() % 2 == 1 {
        let mut middle: Vec<usize> = (0..shape.columns()).collect();
        middle.sort_by_key(|column| ![0, last_column].contains(column));
        order.extend(middle.into_iter().map(|column| shape.point(last_row / 2, column)));
    }
    order
}

/// Where blocks stand in a store.
#[derive(Clone, Debug)]
pub struct Places {
    /// For each chunk and each point: where its blocks begin; [`ABSENT`] if there are none.
    starts: Vec<usize>,
    /// For each point: the bits of a block's number in its chunk below the ball's own bit.
    below: Vec<usize>,
    points: usize,
    inner_bits: usize,
    /// For each chunk: its blocks.
    sizes: Vec<usize>,
}

const ABSENT: usize = usize::MAX;

impl Places {
    /// A store for the ball on these points.
    pub fn new(layout: &Layout, balls: &[usize]) -> Places {
        let points = layout.shape().points();
        let inner_bits = layout.inner_bits();
        let mut places = Places {
            starts: vec![ABSENT; layout.chunks() * points],
            below: vec![usize::MAX; points],
            points,
            inner_bits,
            sizes: vec![0; layout.chunks()],
        };
        for &ball in balls {
            let own = layout.high_bit(ball);
            if own != 0 && own < 1 << inner_bits {
                places.below[ball] = own - 1;
            }
            for chunk in 0..layout.chunks() {
                if chunk << inner_bits & own == 0 {
                    places.starts[chunk * points + ball] = places.sizes[chunk];
                    places.sizes[chunk] += (1 << inner_bits) >> usize::from(places.below[ball] != usize::MAX);
                }
            }
        }
        places
    }

    /// The blocks of a chunk.
    pub fn size(&self, chunk: usize) -> usize {
        self.sizes[chunk]
    }

    /// The blocks of all chunks.
    pub fn total(&self) -> u64 {
        self.sizes.iter().map(|&size| size as u64).sum()
    }

    /// The place in its chunk of block `inner` of the chunk, for a ball whose own bit is 0 there.
    #[inline(always)]
    pub fn place(&self, ball: usize, chunk: usize, inner: usize) -> usize {
        let below = self.below[ball];
        self.starts[chunk * self.points + ball] + ((inner & below) | (inner >> 1 & !below))
    }

    /// The chunk and the place in it of a block.
    #[inline(always)]
    pub fn locate(&self, ball: usize, high: usize) -> (usize, usize) {
        let chunk = high >> self.inner_bits;
        let inner = high & ((1 << self.inner_bits) - 1);
        (chunk, self.place(ball, chunk, inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_has_a_bit_and_flips_swap_neighbours() {
        for text in ["3x1", "4x3", "5x3", "3x5", "7x3", "6x4", "3x8", "4x7"] {
            let layout = Layout::new(text.parse().unwrap());
            let mut seen = layout.order().to_vec();
            seen.sort();
            assert!(seen.into_iter().eq(0..layout.shape().points()));
            for point in 0..layout.shape().points() {
                assert_eq!(layout.order()[layout.bit(point)], point);
                let flipped = layout.flip(1 << layout.bit(point));
                assert_eq!(
                    flipped,
                    1 << layout.bit(layout.flipped(point)),
                    "{text}, point {point}"
                );
                assert_eq!(
                    layout.high_bit(point) == 0,
                    layout.high_bit(layout.flipped(point)) == 0
                );
            }
        }
    }

    #[test]
    fn no_two_blocks_share_a_place() {
        for text in ["4x3", "5x3", "3x8", "6x4"] {
            let layout = Layout::new(text.parse().unwrap());
            let balls: Vec<usize> = layout.shape().interior().collect();
            let places = Places::new(&layout, &balls);
            let mut seen = std::collections::HashSet::new();
            for &ball in &balls {
                let all = 0..1 << layout.high_bits();
                for high in all.filter(|high| high & layout.high_bit(ball) == 0) {
                    let (chunk, place) = places.locate(ball, high);
                    assert!(place < places.size(chunk) && seen.insert((chunk, place)));
                }
            }
            assert_eq!(seen.len() as u64, places.total());
        }
    }
}

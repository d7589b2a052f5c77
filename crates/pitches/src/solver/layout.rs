//! The place of every position of a shape: the order of points, blocks, chunks.
//!
//! A *pattern* has one bit for every point, set if a chap stands on it. The ball's own bit is
//! always 0, so removing chaps always makes a pattern smaller. Its bits fall into three parts:
//!
//! ```text
//!     pattern bit   N−1 …                    …            … 12 | 11 … 0
//!                   └─ chunk number ─┘└─ block in the chunk ─┘  └ bit in the block
//! ```
//!
//! The order of points has three purposes. Points that a row flip exchanges (top and bottom rows
//! swapped) are neighbours, bits 2i and 2i+1, so flipping a pattern swaps adjacent bits. Points
//! that the mirror exchanges (left and right swapped) are one or two bits apart and in the same of
//! the three parts, so the mirror image of a chunk is a chunk. Goal-row points come first, then
//! sideline points: few jumps over a run of these alone land on the pitch, so few jumps stay
//! inside a block.
//!
//! A *store* holds blocks for some set of ball points. It has only the *kept* chunks, those with a
//! number not above that of their mirror image; the others are read through the mirror. Blocks
//! with the ball's own bit set in their number are left out. A set therefore takes little more
//! than a quarter of a bit for every ball and pattern.

use super::mirror::{BlockMirror, Mirror};
use crate::block::BLOCK_BITS;
use phutbase_base::bits::squeeze;
use phutbase_rules::pitch::{Pitch, Shape};

/// Maximum of log2 of the number of chunks on pitches of up to 31 points. Many chunks keep many
/// cores busy, and few of them are their own mirror image.
const MAX_CHUNK_BITS: usize = 9;
/// Maximum of log2 of the number of blocks in a chunk; larger pitches get more chunks. They may
/// be spread over several machines, and a process buffers blocks that its chunks read of others.
const MAX_INNER_BITS: usize = 10;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PitchLayout {
    shape: Shape,
    /// The point of each pattern bit.
    pub order: Vec<usize>,
    bits: Vec<usize>,
    /// The pattern bits that a row flip swaps, each with its neighbour.
    paired: u64,
    mirror: Mirror,
    chunk_bits: usize,
}

impl PitchLayout {
    pub fn new(shape: Shape) -> PitchLayout {
        let order = order(shape);
        let mut bits = vec![0; shape.points()];
        for (bit, &point) in order.iter().enumerate() {
            bits[point] = bit;
        }
        let singles = if shape.rows() % 2 == 1 { shape.columns() } else { 0 };
        let mirror = Mirror::new(shape.points(), |bit| bits[shape.mirrored(order[bit])]);
        let high_bits = shape.points().saturating_sub(BLOCK_BITS);
        let most = MAX_CHUNK_BITS.max(high_bits.saturating_sub(MAX_INNER_BITS));
        let mut layout = PitchLayout {
            shape,
            order,
            bits,
            paired: (1 << (shape.points() - singles)) - 1,
            mirror,
            chunk_bits: 0,
        };
        layout.chunk_bits = (0..=high_bits.min(most))
            .rev()
            .find(|&count| layout.splits_at(count))
            .expect("no pattern bit moves beyond the pattern");
        layout
    }

    /// Returns whether mirror and row flip map the leading `count` pattern bits to themselves.
    pub fn splits_at(&self, count: usize) -> bool {
        let bit = self.shape.points() - count;
        self.mirror.splits_at(bit) && (bit.is_multiple_of(2) || self.paired >> bit == 0)
    }

    pub fn shape(&self) -> Shape {
        self.shape
    }

    pub fn bit(&self, point: usize) -> usize {
        self.bits[point]
    }

    pub fn pattern(&self, pitch: &Pitch) -> usize {
        let chaps = pitch.chaps().iter();
        chaps.fold(0, |bits, point| bits | 1 << self.bit(point))
    }

    pub fn low_bits(&self) -> usize {
        self.shape.points().min(BLOCK_BITS)
    }

    /// Returns the number of pattern bits of a block number.
    pub fn high_bits(&self) -> usize {
        self.shape.points() - self.low_bits()
    }

    pub fn chunks(&self) -> usize {
        1 << self.chunk_bits
    }

    pub fn all_chunks(&self) -> Vec<usize> {
        (0..self.chunks()).collect()
    }

    /// Returns the number of pattern bits that number the blocks of a chunk.
    pub fn inner_bits(&self) -> usize {
        self.high_bits() - self.chunk_bits
    }

    /// Splits a block number into the chunk and the number in the chunk.
    #[inline(always)]
    pub fn parts(&self, high: usize) -> (usize, usize) {
        (high >> self.inner_bits(), high & ((1 << self.inner_bits()) - 1))
    }

    /// Returns the bit of a point in block numbers; 0 if it lies inside blocks.
    pub fn high_bit(&self, point: usize) -> usize {
        match self.bit(point).checked_sub(BLOCK_BITS) {
            Some(bit) => 1 << bit,
            None => 0,
        }
    }

    /// Returns a pattern with the rows in reverse order.
    #[inline(always)]
    pub fn flip(&self, pattern: u64) -> u64 {
        const EVEN: u64 = u64::MAX / 3;
        let pairs = pattern & self.paired;
        (pairs & EVEN) << 1 | (pairs >> 1 & EVEN) | (pattern & !self.paired)
    }

    /// Returns a pattern with the columns in reverse order.
    #[inline(always)]
    pub fn mirror(&self, pattern: u64) -> u64 {
        self.mirror.of(pattern)
    }

    #[inline(always)]
    pub fn mirror_high(&self, high: usize) -> usize {
        (self.mirror.of((high as u64) << BLOCK_BITS) >> BLOCK_BITS) as usize
    }

    pub fn block_mirror(&self) -> BlockMirror {
        self.mirror.inside_blocks()
    }

    /// Returns whether stores hold a chunk: its number is not above that of its mirror image.
    pub fn is_kept(&self, chunk: usize) -> bool {
        chunk <= self.mirror_chunk(chunk)
    }

    /// Counts the chunks that a kept chunk represents: itself, and its mirror image if different.
    pub fn weight(&self, chunk: usize) -> u64 {
        1 + u64::from(chunk != self.mirror_chunk(chunk))
    }

    pub fn mirror_chunk(&self, chunk: usize) -> usize {
        self.mirror_high(chunk << self.inner_bits()) >> self.inner_bits()
    }

    pub fn flip_chunk(&self, chunk: usize) -> usize {
        let bits = self.shape.points() - self.chunk_bits;
        (self.flip((chunk as u64) << bits) >> bits) as usize
    }

    /// Returns the point that a row flip exchanges with this one.
    pub fn flipped(&self, point: usize) -> usize {
        let shape = self.shape;
        shape.point(shape.rows() - 1 - shape.row(point), shape.column(point))
    }
}

/// Returns the points in the order of pattern bits.
///
/// Points that flip and mirror exchange form a group: four of them, two in the middle column or
/// row, or the centre. Goal rows precede sidelines, which precede the rest; a group that does not
/// fit into the current block lets a smaller one go first. The middle row, which the flip fixes,
/// comes last.
fn order(shape: Shape) -> Vec<usize> {
    let half = 0..shape.columns().div_ceil(2);
    let middle_row = shape.rows() / 2;
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (row, column) in (0..middle_row).flat_map(|row| half.clone().map(move |column| (row, column))) {
        let point = shape.point(row, column);
        let above = shape.point(shape.rows() - 1 - row, column);
        let mut group = vec![point, above];
        if shape.mirrored(point) != point {
            group.extend([point, above].map(|point| shape.mirrored(point)));
        }
        groups.push(group);
    }
    groups.sort_by_key(|group| {
        let point = group[0];
        (shape.row(point) > 0, shape.column(point) > 0, point)
    });
    let mut order = Vec::with_capacity(shape.points());
    while !groups.is_empty() {
        let free_bits = BLOCK_BITS.saturating_sub(order.len());
        let fits = (groups.iter()).position(|group| free_bits == 0 || group.len() <= free_bits);
        order.extend(groups.remove(fits.unwrap_or(0)));
        if order.len() == BLOCK_BITS {
            // The last points number the chunks: large groups last leave fewer symmetric chunks.
            groups.sort_by_key(|group| group.len());
        }
    }
    if shape.rows() % 2 == 1 {
        let point = |column| shape.point(middle_row, column);
        let mut pairs =
            (0..shape.columns() / 2).flat_map(|column| [point(column), point(shape.columns() - 1 - column)]);
        let free_bits = BLOCK_BITS.saturating_sub(order.len());
        order.extend(pairs.by_ref().take(free_bits));
        if shape.columns() % 2 == 1 {
            order.push(point(shape.columns() / 2));
        }
        order.extend(pairs);
    }
    order
}

#[derive(Clone, Debug)]
pub struct BlockPlaces {
    /// For each chunk and point, the position of its first block; [`ABSENT`] if there are none.
    starts: Vec<usize>,
    /// For each point, the ball's own bit in the number of a block in its chunk, or [`NO_BIT`].
    own_bit: Vec<usize>,
    points: usize,
    inner_bits: usize,
    sizes: Vec<usize>,
}

const ABSENT: usize = usize::MAX;

/// A bit above all block numbers: squeezing it out changes nothing.
const NO_BIT: usize = usize::BITS as usize - 1;

impl BlockPlaces {
    /// Computes the positions for a store with the ball on these points.
    pub fn new(layout: &PitchLayout, balls: &[usize]) -> BlockPlaces {
        let points = layout.shape().points();
        let inner_bits = layout.inner_bits();
        let mut places = BlockPlaces {
            starts: vec![ABSENT; layout.chunks() * points],
            own_bit: vec![NO_BIT; points],
            points,
            inner_bits,
            sizes: vec![0; layout.chunks()],
        };
        for &ball in balls {
            let own = layout.high_bit(ball);
            if own != 0 && own < 1 << inner_bits {
                places.own_bit[ball] = own.trailing_zeros() as usize;
            }
            for chunk in (0..layout.chunks()).filter(|&chunk| layout.is_kept(chunk)) {
                if chunk << inner_bits & own == 0 {
                    places.starts[chunk * points + ball] = places.sizes[chunk];
                    places.sizes[chunk] += (1 << inner_bits) >> usize::from(places.own_bit[ball] != NO_BIT);
                }
            }
        }
        places
    }

    pub fn size(&self, chunk: usize) -> usize {
        self.sizes[chunk]
    }

    /// Returns the position of block `inner` in its chunk. The ball's own bit of `inner` must be 0.
    #[inline(always)]
    pub fn place(&self, ball: usize, chunk: usize, inner: usize) -> usize {
        self.starts[chunk * self.points + ball] + squeeze(inner, self.own_bit[ball])
    }

    /// Returns the chunk of a block and its position there; `None` if the chunk is not kept.
    #[inline(always)]
    pub fn locate(&self, ball: usize, high: usize) -> Option<(usize, usize)> {
        let chunk = high >> self.inner_bits;
        let inner = high & ((1 << self.inner_bits) - 1);
        let kept = self.starts[chunk * self.points + ball] != ABSENT;
        kept.then(|| (chunk, self.place(ball, chunk, inner)))
    }
}

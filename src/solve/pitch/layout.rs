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
//! The order of points makes three things cheap. Points that a row flip (top and bottom rows swapped) exchanges are
//! neighbours, bits 2i and 2i+1, so flipping a pattern swaps adjacent bits. Points that the mirror (left and right swapped)
//! exchanges are one or two bits apart, and each of the three parts of a pattern has both of them, so the mirror image of a
//! chunk is a chunk. And goal-row points come first, then those on the sidelines: few jumps go over a run of these alone
//! and land on the pitch, so few jumps stay inside a block.
//!
//! A *store* keeps blocks for some points the ball may be on. It has only the *kept* chunks, those whose number is not
//! above that of their mirror image; the others are read through the mirror. Blocks whose number has the ball's own
//! bit set do not exist and are left out. So a set takes little more than a quarter of a bit for every ball and pattern.

use super::super::dense::block::BLOCK_BITS;
use super::mirror::{BlockMirror, Mirror};
use crate::bits::squeeze;
use crate::games::pitch::{Pitch, Shape};

/// log2 of the number of chunks, at most: enough to keep many cores busy, and that few chunks are their own mirror image.
const MAX_CHUNK_BITS: usize = 9;
/// log2 of the block numbers in a chunk, from where on there are more chunks than that: pitches of more than 31 points may take more than one
/// machine, and a process holds what its chunks read of others.
const MAX_INNER_BITS: usize = 10;

/// The shape of all stores for one size of pitch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PitchLayout {
    shape: Shape,
    /// The point of each pattern bit.
    order: Vec<usize>,
    /// The pattern bit of each point.
    bits: Vec<usize>,
    /// The pattern bits that a row flip swaps in pairs.
    paired: u64,
    mirror: Mirror,
    chunk_bits: usize,
}

impl PitchLayout {
    /// The layout of a shape.
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
            .find(|&count| layout.parts_at(count))
            .expect("no bit changes places with one that is not there");
        layout
    }

    /// Whether the mirror image of patterns that begin with the same so many bits are such patterns, and those turned over too.
    pub fn parts_at(&self, count: usize) -> bool {
        let bit = self.shape.points() - count;
        self.mirror.parts_at(bit) && (bit.is_multiple_of(2) || self.paired >> bit == 0)
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

    /// The pattern of a position.
    pub fn pattern(&self, pitch: &Pitch) -> usize {
        let chaps = pitch.chaps().iter();
        chaps.fold(0, |bits, point| bits | 1 << self.bit(point))
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

    /// The chunk of a block's number, and the number in the chunk.
    #[inline(always)]
    pub fn parts(&self, high: usize) -> (usize, usize) {
        (high >> self.inner_bits(), high & ((1 << self.inner_bits()) - 1))
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

    /// The mirror image of a pattern: left and right columns swapped, and so on to the middle.
    #[inline(always)]
    pub fn mirror(&self, pattern: u64) -> u64 {
        self.mirror.of(pattern)
    }

    /// The mirror image of a block's number.
    #[inline(always)]
    pub fn mirror_high(&self, high: usize) -> usize {
        (self.mirror.of((high as u64) << BLOCK_BITS) >> BLOCK_BITS) as usize
    }

    /// What the mirror does inside blocks.
    pub fn block_mirror(&self) -> BlockMirror {
        self.mirror.inside_blocks()
    }

    /// Whether stores keep a chunk: its number is not above that of its mirror image.
    pub fn is_kept(&self, chunk: usize) -> bool {
        chunk <= self.mirror_chunk(chunk)
    }

    /// How many chunks a kept chunk stands for: itself, and its mirror image if that is another.
    pub fn weight(&self, chunk: usize) -> u64 {
        1 + u64::from(chunk != self.mirror_chunk(chunk))
    }

    /// The mirror image of a chunk.
    pub fn mirror_chunk(&self, chunk: usize) -> usize {
        self.mirror_high(chunk << self.inner_bits()) >> self.inner_bits()
    }

    /// The chunk that a row flip makes of a chunk.
    pub fn flip_chunk(&self, chunk: usize) -> usize {
        let bits = self.shape.points() - self.chunk_bits;
        (self.flip((chunk as u64) << bits) >> bits) as usize
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

/// The points in the order of pattern bits.
///
/// Points that flip and mirror exchange stand together: four of them, or two in the middle column or row, or the centre. Goal
/// rows come before sidelines and those before the rest, but what does not fit into the rest of a block lets others
/// go first. The middle row, which the flip leaves alone, comes last.
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
        let room = BLOCK_BITS.saturating_sub(order.len());
        let fits = groups.iter().position(|group| room == 0 || group.len() <= room);
        order.extend(groups.remove(fits.unwrap_or(0)));
        if order.len() == BLOCK_BITS {
            // Chunks are numbered by the last points, and those that move in the mirror let it save more.
            groups.sort_by_key(|group| group.len());
        }
    }
    if shape.rows() % 2 == 1 {
        let point = |column| shape.point(middle_row, column);
        let mut pairs =
            (0..shape.columns() / 2).flat_map(|column| [point(column), point(shape.columns() - 1 - column)]);
        let room = BLOCK_BITS.saturating_sub(order.len());
        order.extend(pairs.by_ref().take(room));
        if shape.columns() % 2 == 1 {
            order.push(point(shape.columns() / 2));
        }
        order.extend(pairs);
    }
    order
}

/// Where blocks stand in a store.
#[derive(Clone, Debug)]
pub struct Places {
    /// For each chunk and each point: where its blocks begin; [`ABSENT`] if there are none.
    starts: Vec<usize>,
    /// For each point: the ball's own bit of a block's number in its chunk, or [`NO_BIT`].
    own_bit: Vec<usize>,
    points: usize,
    inner_bits: usize,
    /// For each chunk: its blocks.
    sizes: Vec<usize>,
}

const ABSENT: usize = usize::MAX;

/// A bit above all that number blocks in a chunk: leaving it out changes nothing.
const NO_BIT: usize = usize::BITS as usize - 1;

impl Places {
    /// A store for the ball on these points.
    pub fn new(layout: &PitchLayout, balls: &[usize]) -> Places {
        let points = layout.shape().points();
        let inner_bits = layout.inner_bits();
        let mut places = Places {
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
        self.starts[chunk * self.points + ball] + squeeze(inner, self.own_bit[ball])
    }

    /// The chunk and the place in it of a block; `None` if its chunk is not kept.
    #[inline(always)]
    pub fn locate(&self, ball: usize, high: usize) -> Option<(usize, usize)> {
        let chunk = high >> self.inner_bits;
        let inner = high & ((1 << self.inner_bits) - 1);
        let kept = self.starts[chunk * self.points + ball] != ABSENT;
        kept.then(|| (chunk, self.place(ball, chunk, inner)))
    }
}

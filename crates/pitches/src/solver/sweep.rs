//! One ply over one chunk: which positions does this ply decide?
//!
//! Both sets are *Alfred wins*: with Alfred to move (some turn must lead into the other set) and
//! with Betty to move (every turn must). *Every turn leads into X* means *no turn leads out of X*,
//! so both plies ask the same question, *does some turn lead into T?* T is the other set or its
//! complement, and the goal that counts as T is Alfred's or Betty's.
//!
//! Jumps chain. Let `reach[b]` be the patterns from which a ball *landing* on b succeeds: T holds
//! there, or a further jump leads to T. Then
//!
//! ```text
//!     jump[b](pattern)  = ∨ over directions:  reach[b'](pattern without the run)
//!                         with b' = first empty point beyond the run
//!     reach[b]          = T[b] ∨ jump[b]
//! ```
//!
//! A jump removes its run from the pattern, so `reach` depends only on smaller patterns: blocks in
//! ascending order find all they need. Jumps over runs inside the block are the exception and are
//! repeated until nothing changes. A ball in flight may land on the goal row that is *not* aimed at
//! and jump on, so `reach` includes that row, where T is empty; the row aimed at is always a
//! success.
//!
//! Two chunks may run concurrently if neither's number is a subset of the other's bits, so chunks
//! are swept by their number of bits.

use super::hops::{CompiledJumps, Hop, Target};
use super::layout::{BlockPlaces, PitchLayout};
use super::mirror::BlockMirror;
use super::work_list::WorkList;
use crate::block::{BLOCK_WORDS, Block, join_placements};
use crate::simd::Vectorized;
use phutbase_base::bits::ZEROS;

pub struct PlyInput<'a> {
    pub layout: &'a PitchLayout,
    pub places: &'a BlockPlaces,
    pub reach_places: &'a BlockPlaces,
    pub reach_balls: &'a [usize],
    pub jumps: &'a [CompiledJumps],
    pub mirror: BlockMirror,
    /// All ones if T is the complement of `target`, and the positions *without* a turn into T gain.
    pub complement: u64,
    pub work_list: &'a WorkList<'a>,
}

impl PlyInput<'_> {
    /// Reads a block of a store, or makes it in `mirror_image` from the kept one. `block` returns
    /// the one at a place of a chunk.
    #[inline(always)]
    fn read<'b>(
        &self,
        places: &BlockPlaces,
        block: impl Fn(usize, usize) -> &'b Block,
        ball: usize,
        high: usize,
        mirror_image: &'b mut Block,
    ) -> &'b Block {
        let layout = self.layout;
        if let Some((chunk, place)) = places.locate(ball, high) {
            return block(chunk, place);
        }
        let (ball, high) = (layout.shape().mirrored(ball), layout.mirror_high(high));
        let (chunk, place) = places
            .locate(ball, high)
            .expect("a block or its mirror image is kept");
        *mirror_image = self.mirror.of(block(chunk, place));
        mirror_image
    }
}

/// The blocks of a chunk, by place.
pub trait ChunkBlocks: Sync {
    fn block(&self, place: usize) -> &Block;
}

impl ChunkBlocks for &[Block] {
    #[inline(always)]
    fn block(&self, place: usize) -> &Block {
        &self[place]
    }
}

pub struct ChunkSweep<'p, 'c, S, R> {
    pub ply: &'p PlyInput<'p>,
    pub chunk: usize,
    pub known: &'c mut [Block],
    pub reach: &'c mut [Block],
    /// The set that turns lead into, by chunk.
    pub target: &'c [S],
    /// `reach` of kept chunks that are a subset of this one, or have a mirror image that is.
    pub earlier: &'c [S],
    /// Result of the jumps, by point, in the current block.
    pub jumped: &'c mut [Block],
    /// Words of the map of blocks that gain.
    pub gaining: &'c mut [u64],
    /// Words of the map of fully decided blocks.
    pub full: &'c mut [u64],
    /// Receives the ball, the block number and the new members of each block that gains.
    pub report: R,
}

impl<S: ChunkBlocks, R: FnMut(usize, usize, &Block)> Vectorized for ChunkSweep<'_, '_, S, R> {
    #[inline(always)]
    fn run(mut self) {
        let ply = self.ply;
        let points = ply.layout.shape().points();
        let needed = ply.work_list.needed.chunk(self.chunk).chunks_exact(points);
        let work_list = ply.work_list.blocks.chunk(self.chunk).chunks_exact(points);
        for (word, (needed, work_list)) in needed.zip(work_list).enumerate() {
            let mut inners = needed.iter().chain(work_list).fold(0, |all, bits| all | bits);
            while inners != 0 {
                let bit = inners.trailing_zeros() as usize;
                inners &= inners - 1;
                let inner = word << 6 | bit;
                let high = self.chunk << ply.layout.inner_bits() | inner;
                let is_needed = |ball: usize| needed[ball] >> bit & 1 == 1;
                self.outward_jumps(high, inner, is_needed);
                while self.inside_jumps(high, inner, is_needed) {}
                for ball in ply.layout.shape().interior() {
                    if work_list[ball] >> bit & 1 == 1 {
                        self.settle(ball, high, inner);
                    }
                }
            }
        }
    }
}

impl<S: ChunkBlocks, R: FnMut(usize, usize, &Block)> ChunkSweep<'_, '_, S, R> {
    /// Returns whether a block of T can add to the result.
    #[inline(always)]
    fn is_informative(&self, ball: usize, high: usize) -> bool {
        self.ply.work_list.is_informative(self.ply.layout, ball, high)
    }

    /// Returns T for a ball on an interior point, in a block of this chunk.
    #[inline(always)]
    fn target(&self, ball: usize, inner: usize) -> &Block {
        self.target[self.chunk].block(self.ply.places.place(ball, self.chunk, inner))
    }

    /// Returns T for a ball on an interior point in any chunk.
    #[inline(always)]
    fn target_of<'b>(&'b self, ball: usize, high: usize, mirror_image: &'b mut Block) -> &'b Block {
        let target = |chunk: usize, place: usize| self.target[chunk].block(place);
        (self.ply).read(self.ply.places, target, ball, high, mirror_image)
    }

    #[inline(always)]
    fn reach<'b>(&'b self, ball: usize, high: usize, mirror_image: &'b mut Block) -> &'b Block {
        let reach = |chunk: usize, place: usize| {
            if chunk == self.chunk {
                &self.reach[place]
            } else {
                self.earlier[chunk].block(place)
            }
        };
        (self.ply).read(self.ply.reach_places, reach, ball, high, mirror_image)
    }

    /// Follows the jumps that leave the block or reach the goal, and initialises `reach`.
    #[inline(always)]
    fn outward_jumps(&mut self, high: usize, inner: usize, is_needed: impl Fn(usize) -> bool) {
        for &ball in self.ply.reach_balls {
            if !is_needed(ball) {
                self.jumped[ball] = Block::EMPTY;
                continue;
            }
            let mut found = Block::EMPTY;
            for ray in &self.ply.jumps[ball].outward {
                self.ray(ray, high, &mut found);
            }
            self.jumped[ball] = found;
            if self.ply.layout.shape().winner_on(ball).is_none() && self.is_informative(ball, high) {
                let target = self.target(ball, inner);
                for (found, target) in found.0.iter_mut().zip(&target.0) {
                    *found |= target ^ self.ply.complement;
                }
            }
            let place = self.ply.reach_places.place(ball, self.chunk, inner);
            self.reach[place] = found;
        }
    }

    #[inline(always)]
    fn ray(&self, ray: &[Hop], high: usize, found: &mut Block) {
        let mut mirror_image = Block::EMPTY;
        for hop in ray {
            if high & hop.over != hop.over {
                return; // longer runs contain these chaps too
            }
            if hop.may_land(high) {
                match hop.target {
                    Target::Home => hop.join_home(found),
                    Target::Ball(to)
                        if self.ply.work_list.is_fresh(self.ply.layout, to, high & !hop.over) =>
                    {
                        hop.join(self.reach(to, high & !hop.over, &mut mirror_image), found)
                    }
                    Target::Ball(_) => {}
                }
            }
        }
    }

    /// Follows the jumps inside the block once; returns whether another round is needed.
    #[inline(always)]
    fn inside_jumps(&mut self, high: usize, inner: usize, is_needed: impl Fn(usize) -> bool) -> bool {
        let mut gained = 0;
        for &ball in self.ply.reach_balls {
            if !is_needed(ball) {
                continue;
            }
            for hop in &self.ply.jumps[ball].inside {
                if let Target::Ball(to) = hop.target
                    && is_needed(to)
                    && hop.may_land(high)
                {
                    let from = self.reach[self.ply.reach_places.place(to, self.chunk, inner)];
                    let place = self.ply.reach_places.place(ball, self.chunk, inner);
                    let (reach, jumped) = (&mut self.reach[place], &mut self.jumped[ball]);
                    for word in 0..BLOCK_WORDS {
                        let moved = hop.moved(&from, word);
                        gained |= moved & !reach.0[word];
                        reach.0[word] |= moved;
                        jumped.0[word] |= moved;
                    }
                }
            }
        }
        gained != 0
    }

    /// Adds the placements to the jumps of one block and records the new members.
    #[inline(always)]
    fn settle(&mut self, ball: usize, high: usize, inner: usize) {
        let place = self.ply.places.place(ball, self.chunk, inner);
        let mut open = self.open(ball, place);
        let (at, bit) = (
            (inner >> 6) * self.ply.layout.shape().points() + ball,
            1 << (inner & 63),
        );
        if open.0.iter().all(|&bits| bits == 0) {
            self.full[at] |= bit;
            return;
        }
        let mut found = self.jumped[ball];
        self.placements(ball, high, inner, &open, &mut found);
        let (mut gained, mut left) = (0, 0);
        for (open, found) in open.0.iter_mut().zip(&found.0) {
            let new = *open & (found ^ self.ply.complement);
            left |= *open ^ new;
            gained |= new;
            *open = new;
        }
        if gained != 0 {
            for (known, new) in self.known[place].0.iter_mut().zip(&open.0) {
                *known |= new;
            }
            self.gaining[at] |= bit;
            if left == 0 {
                self.full[at] |= bit;
            }
            (self.report)(ball, high, &open);
        }
    }

    /// Returns the positions of a block not yet known, without bits that are no position.
    #[inline(always)]
    fn open(&self, ball: usize, place: usize) -> Block {
        let layout = self.ply.layout;
        let mut open = self.known[place];
        open.0.iter_mut().for_each(|bits| *bits = !*bits);
        let points = layout.shape().points();
        for (word, bits) in open.0.iter_mut().enumerate() {
            if layout.high_bit(ball) == 0 {
                *bits &= without(layout.bit(ball), word);
            }
            // Short patterns fill only part of a block.
            if points < 6 {
                *bits &= (1 << (1 << points)) - 1;
            }
            if word >= 1 << points.saturating_sub(6).min(6) {
                *bits = 0;
            }
        }
        open
    }

    /// Adds the placements that lead into T, until all of `open` is covered.
    #[inline(always)]
    fn placements(&self, ball: usize, high: usize, inner: usize, open: &Block, found: &mut Block) {
        let layout = self.ply.layout;
        let complement = self.ply.complement;
        if self.is_informative(ball, high) {
            self.placements_inside(ball, inner, found);
        }
        let all = (1usize << layout.high_bits()) - 1;
        let mut empty = all & !high & !layout.high_bit(ball);
        let mut mirror_image = Block::EMPTY;
        while empty != 0 && !covers(found, open) {
            let chap = empty & empty.wrapping_neg();
            empty ^= chap;
            if self.is_informative(ball, high | chap) {
                let there = self.target_of(ball, high | chap, &mut mirror_image);
                for (found, there) in found.0.iter_mut().zip(&there.0) {
                    *found |= there ^ complement;
                }
            }
        }
    }

    /// Adds the placements inside the block that lead into T.
    #[inline(always)]
    fn placements_inside(&self, ball: usize, inner: usize, found: &mut Block) {
        let layout = self.ply.layout;
        let others = (0..layout.low_bits()).filter(|&bit| bit != layout.bit(ball));
        let mut here = *self.target(ball, inner);
        here.0.iter_mut().for_each(|bits| *bits ^= self.ply.complement);
        join_placements(others, &here, found);
    }
}

/// Returns the bits of a word with pattern bit `bit` clear.
#[inline(always)]
fn without(bit: usize, word: usize) -> u64 {
    if bit < 6 {
        ZEROS[bit]
    } else {
        u64::from(word >> (bit - 6) & 1 == 0).wrapping_neg()
    }
}

#[inline(always)]
fn covers(found: &Block, needed: &Block) -> bool {
    let missing =
        (found.0.iter().zip(&needed.0)).fold(0, |missing, (found, needed)| missing | needed & !found);
    missing == 0
}

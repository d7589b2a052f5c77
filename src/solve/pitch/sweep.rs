//! One ply over one chunk: which positions does this ply decide?
//!
//! Two sets are kept, both of *Alfred wins*: with Alfred to move (some turn must lead into the other set) and with Betty
//! to move (every turn must). 'Every turn leads into X' is 'no turn leads out of X', so both plies ask the same question,
//! *does some turn lead into T?*, with T = the other set, or its complement; and the goal that counts as T is
//! Alfred's, or Betty's.
//!
//! Jumps chain. With `reach[b]` the patterns from which a ball *landing* on b is well off (T holds there, or a jump goes
//! on to where it does),
//!
//! ```text
//!     jump[b](pattern)  = ∨ over directions:  reach[b'](pattern without the run)     b' = first empty point beyond
//!     reach[b]          = T[b] ∨ jump[b]
//! ```
//!
//! A run that is jumped over leaves the pattern, so `reach` is needed only of smaller patterns: blocks in ascending order
//! find all that they need, except for jumps over runs inside the block, which are repeated until nothing
//! changes. A ball in flight may touch the goal row that is *not* wanted and go on from there, so `reach` knows that row
//! too, where T is empty; on the row that is wanted everything is reached.
//!
//! Chunks may be done at the same time when neither's number is part of the other's: level by level of the number of bits.

use super::super::dense::block::{BLOCK_WORDS, Block, ZEROS};
use super::hops::{CompiledJumps, Hop, Target};
use super::layout::{PitchLayout, Places};
use super::looked::Looked;
use super::mirror::BlockMirror;
use super::parcels::Source;
use crate::solve::simd::Work;

/// What one ply reads, for every chunk.
pub struct Ply<'a> {
    pub layout: &'a PitchLayout,
    /// Places of the positions.
    pub places: &'a Places,
    /// Places of `reach`.
    pub reach_places: &'a Places,
    /// The points of `reach`.
    pub reach_balls: &'a [usize],
    pub jumps: &'a [CompiledJumps],
    pub mirror: BlockMirror,
    /// All ones if the complement of `target` is meant, and what is wanted are positions *without* a turn into it.
    pub complement: u64,
    /// What is looked at.
    pub looked: &'a Looked<'a>,
}

impl Ply<'_> {
    /// A block of a store, or the mirror image of the one that is kept, made in `room`.
    #[inline(always)]
    fn read<'b>(
        &self,
        places: &Places,
        source: impl Fn(usize) -> Source<'b>,
        ball: usize,
        high: usize,
        room: &'b mut Block,
    ) -> &'b Block {
        let layout = self.layout;
        if let Some((chunk, place)) = places.locate(ball, high) {
            return source(chunk).block(place);
        }
        let (ball, high) = (layout.shape().mirrored(ball), layout.mirror_high(high));
        let (chunk, place) = places
            .locate(ball, high)
            .expect("of a block and its mirror image one is kept");
        *room = self.mirror.of(source(chunk).block(place));
        room
    }
}

/// One chunk being done.
pub struct ChunkSweep<'p, 'c, R> {
    pub ply: &'p Ply<'p>,
    pub chunk: usize,
    /// The set that grows, in this chunk.
    pub known: &'c mut [Block],
    /// `reach` in this chunk.
    pub reach: &'c mut [Block],
    /// The set that turns lead into, by chunk.
    pub target: &'c [Source<'c>],
    /// `reach` in the kept chunks that are part of this one, or whose mirror image is.
    pub earlier: &'c [Source<'c>],
    /// What jumps reach, by point, in the block at hand.
    pub jumped: &'c mut [Block],
    /// The blocks of this chunk that gain, as words of a map.
    pub gaining: &'c mut [u64],
    /// Those in which all is decided.
    pub full: &'c mut [u64],
    /// Gets the ball, the block's number and the new members of each block that gains some.
    pub report: R,
}

impl<R: FnMut(usize, usize, &Block)> Work for ChunkSweep<'_, '_, R> {
    #[inline(always)]
    fn run(mut self) {
        let ply = self.ply;
        let points = ply.layout.shape().points();
        let needed = ply.looked.needed.chunk(self.chunk).chunks_exact(points);
        let looked = ply.looked.blocks.chunk(self.chunk).chunks_exact(points);
        for (word, (needed, looked)) in needed.zip(looked).enumerate() {
            let mut inners = needed.iter().chain(looked).fold(0, |all, bits| all | bits);
            while inners != 0 {
                let bit = inners.trailing_zeros() as usize;
                inners &= inners - 1;
                let inner = word << 6 | bit;
                let high = self.chunk << ply.layout.inner_bits() | inner;
                let is_needed = |ball: usize| needed[ball] >> bit & 1 == 1;
                self.outward_jumps(high, inner, is_needed);
                while self.inside_jumps(high, inner, is_needed) {}
                for ball in ply.layout.shape().interior() {
                    if looked[ball] >> bit & 1 == 1 {
                        self.settle(ball, high, inner);
                    }
                }
            }
        }
    }
}

impl<R: FnMut(usize, usize, &Block)> ChunkSweep<'_, '_, R> {
    /// T for a ball on an interior point, in a block of this chunk; the other points of `reach` have none.
    #[inline(always)]
    fn target(&self, ball: usize, inner: usize) -> &Block {
        self.target[self.chunk].block(self.ply.places.place(ball, self.chunk, inner))
    }

    /// T for a ball on an interior point; `room` is for a mirror image.
    #[inline(always)]
    fn target_of<'b>(&'b self, ball: usize, high: usize, room: &'b mut Block) -> &'b Block {
        let sets = |chunk: usize| self.target[chunk];
        self.ply.read(self.ply.places, sets, ball, high, room)
    }

    #[inline(always)]
    fn reach<'b>(&'b self, ball: usize, high: usize, room: &'b mut Block) -> &'b Block {
        let reach = |chunk: usize| match chunk == self.chunk {
            true => Source::Here(self.reach),
            false => self.earlier[chunk],
        };
        self.ply.read(self.ply.reach_places, reach, ball, high, room)
    }

    /// Jumps that leave the block or come home.
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
            if self.ply.layout.shape().winner_on(ball).is_none()
                && self.ply.looked.tells(self.ply.layout, ball, high)
            {
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
        let mut room = Block::EMPTY;
        for hop in ray {
            if high & hop.over != hop.over {
                return; // longer runs need these chaps too
            }
            if hop.may_land(high) {
                match hop.target {
                    Target::Home => hop.join_home(found),
                    Target::Ball(to) if self.ply.looked.is_fresh(self.ply.layout, to, high & !hop.over) => {
                        hop.join(self.reach(to, high & !hop.over, &mut room), found)
                    }
                    Target::Ball(_) => {}
                }
            }
        }
    }

    /// One round of the jumps inside the block; `true` if another is needed.
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

    /// Completes the jumps of one block with the placements, and records what is new.
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

    /// The positions of a block that are not known yet. Bits that stand for no position are left out.
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
            // Short patterns fill only a part of their block.
            if points < 6 {
                *bits &= (1 << (1 << points)) - 1;
            }
            if word >= 1 << points.saturating_sub(6).min(6) {
                *bits = 0;
            }
        }
        open
    }

    /// Adds what placing a chap leads to, until all of `open` is covered.
    #[inline(always)]
    fn placements(&self, ball: usize, high: usize, inner: usize, open: &Block, found: &mut Block) {
        let layout = self.ply.layout;
        let complement = self.ply.complement;
        if self.ply.looked.tells(self.ply.layout, ball, high) {
            self.placements_inside(ball, inner, found);
        }
        let all = (1usize << layout.high_bits()) - 1;
        let mut empty = all & !high & !layout.high_bit(ball);
        let mut room = Block::EMPTY;
        while empty != 0 && !covers(found, open) {
            let chap = empty & empty.wrapping_neg();
            empty ^= chap;
            if !self.ply.looked.tells(self.ply.layout, ball, high | chap) {
                continue;
            }
            for (found, there) in found
                .0
                .iter_mut()
                .zip(&self.target_of(ball, high | chap, &mut room).0)
            {
                *found |= there ^ complement;
            }
        }
    }

    /// Adds what placing a chap inside the block leads to.
    #[inline(always)]
    fn placements_inside(&self, ball: usize, inner: usize, found: &mut Block) {
        let layout = self.ply.layout;
        let own = layout.bit(ball);
        let complement = self.ply.complement;
        let here = self.target(ball, inner);
        for bit in (0..layout.low_bits()).filter(|&bit| bit != own) {
            if bit < 6 {
                for (found, here) in found.0.iter_mut().zip(&here.0) {
                    *found |= (here ^ complement) >> (1 << bit) & ZEROS[bit];
                }
            } else {
                let step = 1 << (bit - 6);
                for (found, here) in (found.0.chunks_exact_mut(2 * step)).zip(here.0.chunks_exact(2 * step)) {
                    for (found, here) in found[..step].iter_mut().zip(&here[step..]) {
                        *found |= here ^ complement;
                    }
                }
            }
        }
    }
}

/// The bits of a word whose pattern bit `bit` is 0.
#[inline(always)]
fn without(bit: usize, word: usize) -> u64 {
    if bit < 6 {
        ZEROS[bit]
    } else {
        u64::from(word >> (bit - 6) & 1 == 0).wrapping_neg()
    }
}

/// Whether all of `needed` is in `found`.
#[inline(always)]
fn covers(found: &Block, needed: &Block) -> bool {
    let missing =
        (found.0.iter().zip(&needed.0)).fold(0, |missing, (found, needed)| missing | needed & !found);
    missing == 0
}

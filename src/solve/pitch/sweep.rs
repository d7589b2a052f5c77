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

use super::super::dense::block::{BLOCK_WORDS, Block};
use super::hops::{Hop, Jumps, Target};
use super::layout::{Layout, Places};

/// What one ply reads, for every chunk.
pub struct Ply<'a> {
    pub layout: &'a Layout,
    /// Places of the positions.
    pub places: &'a Places,
    /// Places of `reach`.
    pub reach_places: &'a Places,
    /// The points of `reach`.
    pub reach_balls: &'a [usize],
    pub jumps: &'a [Jumps],
    /// The set that turns lead into, by chunk.
    pub target: &'a [Vec<Block>],
    /// All ones if the complement of `target` is meant, and what is wanted are positions *without* a turn into it.
    pub complement: u64,
}

/// Bits of a word whose index bit `bit < 6` is 0.
const ZEROS: [u64; 6] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0f0f_0f0f_0f0f_0f0f,
    0x00ff_00ff_00ff_00ff,
    0x0000_ffff_0000_ffff,
    0x0000_0000_ffff_ffff,
];

/// One chunk being done.
pub struct ChunkSweep<'p, 'c> {
    pub ply: &'p Ply<'p>,
    pub chunk: usize,
    /// The set that grows, in this chunk.
    pub known: &'c mut [Block],
    /// `reach` in this chunk.
    pub reach: &'c mut [Block],
    /// `reach` in the chunks whose number is part of this one's; empty slices elsewhere.
    pub earlier: &'c [&'c [Block]],
    /// What jumps reach, by point, in the block at hand.
    pub jumped: &'c mut [Block],
}

impl ChunkSweep<'_, '_> {
    /// Does the chunk; `report` gets the ball, the block's number and the new members of each block that gains some.
    #[inline(always)]
    pub fn run(&mut self, mut report: impl FnMut(usize, usize, &Block)) {
        let inner_bits = self.ply.layout.inner_bits();
        for inner in 0..1 << inner_bits {
            let high = self.chunk << inner_bits | inner;
            self.outward_jumps(high, inner);
            while self.inside_jumps(high, inner) {}
            for ball in self.ply.layout.shape().interior() {
                if high & self.ply.layout.high_bit(ball) == 0 {
                    self.settle(ball, high, inner, &mut report);
                }
            }
        }
    }

    /// T for a ball on an interior point; the other points of `reach` have none.
    #[inline(always)]
    fn target(&self, ball: usize, high: usize) -> &Block {
        let (chunk, place) = self.ply.places.locate(ball, high);
        &self.ply.target[chunk][place]
    }

    #[inline(always)]
    fn reach(&self, ball: usize, high: usize) -> &Block {
        let (chunk, place) = self.ply.reach_places.locate(ball, high);
        if chunk == self.chunk {
            &self.reach[place]
        } else {
            &self.earlier[chunk][place]
        }
    }

    /// Jumps that leave the block or come home.
    #[inline(always)]
    fn outward_jumps(&mut self, high: usize, inner: usize) {
        for &ball in self.ply.reach_balls {
            if high & self.ply.layout.high_bit(ball) != 0 {
                continue;
            }
            let mut found = Block::EMPTY;
            for ray in &self.ply.jumps[ball].outward {
                self.ray(ray, high, &mut found);
            }
            self.jumped[ball] = found;
            if self.ply.layout.shape().winner_on(ball).is_none() {
                let target = self.target(ball, high);
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
        for hop in ray {
            if high & hop.over != hop.over {
                return; // longer runs need these chaps too
            }
            if hop.may_land(high) {
                match hop.target {
                    Target::Home => hop.join_home(found),
                    Target::Ball(to) => hop.join(self.reach(to, high & !hop.over), found),
                }
            }
        }
    }

    /// One round of the jumps inside the block; `true` if another is needed.
    #[inline(always)]
    fn inside_jumps(&mut self, high: usize, inner: usize) -> bool {
        let mut gained = 0;
        for &ball in self.ply.reach_balls {
            if high & self.ply.layout.high_bit(ball) != 0 {
                continue;
            }
            for hop in &self.ply.jumps[ball].inside {
                if let Target::Ball(to) = hop.target
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
    fn settle(
        &mut self,
        ball: usize,
        high: usize,
        inner: usize,
        report: &mut impl FnMut(usize, usize, &Block),
    ) {
        let place = self.ply.places.place(ball, self.chunk, inner);
        let mut open = self.open(ball, place);
        if open.0.iter().all(|&bits| bits == 0) {
            return;
        }
        let mut found = self.jumped[ball];
        self.placements(ball, high, &open, &mut found);
        let mut gained = 0;
        for (open, found) in open.0.iter_mut().zip(&found.0) {
            *open &= found ^ self.ply.complement;
            gained |= *open;
        }
        if gained != 0 {
            for (known, new) in self.known[place].0.iter_mut().zip(&open.0) {
                *known |= new;
            }
            report(ball, high, &open);
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
    fn placements(&self, ball: usize, high: usize, open: &Block, found: &mut Block) {
        let layout = self.ply.layout;
        let own = layout.bit(ball);
        let complement = self.ply.complement;
        let here = self.target(ball, high);
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
        let all = (1usize << layout.high_bits()) - 1;
        let mut empty = all & !high & !layout.high_bit(ball);
        while empty != 0 && !covers(found, open) {
            let chap = empty & empty.wrapping_neg();
            empty ^= chap;
            for (found, there) in found.0.iter_mut().zip(&self.target(ball, high | chap).0) {
                *found |= there ^ complement;
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

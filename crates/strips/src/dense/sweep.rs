//! One ply over one slice: which positions does this ply decide?
//!
//! Both planes are *Left wins*: one with Left to move (some turn must lead into the other plane),
//! one with Right to move (every turn must). A ply reads one plane and adds to the other, so a
//! position found at ply d is decided in exactly d plies.
//!
//! For one value of the high pattern bits all ball squares are processed together, because the jump
//! recurrence runs from ball to ball. Let `on[b]` be the set with the ball on b, `jump[b]` the
//! result of a jump from b and `above[b]` that of a ball in flight above b. Jumps to the right are
//!
//! ```text
//!     jump[b]  = stone(b+1) ∧ above[b+1]
//!     above[b] = jump[b] ∨ (empty(b+1) ∧ (on ∨ jump)[b+1])
//!     above[n−1] = on[n−1] = Left wins
//! ```
//!
//! (∨ becomes ∧ for *every turn*). Square b+1 is pattern bit b, so for b < 12 a step of the
//! recurrence moves bits within a block ([`hop`]). For b ≥ 12 the stones jumped over are part of
//! the block number, so the chain of landings is a short walk over integers (`right_walk`) that
//! joins whole blocks. Jumps to the left work in the same way from the other end: the recurrence
//! runs inside blocks up to ball 12, and balls beyond walk down to it (`left_walk`). A leftward
//! walk past ball 12 needs the flight at ball 12 of a block with fewer bits in its number: an
//! earlier block of the same slice, or the first block of another slice, stored in
//! [`PlyInput::entries`].

use super::layout::DenseLayout;
use super::pool::{BlockState, Pool, RecentStates, SetId};
use super::walk::{Landing, left_walk, right_walk};
use phutbase_machine::block::{
    AnyTurn, BLOCK_BITS, Block, Combination, Flight, hop, join, joined, new_members,
};
use phutbase_machine::simd::Work;
use std::marker::PhantomData;

/// A set of ball squares, bit `b` for square b.
pub type Balls = u64;

/// Left's home, where Left has lost.
const LEFT_HOME: Flight = Flight {
    above: Block::EMPTY,
    on: Block::EMPTY,
};
/// Right's home, where Left has won.
const RIGHT_HOME: Flight = Flight {
    above: Block::FULL,
    on: Block::FULL,
};

pub struct PlyInput<'a> {
    pub layout: DenseLayout,
    pub target: &'a [BlockState],
    pub target_pool: &'a Pool,
    pub known_pool: &'a Pool,
    /// For each block number, the ball squares with a block of `target` that changed in the ply
    /// before; `None` if all count as changed.
    pub changed: Option<&'a [Balls]>,
    /// For each slice, the leftward flight at ball 12 of its first block.
    pub entries: &'a [Flight],
}

/// Buffers that a thread reuses from slice to slice.
pub struct Scratch {
    /// Results of jumps to the left, by ball square, for balls up to 12.
    left_jumps: Vec<Block>,
    /// The leftward flight at ball 12 for the finished blocks of the slice.
    entries: Vec<Flight>,
    /// Changed inputs of each block of the slice.
    dirty: Vec<Dirty>,
    recent: RecentStates,
}

impl Scratch {
    pub fn new(layout: &DenseLayout) -> Scratch {
        Scratch {
            left_jumps: vec![Block::EMPTY; BLOCK_BITS + 1],
            entries: vec![LEFT_HOME; 1 << layout.slice_bits()],
            dirty: vec![Dirty::ALL; 1 << layout.slice_bits()],
            recent: RecentStates::default(),
        }
    }
}

#[derive(Clone, Copy)]
struct Dirty {
    /// Ball squares with a changed input of any kind.
    any: Balls,
    /// Some jump inside blocks has a changed input.
    inside: bool,
}

impl Dirty {
    const ALL: Dirty = Dirty {
        any: Balls::MAX,
        inside: true,
    };
}

fn balls(from: usize, to: usize) -> Balls {
    if from > to {
        0
    } else {
        (Balls::MAX >> (63 - to)) & (Balls::MAX << from)
    }
}

impl PlyInput<'_> {
    /// Returns the set of the target plane for a ball square and a block number.
    #[inline(always)]
    fn target_set(&self, ball: usize, high: usize) -> SetId {
        self.target_pool
            .set_of(self.target[self.layout.place(ball, high)])
    }

    #[inline(always)]
    fn target(&self, ball: usize, high: usize) -> &Block {
        self.target_pool.set(self.target_set(ball, high))
    }

    #[inline(always)]
    fn changed(&self, ball: usize, high: usize) -> bool {
        self.changed.is_none_or(|changed| changed[high] >> ball & 1 == 1)
    }

    #[inline(always)]
    fn last_ball(&self) -> usize {
        self.layout.length() - 2
    }

    /// Computes the leftward flight at ball 12 (or at the last ball, if that is lower) of block
    /// number `high`, and the jumps of all balls up to there in `jumps`.
    #[inline(always)]
    fn left_inside<Q: Combination>(&self, high: usize, jumps: &mut [Block]) -> Flight {
        let mut ahead = LEFT_HOME;
        let inside = 1..=self.last_ball().min(BLOCK_BITS);
        for (ball, jumps) in inside.clone().zip(&mut jumps[inside]) {
            let (above, jump) = hop::<Q>(ball - 1, &ahead);
            *jumps = jump;
            ahead = Flight {
                above,
                on: joined::<Q>(self.target(ball, high), &jump),
            };
        }
        ahead
    }

    /// Computes the flight that [`PlyInput::entries`] stores for one slice.
    #[inline(always)]
    pub fn entry<Q: Combination>(&self, slice: usize, scratch: &mut Scratch) -> Flight {
        self.left_inside::<Q>(slice << self.layout.slice_bits(), &mut scratch.left_jumps)
    }

    /// Joins the results of a jump to the right from `ball` ≥ 12.
    #[inline(always)]
    fn join_right_walk<Q: Combination>(&self, ball: usize, high: usize, into: &mut Block) {
        for landing in right_walk(ball, high, self.layout.pattern_bits()) {
            match landing {
                Landing::Ball(ball, high) => join::<Q>(into, self.target(ball, high)),
                _ => join::<Q>(into, &RIGHT_HOME.on),
            }
        }
    }

    /// Joins the results of a jump to the left from `ball` > 12.
    #[inline(always)]
    fn join_left_walk<Q: Combination>(
        &self,
        ball: usize,
        high: usize,
        own_entries: &[Flight],
        into: &mut Block,
    ) {
        for landing in left_walk(ball, high) {
            match landing {
                Landing::AboveEntry(to) => {
                    join::<Q>(into, &self.entry_of(to, high, own_entries).above);
                }
                Landing::OnEntry(to) => {
                    join::<Q>(into, &self.entry_of(to, high, own_entries).on);
                }
                Landing::Ball(ball, high) => join::<Q>(into, self.target(ball, high)),
                Landing::RightHome => {}
            }
        }
    }

    /// Returns the leftward flight at ball 12 of block number `to`, for a walk that started at
    /// block number `from`.
    #[inline(always)]
    fn entry_of<'e>(&'e self, to: usize, from: usize, own_entries: &'e [Flight]) -> &'e Flight {
        let bits = self.layout.slice_bits();
        if to >> bits == from >> bits {
            &own_entries[to & ((1 << bits) - 1)]
        } else {
            &self.entries[to >> bits]
        }
    }

    /// Computes the rightward flight at ball 12, which starts the recurrence inside the block.
    #[inline(always)]
    fn right_entry<Q: Combination>(&self, high: usize) -> Flight {
        if self.layout.pattern_bits() <= BLOCK_BITS {
            return RIGHT_HOME;
        }
        let mut jump = Q::NEUTRAL_BLOCK;
        self.join_right_walk::<Q>(BLOCK_BITS, high, &mut jump);
        let above = if high & 1 == 1 {
            jump
        } else if BLOCK_BITS == self.last_ball() {
            Block::FULL
        } else {
            let mut landed = *self.target(BLOCK_BITS + 1, high);
            self.join_right_walk::<Q>(BLOCK_BITS + 1, high, &mut landed);
            landed
        };
        Flight {
            above,
            on: joined::<Q>(self.target(BLOCK_BITS, high), &jump),
        }
    }

    /// Returns the inputs of block number `high` that changed in the ply before.
    #[inline(always)]
    fn dirty(&self, high: usize) -> Dirty {
        let Some(changed) = self.changed else {
            return Dirty {
                any: balls(1, self.last_ball()),
                ..Dirty::ALL
            };
        };
        let (own, last) = (changed[high], self.last_ball());
        let mut any = own;
        for bit in 0..self.layout.high_bits() {
            any |= changed[high | 1 << bit];
        }
        let mut walks: Balls = 0;
        for ball in BLOCK_BITS..=last {
            for landing in right_walk(ball, high, self.layout.pattern_bits()) {
                if let Landing::Ball(to, high) = landing {
                    walks |= (changed[high] >> to & 1) << ball;
                }
            }
        }
        let right_inside =
            own & balls(2, BLOCK_BITS + 1) != 0 || walks & balls(BLOCK_BITS, BLOCK_BITS + 1) != 0;
        for ball in BLOCK_BITS + 1..=last {
            for landing in left_walk(ball, high) {
                let hit = match landing {
                    Landing::Ball(to, high) => changed[high] >> to & 1 == 1,
                    Landing::AboveEntry(high) | Landing::OnEntry(high) => {
                        changed[high] & balls(1, BLOCK_BITS) != 0
                    }
                    Landing::RightHome => false,
                };
                walks |= Balls::from(hit) << ball;
            }
        }
        let left_inside = own & balls(1, BLOCK_BITS) != 0;
        let inside = right_inside || left_inside;
        if inside {
            walks |= balls(1, BLOCK_BITS);
        }
        Dirty {
            any: (any | walks) & balls(1, last),
            inside,
        }
    }

    /// Joins the results of placing a stone, and returns the members that are not in `known`.
    #[inline(always)]
    fn join_placements<Q: Combination>(
        &self,
        ball: usize,
        high: usize,
        known: &Block,
        found: &mut Block,
    ) -> Option<Block> {
        let every = Q::NEUTRAL != 0;
        let own = self.target_set(ball, high);
        join::<Q>(found, self.target_pool.placements(own));
        // Skip a block equal to the last one joined.
        let mut last = None;
        let mut empty = !high & ((1 << self.layout.high_bits()) - 1);
        while empty != 0 {
            let with_stone = high | (empty & empty.wrapping_neg());
            empty &= empty - 1;
            if every {
                // The conjunction only shrinks: stop once nothing new is left.
                new_members(found, known)?;
            } else if !self.changed(ball, with_stone) {
                // For 'some turn', unchanged blocks were joined in an earlier ply.
                continue;
            }
            let set = self.target_set(ball, with_stone);
            if last != Some(set) {
                join::<Q>(found, self.target_pool.set(set));
            }
            last = Some(set);
        }
        new_members(found, known)
    }
}

/// One slice of a ply, to run for an instruction set.
pub struct SliceSweep<'a, 'p, Q, R> {
    pub ply: &'a PlyInput<'p>,
    pub slice: usize,
    /// Receives the positions that this ply decides.
    pub known: &'a mut [BlockState],
    /// Receives, for each block of the slice, the ball squares that gained.
    pub gained: &'a mut [Balls],
    pub scratch: &'a mut Scratch,
    /// Receives the new members of every block that gains.
    pub report: R,
    pub quantifier: PhantomData<Q>,
}

impl<Q: Combination, R: FnMut(&Block)> Work for SliceSweep<'_, '_, Q, R> {
    #[inline(always)]
    fn run(mut self) {
        self.gained.fill(0);
        let first = self.slice << self.ply.layout.slice_bits();
        for (dirty, high) in self.scratch.dirty.iter_mut().zip(first..) {
            *dirty = self.ply.dirty(high);
        }
        if self.scratch.dirty.iter().all(|dirty| dirty.any == 0) {
            return;
        }
        for block in 0..self.gained.len() {
            let (dirty, high) = (self.scratch.dirty[block], first + block);
            // Later blocks of the slice read the entry of this one only if its lowest bit is clear.
            if dirty.any != 0 || block & 1 == 0 {
                self.scratch.entries[block] = self.ply.left_inside::<Q>(high, &mut self.scratch.left_jumps);
            }
            if dirty.any != 0 {
                self.far_balls(high, dirty);
                self.near_balls(high, dirty);
            }
        }
    }
}

impl<Q: Combination, R: FnMut(&Block)> SliceSweep<'_, '_, Q, R> {
    /// Returns the index in the slice of block number `high` of a ball square.
    #[inline(always)]
    fn place(&self, ball: usize, high: usize) -> usize {
        self.ply
            .layout
            .place_in_slice(ball, high & (self.gained.len() - 1))
    }

    /// Processes balls on square 12 and beyond: their jumps walk over block numbers.
    #[inline(always)]
    fn far_balls(&mut self, high: usize, dirty: Dirty) {
        let mut rest = dirty.any & balls(BLOCK_BITS, self.ply.last_ball());
        while rest != 0 {
            let ball = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            if self.cannot_gain(ball, high) {
                continue;
            }
            let mut found = Q::NEUTRAL_BLOCK;
            self.ply.join_right_walk::<Q>(ball, high, &mut found);
            if ball == BLOCK_BITS {
                join::<Q>(&mut found, &self.scratch.left_jumps[ball]);
            } else {
                (self.ply).join_left_walk::<Q>(ball, high, &self.scratch.entries, &mut found);
            }
            self.settle(high, ball, found);
        }
    }

    /// Processes balls before square 12: their jumps to the right follow the recurrence from its
    /// entry.
    #[inline(always)]
    fn near_balls(&mut self, high: usize, dirty: Dirty) {
        let inside = self.ply.last_ball().min(BLOCK_BITS - 1);
        if dirty.any & balls(1, inside) == 0 {
            return;
        }
        // For 'some turn', jumps with unchanged inputs were joined in an earlier ply.
        let with_jumps = Q::NEUTRAL != 0 || dirty.inside;
        let mut ahead = if with_jumps {
            self.ply.right_entry::<Q>(high)
        } else {
            RIGHT_HOME
        };
        for ball in (1..=inside).rev() {
            let mut found = Q::NEUTRAL_BLOCK;
            if with_jumps {
                found = self.scratch.left_jumps[ball];
                let (above, jump) = hop::<Q>(ball, &ahead);
                join::<Q>(&mut found, &jump);
                ahead = Flight {
                    above,
                    on: joined::<Q>(self.ply.target(ball, high), &jump),
                };
            }
            if dirty.any >> ball & 1 == 1 && !self.cannot_gain(ball, high) {
                self.settle(high, ball, found);
            }
        }
    }

    #[inline(always)]
    fn cannot_gain(&self, ball: usize, high: usize) -> bool {
        self.ply.known_pool.set_of(self.known[self.place(ball, high)]) == SetId::FULL
    }

    /// Joins the placements to `found`, which holds the jumps, and records the new members.
    #[inline(always)]
    fn settle(&mut self, high: usize, ball: usize, mut found: Block) {
        let (place, pool) = (self.place(ball, high), self.ply.known_pool);
        let state = &mut self.known[place];
        let known = pool.set(pool.set_of(*state));
        let new = (self.ply).join_placements::<Q>(ball, high, known, &mut found);
        if let Some(new) = new {
            *state = pool.extend(*state, &joined::<AnyTurn>(known, &new), &mut self.scratch.recent);
            self.gained[high & (self.gained.len() - 1)] |= 1 << ball;
            (self.report)(&new);
        }
    }
}

//! One ply over one slice: which positions does this ply decide?
//!
//! Two planes are kept, both of *Left wins*: one with Left to move (some turn must lead into the other plane), one
//! with Right to move (every turn must). A ply reads one plane and adds to the other, so nothing is mirrored and a
//! position found at ply d is decided in exactly d plies.
//!
//! For one value of the high pattern bits, all ball squares are done together, because the jump recurrence runs from
//! ball to ball. With `on[b]` the set with the ball on b, `jump[b]` what a jump from b reaches and `above[b]` what a
//! ball in flight above b reaches, jumps to the right are
//!
//! ```text
//!     jump[b]  = stone(b+1) ∧ above[b+1]
//!     above[b] = jump[b] ∨ (empty(b+1) ∧ (on ∨ jump)[b+1])          above[n−1] = on[n−1] = Left wins
//! ```
//!
//! (∨ becomes ∧ under 'every turn'). Square b+1 is pattern bit b, so while b < 12 a step of the recurrence moves bits
//! within a block ([`hop`]). For b ≥ 12 the stones jumped over are in the block's number, so the chain of landings
//! is a short walk over integers ([`RightWalk`]) that joins whole blocks. To the left the same holds from the
//! other end: the recurrence runs inside blocks up to ball 12, and balls beyond walk down to it ([`LeftWalk`]).
//! A leftward walk that passes ball 12 needs the flight at ball 12 of a block whose number has bits cleared; that is
//! either an earlier block of the same slice or the first block of another slice, kept in [`Ply::entries`].

use super::block::{AnyTurn, BLOCK_BITS, Block, Flight, Quantifier, hop, join, joined, news};
use super::layout::DenseLayout;
use super::pool::{Pool, Recent, SetId, State};
use super::walk::{Landing, LeftWalk, RightWalk};
use crate::games::rules::Rules;
use crate::outcome::Side;
use crate::solve::simd::Work;
use std::marker::PhantomData;

/// A set of ball squares, bit `b` for square b.
pub type Balls = u64;

/// The Left goal: a ball in flight above it, or on it, has lost for Left.
const LEFT_HOME: Flight = Flight {
    above: Block::EMPTY,
    on: Block::EMPTY,
};
/// The Right goal: Left wins there.
const RIGHT_HOME: Flight = Flight {
    above: Block::FULL,
    on: Block::FULL,
};

/// What one ply reads.
pub struct Ply<'a> {
    /// The shape of both planes.
    pub layout: DenseLayout,
    /// Whose jumps go where.
    pub rules: Rules,
    /// The plane that turns lead into.
    pub target: &'a [State],
    /// What its states stand for.
    pub target_pool: &'a Pool,
    /// What the states of the plane that grows stand for.
    pub known_pool: &'a Pool,
    /// For each block number, the ball squares whose block of `target` changed in the ply before;
    /// `None` if everything is to be taken as changed.
    pub changed: Option<&'a [Balls]>,
    /// For each slice, the leftward flight at ball 12 of its first block.
    pub entries: &'a [Flight],
}

/// Memory that a thread reuses from slice to slice.
pub struct Scratch {
    /// What a jump to the left reaches, by ball square, for balls up to 12.
    left_jumps: Vec<Block>,
    /// The leftward flight at ball 12 for the blocks of the slice done so far.
    entries: Vec<Flight>,
    /// What changed under each block of the slice.
    dirty: Vec<Dirty>,
    /// States met in this ply.
    recent: Recent,
}

impl Scratch {
    /// Scratch for one layout.
    pub fn new(layout: &DenseLayout) -> Scratch {
        Scratch {
            left_jumps: vec![Block::EMPTY; BLOCK_BITS + 1],
            entries: vec![LEFT_HOME; 1 << layout.slice_bits()],
            dirty: vec![Dirty::ALL; 1 << layout.slice_bits()],
            recent: Recent::default(),
        }
    }
}

/// Which inputs of one block number changed.
#[derive(Clone, Copy)]
struct Dirty {
    /// Ball squares with a changed input of any kind.
    any: Balls,
    /// Whether a jump inside blocks has a changed input.
    inside: bool,
}

impl Dirty {
    const ALL: Dirty = Dirty {
        any: Balls::MAX,
        inside: true,
    };
}

/// The ball squares `from ..= to`.
fn balls(from: usize, to: usize) -> Balls {
    if from > to {
        0
    } else {
        (Balls::MAX >> (63 - to)) & (Balls::MAX << from)
    }
}

impl Ply<'_> {
    /// The set of the target plane for a ball square and a block number.
    #[inline(always)]
    fn target_set(&self, ball: usize, high: usize) -> SetId {
        self.target_pool
            .set_of(self.target[self.layout.place(ball, high)])
    }

    /// The members of that set.
    #[inline(always)]
    fn target(&self, ball: usize, high: usize) -> &Block {
        self.target_pool.set(self.target_set(ball, high))
    }

    /// Whether the player to move may jump towards this end: 'some turn' is asked for Left, 'every turn' for Right.
    #[inline(always)]
    fn jumps<Q: Quantifier>(&self, end: Side) -> bool {
        let mover = if Q::NEUTRAL == 0 { Side::Left } else { Side::Right };
        self.rules.allow(mover, Some(end.opponent()))
    }

    #[inline(always)]
    fn changed(&self, ball: usize, high: usize) -> bool {
        self.changed.is_none_or(|changed| changed[high] >> ball & 1 == 1)
    }

    /// The highest ball square.
    #[inline(always)]
    fn last_ball(&self) -> usize {
        self.layout.length() - 2
    }

    /// The leftward flight at ball 12 (or at the last ball, if that comes first) of block number `high`, with the jumps
    /// of all balls up to there in `jumps`.
    #[inline(always)]
    fn left_inside<Q: Quantifier>(&self, high: usize, jumps: &mut [Block]) -> Flight {
        if !self.jumps::<Q>(Side::Left) {
            jumps.fill(Q::NEUTRAL_BLOCK);
            return LEFT_HOME;
        }
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

    /// The flight that [`Ply::entries`] keeps for one slice.
    #[inline(always)]
    pub fn entry<Q: Quantifier>(&self, slice: usize, scratch: &mut Scratch) -> Flight {
        self.left_inside::<Q>(slice << self.layout.slice_bits(), &mut scratch.left_jumps)
    }

    /// Joins what a jump to the right from `ball` ≥ 12 reaches, if the player may make it.
    #[inline(always)]
    fn join_right_walk<Q: Quantifier>(&self, ball: usize, high: usize, into: &mut Block) {
        if !self.jumps::<Q>(Side::Right) {
            return;
        }
        for landing in RightWalk::new(ball, high, self.layout.pattern_bits()) {
            match landing {
                Landing::Ball(ball, high) => join::<Q>(into, self.target(ball, high)),
                _ => join::<Q>(into, &RIGHT_HOME.on),
            }
        }
    }

    /// Joins what a jump to the left from `ball` > 12 reaches, if the player may make it.
    #[inline(always)]
    fn join_left_walk<Q: Quantifier>(
        &self,
        ball: usize,
        high: usize,
        own_entries: &[Flight],
        into: &mut Block,
    ) {
        if !self.jumps::<Q>(Side::Left) {
            return;
        }
        for landing in LeftWalk::new(ball, high) {
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

    /// The leftward flight at ball 12 of block number `to`, as block number `from` needs it.
    #[inline(always)]
    fn entry_of<'e>(&'e self, to: usize, from: usize, own_entries: &'e [Flight]) -> &'e Flight {
        let bits = self.layout.slice_bits();
        if to >> bits == from >> bits {
            &own_entries[to & ((1 << bits) - 1)]
        } else {
            &self.entries[to >> bits]
        }
    }

    /// The rightward flight at ball 12, from which the recurrence inside the block starts.
    #[inline(always)]
    fn right_entry<Q: Quantifier>(&self, high: usize) -> Flight {
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

    /// Which inputs of block number `high` changed in the ply before.
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
            for landing in RightWalk::new(ball, high, self.layout.pattern_bits()) {
                if let Landing::Ball(to, high) = landing {
                    walks |= (changed[high] >> to & 1) << ball;
                }
            }
        }
        let right_inside =
            own & balls(2, BLOCK_BITS + 1) != 0 || walks & balls(BLOCK_BITS, BLOCK_BITS + 1) != 0;
        for ball in BLOCK_BITS + 1..=last {
            for landing in LeftWalk::new(ball, high) {
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

    /// Does one slice of the ply: adds to `known` the positions that this ply decides.
    ///
    /// `report` gets the new members of every block that gains some. `gained` gets, for each block of the slice, the
    /// ball squares that gained.
    #[inline(always)]
    pub fn sweep<Q: Quantifier>(
        &self,
        slice: usize,
        known: &mut [State],
        gained: &mut [Balls],
        scratch: &mut Scratch,
        report: impl FnMut(&Block),
    ) {
        gained.fill(0);
        let first = slice << self.layout.slice_bits();
        let mut active = false;
        for (block, dirty) in scratch.dirty.iter_mut().enumerate() {
            *dirty = self.dirty(first + block);
            active |= dirty.any != 0;
        }
        if !active {
            return;
        }
        let mut sweep = SliceSweep {
            ply: self,
            known,
            gained,
            report,
        };
        for block in 0..1 << self.layout.slice_bits() {
            let dirty = scratch.dirty[block];
            // Later blocks of the slice come back to the entry of this one only if its lowest bit is clear.
            if dirty.any != 0 || block & 1 == 0 {
                scratch.entries[block] = self.left_inside::<Q>(first + block, &mut scratch.left_jumps);
            }
            if dirty.any != 0 {
                sweep.far_balls::<Q>(first, block, dirty, scratch);
                sweep.near_balls::<Q>(first, block, dirty, scratch);
            }
        }
    }
}

/// One call of [`Ply::sweep`], as work for an instruction set.
pub struct Slice<'a, 'p, Q, R> {
    pub ply: &'a Ply<'p>,
    pub slice: usize,
    pub known: &'a mut [State],
    pub gained: &'a mut [Balls],
    pub scratch: &'a mut Scratch,
    pub report: R,
    pub quantifier: PhantomData<Q>,
}

impl<Q: Quantifier, R: FnMut(&Block)> Work for Slice<'_, '_, Q, R> {
    #[inline(always)]
    fn run(self) {
        (self.ply).sweep::<Q>(self.slice, self.known, self.gained, self.scratch, self.report);
    }
}

/// The state of one call of [`Ply::sweep`].
struct SliceSweep<'a, 'p, R> {
    ply: &'a Ply<'p>,
    known: &'a mut [State],
    gained: &'a mut [Balls],
    report: R,
}

impl<R: FnMut(&Block)> SliceSweep<'_, '_, R> {
    /// Balls on square 12 and beyond: their jumps walk over block numbers.
    #[inline(always)]
    fn far_balls<Q: Quantifier>(&mut self, first: usize, block: usize, dirty: Dirty, scratch: &mut Scratch) {
        let high = first + block;
        let mut rest = dirty.any & balls(BLOCK_BITS, self.ply.last_ball());
        while rest != 0 {
            let ball = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            if self.cannot_gain(ball, block) {
                continue;
            }
            let mut found = Q::NEUTRAL_BLOCK;
            self.ply.join_right_walk::<Q>(ball, high, &mut found);
            if ball == BLOCK_BITS {
                join::<Q>(&mut found, &scratch.left_jumps[ball]);
            } else {
                self.ply
                    .join_left_walk::<Q>(ball, high, &scratch.entries, &mut found);
            }
            self.settle::<Q>(first, block, ball, found, &mut scratch.recent);
        }
    }

    /// Balls before square 12: their jumps to the right run down the recurrence from its entry.
    #[inline(always)]
    fn near_balls<Q: Quantifier>(&mut self, first: usize, block: usize, dirty: Dirty, scratch: &mut Scratch) {
        let high = first + block;
        let inside = self.ply.last_ball().min(BLOCK_BITS - 1);
        if dirty.any & balls(1, inside) == 0 {
            return;
        }
        // Under 'some turn', jumps whose targets have not changed were joined in an earlier ply.
        let with_jumps = Q::NEUTRAL != 0 || dirty.inside;
        let to_right = with_jumps && self.ply.jumps::<Q>(Side::Right);
        let mut ahead = if to_right {
            self.ply.right_entry::<Q>(high)
        } else {
            RIGHT_HOME
        };
        for ball in (1..=inside).rev() {
            let mut found = Q::NEUTRAL_BLOCK;
            if with_jumps {
                found = scratch.left_jumps[ball];
            }
            if to_right {
                let (above, jump) = hop::<Q>(ball, &ahead);
                join::<Q>(&mut found, &jump);
                ahead = Flight {
                    above,
                    on: joined::<Q>(self.ply.target(ball, high), &jump),
                };
            }
            if dirty.any >> ball & 1 == 1 && !self.cannot_gain(ball, block) {
                self.settle::<Q>(first, block, ball, found, &mut scratch.recent);
            }
        }
    }

    /// Whether every position of the block is known already.
    #[inline(always)]
    fn cannot_gain(&self, ball: usize, block: usize) -> bool {
        let state = self.known[self.ply.layout.place_in_slice(ball, block)];
        self.ply.known_pool.set_of(state) == SetId::FULL
    }

    /// Completes `found`, which holds the jumps, with the placements, and records what is new.
    #[inline(always)]
    fn settle<Q: Quantifier>(
        &mut self,
        first: usize,
        block: usize,
        ball: usize,
        mut found: Block,
        recent: &mut Recent,
    ) {
        let state = &mut self.known[self.ply.layout.place_in_slice(ball, block)];
        let pool = self.ply.known_pool;
        let known = pool.set(pool.set_of(*state));
        let new = self
            .ply
            .join_placements::<Q>(ball, first + block, known, &mut found);
        if let Some(new) = new {
            *state = pool.advance(*state, &joined::<AnyTurn>(known, &new), recent);
            self.gained[block] |= 1 << ball;
            (self.report)(&new);
        }
    }
}

impl Ply<'_> {
    /// Joins what placing a stone leads to, and returns the members that are not in `known`.
    #[inline(always)]
    fn join_placements<Q: Quantifier>(
        &self,
        ball: usize,
        high: usize,
        known: &Block,
        found: &mut Block,
    ) -> Option<Block> {
        let every = Q::NEUTRAL != 0;
        let own = self.target_set(ball, high);
        join::<Q>(found, self.target_pool.placed(own));
        // No block is joined twice in a row: under 'every turn' an empty set ends the loop by itself.
        let mut last = None;
        let mut empty = !high & ((1 << self.layout.high_bits()) - 1);
        while empty != 0 {
            let with_stone = high | (empty & empty.wrapping_neg());
            empty &= empty - 1;
            if every {
                // What one turn denies, no other turn brings back.
                news(found, known)?;
            } else if !self.changed(ball, with_stone) {
                // Under 'some turn', what has not changed was joined in an earlier ply.
                continue;
            }
            let set = self.target_set(ball, with_stone);
            if last != Some(set) {
                join::<Q>(found, self.target_pool.set(set));
            }
            last = Some(set);
        }
        news(found, known)
    }
}

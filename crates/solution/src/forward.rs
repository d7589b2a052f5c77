//! The forward value of half strips, which decides strips of any length in the ordinary game
//! (docs/PROOF.md, Theorems F and T').
//!
//! A half is read from the goal line to the ball. Let V be its forward value and p its
//! [potential](super::directional). Left to move wins a strip with halves g and h if V(h) ≤ p(g);
//! with Right to move Left wins if V(h) < p(g). Forward turns suffice. A *closed* beginning of a
//! half, which ends in a stone, can be cut off: the rest has the same winner for either player to
//! move, and needs as many backward turns.

use super::directional::automaton::PotentialState;
use phutbase_base::outcome::Side;
use phutbase_rules::strip::Halves;
use std::hint::select_unpredictable;

/// The state of the automaton that computes the forward value. It reads one square at a time.
///
/// A *block* begins with the second square of a pair of empty squares and has no such pair itself:
/// `.o`, `.oo.o`. A *hole* is an empty square of a block from its fourth square on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ForwardState {
    /// The excess e: 0 if the squares read are closed, then one more for each empty square.
    excess: u32,
    /// Number of empty squares read last, at most 2.
    run: u32,
    /// The forward value before the last block; 0 if there was none.
    before: u32,
    /// Length of the last block. A stone limits it to the greater of 3 and 4 `before` − 1, the length
    /// from which on the block is closed; an empty square adds one.
    block: u32,
    class: Class,
    /// Number of stones read last, at most 2.
    stones: u32,
}

/// The class of a block; all but the first are numbered as in the documentation, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Class {
    /// No stone was read yet.
    Empty,
    /// The block is `.o`.
    Two,
    /// It has three squares or more.
    Long,
    /// It has a hole, and a stone after it.
    Hole,
}

impl Class {
    /// Returns the number that is subtracted from 4t, where t is the forward value before the
    /// block.
    fn reduction(self) -> u32 {
        2 + 2 * (self.max(Class::Two) as u32)
    }
}

impl ForwardState {
    /// The state before the first square.
    pub const START: ForwardState = ForwardState {
        excess: 0,
        run: 0,
        before: 0,
        block: 0,
        class: Class::Empty,
        stones: 0,
    };

    /// Returns the state after one more square, a stone or an empty one. Branches would be
    /// mispredicted on every other square.
    #[inline]
    pub fn step(self, stone: bool) -> ForwardState {
        let (after_stone, after_empty) = (self.stone(), self.empty());
        ForwardState {
            excess: select_unpredictable(stone, after_stone.excess, after_empty.excess),
            run: select_unpredictable(stone, after_stone.run, after_empty.run),
            before: select_unpredictable(stone, after_stone.before, after_empty.before),
            block: select_unpredictable(stone, after_stone.block, after_empty.block),
            class: select_unpredictable(stone, after_stone.class, after_empty.class),
            stones: select_unpredictable(stone, after_stone.stones, after_empty.stones),
        }
    }

    #[inline]
    fn empty(self) -> ForwardState {
        // A second empty square begins a block. The excess after the first is not 0.
        let begins = self.run > 0;
        ForwardState {
            excess: self.excess + 1,
            run: (self.run + 1).min(2),
            before: select_unpredictable(begins, 1 + (self.excess + 1) / 4, self.before),
            block: select_unpredictable(begins, 1, self.block + 1),
            class: select_unpredictable(begins, Class::Empty, self.class),
            stones: 0,
        }
    }

    #[inline]
    fn stone(self) -> ForwardState {
        // A longer block has the same excess and value.
        let before = self.before;
        let block = (self.block + 1).min((4 * before).max(4) - 1);
        let least = select_unpredictable(block >= 3, Class::Long, Class::Two);
        let fills_hole = self.run == 1 && self.class >= Class::Long;
        let class = select_unpredictable(fills_hole, Class::Hole, self.class.max(least));
        let is_closed = before <= 1 || block + 1 >= 4 * before;
        let open_excess = (4 * before).wrapping_sub(class.reduction());
        ForwardState {
            excess: select_unpredictable(is_closed, 0, open_excess),
            run: 0,
            before,
            block,
            class,
            stones: (self.stones + 1).min(2),
        }
    }

    /// Returns the forward value V of the squares read.
    #[inline]
    pub fn value(self) -> u32 {
        if self.excess > 0 {
            return 1 + (self.excess + 1) / 4;
        }
        let jumps = self.before <= (self.block + 1) / 4
            || (self.before == 2 && self.class == Class::Hole && self.stones >= 2);
        u32::from(!jumps)
    }

    /// Returns whether the squares read can be cut off in front of others. No square at all is
    /// closed, too.
    #[inline]
    pub fn is_closed(self) -> bool {
        self.excess == 0
    }
}

/// The numbers of a half strip that decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HalfValues {
    /// The potential p.
    pub potential: i64,
    /// The forward value V, at least the potential.
    pub forward: i64,
    /// The length of the longest closed beginning that leaves a square.
    pub closed: usize,
}

impl HalfValues {
    /// Reads a half from the goal line to the ball; true is a stone.
    pub fn of(squares: impl Iterator<Item = bool>) -> HalfValues {
        let (mut forward, mut potential) = (ForwardState::START, PotentialState::HOME);
        let (mut read, mut closed) = (0, 0);
        for stone in squares {
            // What was read so far leaves this square.
            if forward.is_closed() {
                closed = read;
            }
            forward = forward.step(stone);
            potential = potential.step(stone);
            read += 1;
        }
        HalfValues {
            potential: potential.potential(),
            forward: forward.value().into(),
            closed,
        }
    }

    /// Reads the left and the right half of a strip.
    pub fn both(strip: &impl Halves) -> [HalfValues; 2] {
        // Left's goal is at the right end.
        let read = |goal: Side| HalfValues::of(strip.towards(goal));
        [read(Side::Right), read(Side::Left)]
    }
}

/// Returns the player who wins with forward turns alone by Theorem F, from the values of the left and the
/// right half; `None` if it does not decide.
pub fn forward_winner(side: Side, [left, right]: [HalfValues; 2]) -> Option<Side> {
    let wins = |winner: Side, attacked: HalfValues, other: HalfValues| {
        let least_lead = if winner == side { 0 } else { 1 };
        (other.potential - attacked.forward >= least_lead).then_some(winner)
    };
    wins(Side::Left, right, left).or_else(|| wins(Side::Right, left, right))
}

//! Placing stones, all the way: both sets closed under placements in one recursion.
//!
//! Stones are only ever removed by jumps. So if it is known what *jumps* decide (`some`, the positions with Left to move that
//! are won whatever stone is placed, and `every`, those with Right to move where no jump saves Right), then placements decide
//! the rest bottom up, from the full strip to the empty one, each square once. Left places *forward* only, to the right of the
//! ball; Right places anywhere. Let S(some, every) be the pair
//!
//! ```text
//!     A = some ∪ {a forward placement leads into R}          R = every ∩ {all placements lead into A}
//! ```
//!
//! Look at a square that holds no ball. The boards with a stone there cannot gain another on it, so they are a problem of their
//! own, S of the stone children; and for the boards with the square empty, the placement on this very square is one turn
//! more, whose result is known by now:
//!
//! ```text
//!     (A₁, R₁) = S(some₁, every₁)
//!     (A₀, R₀) = S(some₀ ∪ R₁, every₀ ∩ A₁)     to the right of the ball
//!     (A₀, R₀) = S(some₀,      every₀ ∩ A₁)     to the left of it
//! ```
//!
//! When no square is left, S is the identity. If Left wins everything at once, or Right never loses, there is nothing to do.

use super::algebra::{Algebra, Operation, Quantifier};
use super::starts::Starts;
use super::store::{Halt, Id};

/// A set with Left to move and one with Right to move, both of 'Left wins'.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Left to move.
    pub left_to_move: Id,
    /// Right to move.
    pub right_to_move: Id,
}

impl Pair {
    /// Both sets.
    pub fn new(left_to_move: Id, right_to_move: Id) -> Pair {
        Pair {
            left_to_move,
            right_to_move,
        }
    }

    /// Left to move, Right to move.
    pub fn sets(&self) -> [Id; 2] {
        [self.left_to_move, self.right_to_move]
    }
}

/// Nothing is known.
impl Default for Pair {
    fn default() -> Pair {
        Pair::new(Id::BOTTOM, Id::BOTTOM)
    }
}

impl Algebra {
    /// S: what placements make of the boards that are decided without them. The sets' balls are on the squares that jumps start from.
    pub fn close(&self, jumps: Pair, from: &Starts) -> Result<Pair, Halt> {
        self.close_before_ball(0, jumps, from)
    }

    fn close_before_ball(&self, level: usize, jumps: Pair, from: &Starts) -> Result<Pair, Halt> {
        let Pair {
            left_to_move: some,
            right_to_move: every,
        } = jumps;
        if every == Id::BOTTOM || some == from.boards(level) {
            return Ok(jumps);
        }
        let key = Algebra::key_at(Operation::Close, Quantifier::Some, level, (some, every));
        if let Some((a, r)) = self.store.recall(key) {
            return Ok(Pair::new(a, r));
        }
        let (some, every) = (self.store.node(some), self.store.node(every));
        let stone = self.close_before_ball(level + 1, Pair::new(some.stone, every.stone), from)?;
        let every_empty = self.and(every.empty, stone.left_to_move)?;
        let empty = self.close_before_ball(level + 1, Pair::new(some.empty, every_empty), from)?;
        let ball = self.close_after_ball(level + 1, Pair::new(some.ball, every.ball))?;
        let a = (self.store).ternary(level, empty.left_to_move, stone.left_to_move, ball.left_to_move)?;
        let r = (self.store).ternary(
            level,
            empty.right_to_move,
            stone.right_to_move,
            ball.right_to_move,
        )?;
        self.store.remember(key, (a, r))?;
        Ok(Pair::new(a, r))
    }

    fn close_after_ball(&self, level: usize, jumps: Pair) -> Result<Pair, Halt> {
        let Pair {
            left_to_move: some,
            right_to_move: every,
        } = jumps;
        if every == Id::BOTTOM || some == Id::TOP || level == self.length() {
            return Ok(jumps);
        }
        let key = Algebra::key_at(Operation::Close, Quantifier::Every, level, (some, every));
        if let Some((a, r)) = self.store.recall(key) {
            return Ok(Pair::new(a, r));
        }
        let (some, every) = (self.store.halves(some, level), self.store.halves(every, level));
        let stone = self.close_after_ball(level + 1, Pair::new(some.1, every.1))?;
        let some_empty = self.or(some.0, stone.right_to_move)?;
        let every_empty = self.and(every.0, stone.left_to_move)?;
        let empty = self.close_after_ball(level + 1, Pair::new(some_empty, every_empty))?;
        let a = (self.store).binary(level, empty.left_to_move, stone.left_to_move)?;
        let r = (self.store).binary(level, empty.right_to_move, stone.right_to_move)?;
        self.store.remember(key, (a, r))?;
        Ok(Pair::new(a, r))
    }
}

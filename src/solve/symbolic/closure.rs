//! Placing stones, all the way: both sets closed under placements in one recursion.
//!
//! Stones are only ever removed by jumps. So if it is known what *jumps* decide (the *left seed* L, the positions with Left to move that
//! are won whatever stone is placed, and the *right bound* B, those with Right to move where no jump saves Right), then placements decide
//! the rest bottom up, from the full strip to the empty one, each square once. Left places *forward* only, to the right of the
//! ball; Right places anywhere. Let S(L, B) be the pair
//!
//! ```text
//!     A = L ∪ {a forward placement leads into R}          R = B ∩ {all placements lead into A}
//! ```
//!
//! Look at a square that holds no ball. The boards with a stone there cannot gain another on it, so they are a problem of their
//! own, S of the stone children; and for the boards with the square empty, the placement on this very square is one turn
//! more, whose result is known by now:
//!
//! ```text
//!     (A₁, R₁) = S(L₁, B₁)
//!     (A₀, R₀) = S(L₀ ∪ R₁, B₀ ∩ A₁)     to the right of the ball
//!     (A₀, R₀) = S(L₀,      B₀ ∩ A₁)     to the left of it
//! ```
//!
//! When no square is left, S is the identity. If Left wins everything at once, or Right never loses, there is nothing to do.

use super::algebra::{Algebra, Operation, Quantifier};
use super::cache::Key;
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

    /// The keys of both sets of a closure.
    #[inline]
    fn close_keys(level: usize, jumps: Pair, part: Quantifier) -> [Key; 2] {
        let operands = (jumps.left_to_move, jumps.right_to_move);
        [
            Algebra::key_at(Operation::CloseLeft, part, level, operands),
            Algebra::key_at(Operation::CloseRight, part, level, operands),
        ]
    }

    fn close_before_ball(&self, level: usize, jumps: Pair, from: &Starts) -> Result<Pair, Halt> {
        let Pair {
            left_to_move: left_seed,
            right_to_move: right_bound,
        } = jumps;
        if right_bound == Id::BOTTOM || left_seed == from.boards(level) {
            return Ok(jumps);
        }
        let keys = Algebra::close_keys(level, jumps, Quantifier::Some);
        if let Some([a, r]) = self.store.recall_both(keys) {
            return Ok(Pair::new(a, r));
        }
        let (left, right) = (self.store.node(left_seed), self.store.node(right_bound));
        let forks = self.forks_at(level);
        let ((stone, empty), ball) = Algebra::both(
            forks,
            || {
                let stone = self.close_before_ball(level + 1, Pair::new(left.stone, right.stone), from)?;
                let right_empty = self.combine::<false>(forks, right.empty, stone.left_to_move)?;
                let empty = self.close_before_ball(level + 1, Pair::new(left.empty, right_empty), from)?;
                Ok((stone, empty))
            },
            || self.close_after_ball(level + 1, Pair::new(left.ball, right.ball)),
        )?;
        let parts = |part: fn(&Pair) -> Id| (part(&empty), part(&stone), part(&ball));
        let ternary = |(empty, stone, ball)| self.store.ternary(level, empty, stone, ball);
        let a = ternary(parts(|pair| pair.left_to_move))?;
        let r = ternary(parts(|pair| pair.right_to_move))?;
        self.store.remember(keys[0], a)?;
        self.store.remember(keys[1], r)?;
        Ok(Pair::new(a, r))
    }

    fn close_after_ball(&self, level: usize, jumps: Pair) -> Result<Pair, Halt> {
        let Pair {
            left_to_move: left_seed,
            right_to_move: right_bound,
        } = jumps;
        if right_bound == Id::BOTTOM || left_seed == Id::TOP || level == self.length() {
            return Ok(jumps);
        }
        let keys = Algebra::close_keys(level, jumps, Quantifier::Every);
        if let Some([a, r]) = self.store.recall_both(keys) {
            return Ok(Pair::new(a, r));
        }
        let left = self.store.halves(left_seed, level);
        let right = self.store.halves(right_bound, level);
        let stone = self.close_after_ball(level + 1, Pair::new(left.1, right.1))?;
        let forks = self.forks_at(level);
        let (left_empty, right_empty) = Algebra::both(
            forks,
            || self.combine::<true>(forks, left.0, stone.right_to_move),
            || self.combine::<false>(forks, right.0, stone.left_to_move),
        )?;
        let empty = self.close_after_ball(level + 1, Pair::new(left_empty, right_empty))?;
        let a = (self.store).binary(level, empty.left_to_move, stone.left_to_move)?;
        let r = (self.store).binary(level, empty.right_to_move, stone.right_to_move)?;
        self.store.remember(keys[0], a)?;
        self.store.remember(keys[1], r)?;
        Ok(Pair::new(a, r))
    }
}

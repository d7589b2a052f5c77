//! Closure of both sets under placements, in one recursion.
//!
//! Only jumps remove stones. Given the results of *jumps* (the *left seed* L: the positions with
//! Left to move that are won after any placement, and the *right bound* B: those with Right to move
//! where no jump saves Right), placements determine the rest bottom up, from the full strip to the
//! empty one, each square once. Left places *forward* only, to the right of the ball; Right places
//! anywhere. Let S(L, B) be the pair
//!
//! ```text
//!     A = L ∪ {a forward placement leads into R}          R = B ∩ {all placements lead into A}
//! ```
//!
//! Consider a square without the ball. The boards with a stone there are an independent problem, S
//! of the stone children. For the boards with the square empty, the placement on this square is one
//! more turn, whose result is already known:
//!
//! ```text
//!     (A₁, R₁) = S(L₁, B₁)
//!     (A₀, R₀) = S(L₀ ∪ R₁, B₀ ∩ A₁)     to the right of the ball
//!     (A₀, R₀) = S(L₀,      B₀ ∩ A₁)     to the left of it
//! ```
//!
//! On no squares, S is the identity. It is also trivial if Left wins everything at once or Right
//! never loses. If the boards are read from the right, no placement after the ball is forward, so
//! that A = L there, and R needs only L: a recursion without this order, which threads can share.

use super::algebra::{Algebra, Operation, Quantifier};
use super::ball_set::BallSet;
use super::cache::Key;
use super::store::{Halt, Id, Store};
use num_bigint::BigUint;
use phutbase_sets::count::count;

/// A set with Left to move and one with Right to move; in both, Left wins. By default both are empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pair {
    /// Left to move.
    pub left_to_move: Id,
    /// Right to move.
    pub right_to_move: Id,
}

impl Pair {
    /// Returns the number of boards in both sets.
    pub fn boards(self, store: &Store) -> BigUint {
        count(store, self.left_to_move) + count(store, self.right_to_move)
    }

    /// Creates a pair.
    pub fn new(left_to_move: Id, right_to_move: Id) -> Pair {
        Pair {
            left_to_move,
            right_to_move,
        }
    }

    /// Returns the sets with Left to move and with Right to move.
    pub fn sets(&self) -> [Id; 2] {
        [self.left_to_move, self.right_to_move]
    }
}

/// Number of levels after the ball that fork: a closure has many such recursions, and most are short.
const FORKS: u32 = 8;

impl Algebra {
    /// Returns the keys of both sets of a closure.
    #[inline]
    fn close_keys(level: usize, jumps: Pair, part: Quantifier, from: &BallSet) -> [Key; 2] {
        let operands = (jumps.left_to_move, jumps.right_to_move);
        [
            from.directed_key_at(Operation::CloseLeft, part, level, operands),
            from.directed_key_at(Operation::CloseRight, part, level, operands),
        ]
    }

    pub(super) fn close_before_ball(&self, level: usize, jumps: Pair, from: &BallSet) -> Result<Pair, Halt> {
        let Pair {
            left_to_move: left_seed,
            right_to_move: right_bound,
        } = jumps;
        if right_bound == Id::BOTTOM || left_seed == from.boards(level) {
            return Ok(jumps);
        }
        let keys = Algebra::close_keys(level, jumps, Quantifier::Exists, from);
        if let Some([a, r]) = self.store.recall_both(keys) {
            return Ok(Pair::new(a, r));
        }
        let (left, right) = (self.store.node(left_seed), self.store.node(right_bound));
        let stone = self.close_before_ball(level + 1, Pair::new(left.stone, right.stone), from)?;
        let joined = self.with_stone(from.is_mirrored(), Pair::new(left.empty, right.empty), stone)?;
        let empty = self.close_before_ball(level + 1, joined, from)?;
        let ball = self.close_after_ball(level + 1, Pair::new(left.ball, right.ball), from)?;
        let parts = |part: fn(&Pair) -> Id| (part(&empty), part(&stone), part(&ball));
        let a = (self.store).ternary_like(left_seed, level, parts(|pair| pair.left_to_move))?;
        let r = (self.store).ternary_like(right_bound, level, parts(|pair| pair.right_to_move))?;
        self.store.remember(keys[0], a)?;
        self.store.remember(keys[1], r)?;
        Ok(Pair::new(a, r))
    }

    /// Returns the seed and the bound of the boards with an empty square, given the result for
    /// those with a stone there.
    #[inline(always)]
    pub(super) fn with_stone(&self, forward: bool, empty: Pair, stone: Pair) -> Result<Pair, Halt> {
        let left = if forward {
            self.combine::<true>(0, empty.left_to_move, stone.right_to_move)?
        } else {
            empty.left_to_move
        };
        let right = self.combine::<false>(0, empty.right_to_move, stone.left_to_move)?;
        Ok(Pair::new(left, right))
    }

    pub(super) fn close_after_ball(&self, level: usize, jumps: Pair, from: &BallSet) -> Result<Pair, Halt> {
        let Pair {
            left_to_move: left_seed,
            right_to_move: right_bound,
        } = jumps;
        if right_bound == Id::BOTTOM || left_seed == Id::TOP || level == self.length() {
            return Ok(jumps);
        }
        if from.is_mirrored() {
            let forks = self.forks.min(FORKS);
            let sets = (right_bound, left_seed);
            let bound = self.place_after_ball(forks, Quantifier::ForAll, level, sets)?;
            return Ok(Pair::new(left_seed, bound));
        }
        let keys = Algebra::close_keys(level, jumps, Quantifier::ForAll, from);
        if let Some([a, r]) = self.store.recall_both(keys) {
            return Ok(Pair::new(a, r));
        }
        let left = self.store.halves(left_seed, level);
        let right = self.store.halves(right_bound, level);
        let stone = self.close_after_ball(level + 1, Pair::new(left.1, right.1), from)?;
        let joined = self.with_stone(true, Pair::new(left.0, right.0), stone)?;
        let empty = self.close_after_ball(level + 1, joined, from)?;
        let halves = |part: fn(&Pair) -> Id| (part(&empty), part(&stone));
        let a = (self.store).binary_like(left_seed, level, halves(|pair| pair.left_to_move))?;
        let r = (self.store).binary_like(right_bound, level, halves(|pair| pair.right_to_move))?;
        self.store.remember(keys[0], a)?;
        self.store.remember(keys[1], r)?;
        Ok(Pair::new(a, r))
    }
}

//! The ball squares for which jumps and the following placements are computed.

use super::algebra::{Algebra, Operation, Quantifier};
use super::cache::Key;
use super::store::{Halt, Id};
use std::ops::RangeInclusive;

/// Most squares of a set.
pub const MOST_BALLS: usize = 63;

/// A set of neighbouring ball squares.
pub struct BallSet {
    first: usize,
    last: usize,
    /// True if square 0 of the diagrams is the last square of the strip, Left's goal.
    from_right: bool,
    /// For each square, the boards with the ball on a square of the set that is this one or to the
    /// right of it.
    boards: Vec<Id>,
}

impl BallSet {
    /// Returns whether the diagrams are read from the right end of the strip.
    pub(super) fn is_mirrored(&self) -> bool {
        self.from_right
    }

    /// Returns whether the set contains a square.
    pub(super) fn contains(&self, square: usize) -> bool {
        (self.first..=self.last).contains(&square)
    }

    /// Returns whether the set contains a square or one to the right of it.
    pub(super) fn reaches(&self, square: usize) -> bool {
        square <= self.last
    }

    /// Returns the boards with the ball on a square of the set, at or to the right of `level`.
    pub(super) fn boards(&self, level: usize) -> Id {
        self.boards[level]
    }

    /// Returns a key for an operation that depends on the level and on the ball squares.
    pub(super) fn key_at(
        &self,
        operation: Operation,
        q: Quantifier,
        level: usize,
        operands: (Id, Id),
    ) -> Key {
        // 8 bits for the first square, 6 for the number of squares.
        let balls = (self.first << 6 | (self.last + 1 - self.first)) as u32;
        let key = self.directed_key_at(operation, q, level, operands);
        Key {
            operation: balls << 13 | key.operation,
            ..key
        }
    }

    /// Returns a key for an operation that depends on the level and on the reading direction.
    pub(super) fn directed_key_at(
        &self,
        operation: Operation,
        q: Quantifier,
        level: usize,
        operands: (Id, Id),
    ) -> Key {
        let key = Algebra::key_at(operation, q, level, operands);
        Key {
            operation: u32::from(self.from_right) << 27 | key.operation,
            ..key
        }
    }

    /// Returns the result for no turns with the ball on a square: the identity of the quantifier's
    /// join if the set contains the square.
    pub(super) fn identity_at(&self, q: Quantifier, square: usize) -> Id {
        if self.contains(square) {
            Algebra::identity(q)
        } else {
            Id::BOTTOM
        }
    }

    /// Returns the result for no turns on all boards with the ball at or to the right of `level`.
    pub(super) fn identity(&self, q: Quantifier, level: usize) -> Id {
        match q {
            Quantifier::Exists => Id::BOTTOM,
            Quantifier::ForAll => self.boards[level],
        }
    }
}

impl Algebra {
    /// Creates a set of ball squares, for diagrams read from the right if `from_right`.
    pub fn ball_set(&self, balls: &RangeInclusive<usize>, from_right: bool) -> Result<BallSet, Halt> {
        let mut boards = vec![Id::BOTTOM; self.length() + 1];
        for level in (0..self.length()).rev() {
            let ball = if balls.contains(&level) {
                Id::TOP
            } else {
                Id::BOTTOM
            };
            let later = boards[level + 1];
            boards[level] = self.store.ternary(level, later, later, ball)?;
        }
        assert!(
            balls.end() + 1 - balls.start() <= MOST_BALLS,
            "keys have 6 bits for their number"
        );
        Ok(BallSet {
            first: *balls.start(),
            last: *balls.end(),
            from_right,
            boards,
        })
    }
}

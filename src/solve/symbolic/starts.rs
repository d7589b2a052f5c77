//! Where jumps start: the ball squares for which jumps, and what placements make of them, are wanted.

use super::algebra::{Algebra, Operation, Quantifier};
use super::cache::Key;
use super::store::{Halt, Id};
use std::ops::RangeInclusive;

/// The ball squares that jumps start from.
pub struct Starts {
    first: usize,
    last: usize,
    /// For each square, every board with the ball on one of these squares, and on it or to the right of it.
    boards: Vec<Id>,
}

impl Starts {
    /// Whether jumps start from a square.
    pub(super) fn at(&self, square: usize) -> bool {
        (self.first..=self.last).contains(&square)
    }

    /// Whether jumps start from a square or from one to the right of it.
    pub(super) fn may_be_at(&self, square: usize) -> bool {
        square <= self.last
    }

    /// All boards from which jumps start, with the ball on a square or to the right of it.
    pub(super) fn boards(&self, level: usize) -> Id {
        self.boards[level]
    }

    /// A key for an operation that depends on the square and on where jumps start.
    pub(super) fn key_at(
        &self,
        operation: Operation,
        q: Quantifier,
        level: usize,
        operands: (Id, Id),
    ) -> Key {
        let balls = (self.first << 7 | self.last) as u32;
        let key = Algebra::key_at(operation, q, level, operands);
        Key {
            operation: balls << 13 | key.operation,
            ..key
        }
    }

    /// The neutral answer to 'does such a turn lead into the set?' with the ball on a square.
    pub(super) fn no_turn_on(&self, q: Quantifier, square: usize) -> Id {
        match self.at(square) {
            true => Algebra::no_turn(q),
            false => Id::BOTTOM,
        }
    }

    /// The same for all boards with the ball on a square or to the right of it.
    pub(super) fn no_turn(&self, q: Quantifier, level: usize) -> Id {
        match q {
            Quantifier::Some => Id::BOTTOM,
            Quantifier::Every => self.boards[level],
        }
    }
}

impl Algebra {
    /// The boards with the ball on some squares, for jumps and closures that start from these.
    pub fn starts(&self, balls: &RangeInclusive<usize>) -> Result<Starts, Halt> {
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
        Ok(Starts {
            first: *balls.start(),
            last: *balls.end(),
            boards,
        })
    }
}

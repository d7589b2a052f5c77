//! Sets as diagrams for both reading directions ([`phutbase_sets::mirror`]).

use super::algebra::{Algebra, Operation, balls_key};
use super::closure::Pair;
use super::store::{Halt, Id};
use phutbase_sets::View;
use phutbase_sets::mirror::Mirrored;
use std::ops::RangeInclusive;

/// A pair of sets as diagrams for both reading directions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Readings {
    /// Square 0 is the first square of the strip.
    pub from_left: Pair,
    /// Square 0 is the last square of the strip.
    pub from_right: Pair,
}

impl Readings {
    /// Returns a pair in both readings.
    pub fn of(algebra: &Algebra, from_left: Pair) -> Result<Readings, Halt> {
        let from_right = algebra.mirrored_pair(from_left)?;
        Ok(Readings {
            from_left,
            from_right,
        })
    }

    /// Returns the pair in one reading direction.
    pub fn reading(&self, from_right: bool) -> Pair {
        if from_right {
            self.from_right
        } else {
            self.from_left
        }
    }

    /// Returns the pair in one reading direction, to change it.
    pub fn reading_mut(&mut self, from_right: bool) -> &mut Pair {
        if from_right {
            &mut self.from_right
        } else {
            &mut self.from_left
        }
    }

    /// Copies the boards with the ball on some squares of one half of the strip to the other
    /// reading.
    pub fn copy(&mut self, algebra: &Algebra, squares: &RangeInclusive<usize>) -> Result<(), Halt> {
        let length = algebra.length();
        let (from_right, balls) = reading(length, squares);
        let seen_otherwise = mirrored_squares(length, &balls);
        let copy = |known: Id, other: Id| {
            let image = algebra.mirrored(algebra.only(known, &balls)?)?;
            algebra.replace(other, &seen_otherwise, image)
        };
        let (known, other) = (self.reading(from_right), self.reading_mut(!from_right));
        let (left, right) = algebra.both_forking(
            || copy(known.left_to_move, other.left_to_move),
            || copy(known.right_to_move, other.right_to_move),
        )?;
        *other = Pair::new(left, right);
        Ok(())
    }
}

/// Returns squares as numbered from the other end.
fn mirrored_squares(length: usize, squares: &RangeInclusive<usize>) -> RangeInclusive<usize> {
    length - 1 - squares.end()..=length - 1 - squares.start()
}

/// Returns whether boards with the ball on some squares are read from the right, which holds if
/// that end is nearer, with the squares numbered accordingly.
///
/// Before the ball every square has its own node, and a recursion meets many more pairs of nodes
/// than after it, so most of the time is spent before the ball.
pub fn reading(length: usize, balls: &RangeInclusive<usize>) -> (bool, RangeInclusive<usize>) {
    if balls.start() + balls.end() > length - 1 {
        (true, mirrored_squares(length, balls))
    } else {
        (false, balls.clone())
    }
}

impl Algebra {
    /// Returns the mirror images of both sets.
    pub fn mirrored_pair(&self, pair: Pair) -> Result<Pair, Halt> {
        let (left, right) = self.both_forking(
            || self.mirrored(pair.left_to_move),
            || self.mirrored(pair.right_to_move),
        )?;
        Ok(Pair::new(left, right))
    }

    /// Returns the mirror image of a set.
    pub fn mirrored(&self, set: Id) -> Result<Id, Halt> {
        self.mirrored_balls(set, &(1..=self.length() - 2))
    }

    /// Returns the mirror image of a set with the ball on these squares. If its words do not fit in
    /// memory, it is made of those for fewer ball squares.
    fn mirrored_balls(&self, set: Id, balls: &RangeInclusive<usize>) -> Result<Id, Halt> {
        if set == Id::BOTTOM {
            return Ok(set);
        }
        let (first, last) = (*balls.start(), *balls.end());
        let most = self.store.most_words_of_a_mirror();
        let charge = |words| match words > most && first < last {
            true => Err(Halt::Full),
            false => self.store.check_stop(),
        };
        let key = balls_key(Operation::Mirror, balls, set, Id::BOTTOM);
        self.store.once(key, || {
            let image = match Mirrored::new(&self.store, Id::BOTTOM, set, charge) {
                Err(Halt::Full) => None,
                image => Some(image?),
            };
            if let Some(image) = image {
                return self.build(&image);
            }
            let part = |balls| self.mirrored_balls(self.only(set, &balls)?, &balls);
            let middle = first.midpoint(last);
            self.or(part(first..=middle)?, part(middle + 1..=last)?)
        })
    }

    fn build(&self, image: &Mirrored) -> Result<Id, Halt> {
        image.build([Id::BOTTOM, Id::TOP], |node| match node {
            View::Ternary(level, [empty, stone, ball]) => self.store.ternary(level, empty, stone, ball),
            View::Binary(level, [empty, stone]) => self.store.binary(level, empty, stone),
            View::Bottom => Ok(Id::BOTTOM),
            View::Top => Ok(Id::TOP),
        })
    }
}

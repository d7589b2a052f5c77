//! Two-dimensional Phutball: the pitch of Sarkar, *Phutball draws*, and of Conway's original game.
//!
//! A pitch has `rows × columns` points; rows are numbered 1 … m from the bottom, columns a, b, c, …
//! from the left. The ball stands on a point, every other point is empty or holds a chap, and chaps
//! belong to neither player. A turn places a chap on an empty point, or jumps the ball one or more
//! times, each time in one of eight directions over a run of chaps to the first empty point beyond
//! it; the run is removed before the next jump. Alfred wins when a *turn ends* with the ball on the
//! top row or beyond it, Betty when it ends on the bottom row or beyond, whichever player made it.
//! A jump may not leave over a sideline; the corners belong to the goal lines.
//!
//! In the terms common to all games, Alfred is [`Side::Left`] and Betty [`Side::Right`]. A strip is
//! a pitch with one column, rotated.
//!
//! * [`Shape`] is a number of rows and columns, [`Points`] a set of points.
//! * [`Pitch`] is a position: shape, ball, chaps, player to move.
//! * [`Turn`] is a turn, identified by its result; [`Path`] is a way to make a jump, printed
//!   `a2-c4-c7`.
//! * [`PitchGame`] is the [`Game`](phutbase_base::game::Game) of one shape, with its perfect index.
//! * [`depths`] is the order of the values of a shape.

#![allow(missing_docs)]

pub mod certificate;
pub mod depths;
mod index;
mod notation;
mod points;
mod turns;

pub use index::{MAX_INDEXED_POINTS, PitchGame, positions};
pub use notation::{side_letter, side_name};
pub use points::Points;
pub use turns::{After, Flight, Jump, Landing, MAX_BOARDS, Path, TooManyJumps, Turn};

use super::rules::Rules;
use phutbase_base::outcome::Side;

/// Fewest rows: two goal lines and one row between them.
pub const MIN_ROWS: usize = 3;
/// Most rows, and most columns.
pub const MAX_SIDE: usize = 19;

/// The size of a pitch.
///
/// Invariant: `MIN_ROWS ≤ rows ≤ MAX_SIDE` and `1 ≤ columns ≤ MAX_SIDE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shape {
    rows: u8,
    columns: u8,
}

/// One of the eight directions of a jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    N,
    NE,
    E,
    SE,
    S,
    SW,
    W,
    NW,
}

impl Direction {
    /// All directions, clockwise from the top.
    pub const ALL: [Direction; 8] = {
        use Direction::*;
        [N, NE, E, SE, S, SW, W, NW]
    };

    /// Returns the player whose goal the direction leads towards; `None` along a row.
    pub fn towards(self) -> Option<Side> {
        match self.step().0 {
            1 => Some(Side::Left),
            -1 => Some(Side::Right),
            _ => None,
        }
    }

    /// Returns one step in rows up and columns to the right.
    pub fn step(self) -> (isize, isize) {
        const UP: [isize; 8] = [1, 1, 0, -1, -1, -1, 0, 1];
        const RIGHT: [isize; 8] = [0, 1, 1, 1, 0, -1, -1, -1];
        (UP[self as usize], RIGHT[self as usize])
    }
}

/// Result of one step from a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Point(usize),
    /// Past a goal line: the goal of this player.
    Goal(Side),
    /// Past a sideline; no jump may go there.
    Sideline,
}

impl Shape {
    /// Creates a shape; `None` if it has too few or too many rows or columns.
    pub fn new(rows: usize, columns: usize) -> Option<Shape> {
        let fits = (MIN_ROWS..=MAX_SIDE).contains(&rows) && (1..=MAX_SIDE).contains(&columns);
        fits.then_some(Shape {
            rows: rows as u8,
            columns: columns as u8,
        })
    }

    pub fn rows(&self) -> usize {
        self.rows.into()
    }

    pub fn columns(&self) -> usize {
        self.columns.into()
    }

    pub fn points(&self) -> usize {
        self.rows() * self.columns()
    }

    /// Returns the number of a point, from its row (0 = bottom) and column (0 = leftmost): row by
    /// row from the bottom.
    pub fn point(&self, row: usize, column: usize) -> usize {
        row * self.columns() + column
    }

    /// Returns the row of a point, 0 = bottom.
    pub fn row(&self, point: usize) -> usize {
        point / self.columns()
    }

    /// Returns the column of a point, 0 = leftmost.
    pub fn column(&self, point: usize) -> usize {
        point % self.columns()
    }

    /// Returns the points outside the goal rows, where the ball may stand between turns.
    pub fn interior(&self) -> std::ops::Range<usize> {
        self.columns()..self.points() - self.columns()
    }

    /// Returns the player who wins when a turn ends with the ball on this point; `None` in the
    /// interior.
    pub fn winner_on(&self, point: usize) -> Option<Side> {
        match self.row(point) {
            0 => Some(Side::Right),
            row if row + 1 == self.rows() => Some(Side::Left),
            _ => None,
        }
    }

    /// Takes one step from a point. Past a corner lies the goal, not the sideline.
    pub fn step(&self, point: usize, direction: Direction) -> Step {
        let (up, right) = direction.step();
        let row = self.row(point).checked_add_signed(up);
        let column = self.column(point).checked_add_signed(right);
        match (row, column) {
            (None, _) => Step::Goal(Side::Right),
            (Some(row), _) if row == self.rows() => Step::Goal(Side::Left),
            (Some(row), Some(column)) if column < self.columns() => Step::Point(self.point(row, column)),
            _ => Step::Sideline,
        }
    }

    /// Walks from a point in a direction: the points in order, then the goal or the sideline.
    pub fn ray(self, from: usize, direction: Direction) -> impl Iterator<Item = Step> {
        std::iter::successors(Some(self.step(from, direction)), move |step| match step {
            Step::Point(point) => Some(self.step(*point, direction)),
            Step::Goal(_) | Step::Sideline => None,
        })
    }

    /// Returns the image of a point when the pitch is turned by half a turn.
    pub fn turned(&self, point: usize) -> usize {
        self.points() - 1 - point
    }

    /// Returns the mirror image of a point (left and right swapped).
    pub fn mirrored(&self, point: usize) -> usize {
        self.point(self.row(point), self.columns() - 1 - self.column(point))
    }
}

/// A position of the pitch.
///
/// Invariants: the ball is on an interior point; `chaps` contains neither the ball's point nor
/// points outside the shape.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pitch {
    shape: Shape,
    ball: u16,
    side: Side,
    rules: Rules,
    chaps: Points,
}

impl Pitch {
    /// Creates a position of the ordinary game; `None` if an invariant of the type does not hold.
    pub fn new(shape: Shape, ball: usize, chaps: Points, side: Side) -> Option<Pitch> {
        let fits = shape.interior().contains(&ball)
            && !chaps.contains(ball)
            && chaps.iter().all(|point| point < shape.points());
        fits.then_some(Pitch {
            shape,
            ball: ball as u16,
            side,
            rules: Rules::Ordinary,
            chaps,
        })
    }

    pub fn shape(&self) -> Shape {
        self.shape
    }

    pub fn ball(&self) -> usize {
        self.ball.into()
    }

    pub fn chaps(&self) -> &Points {
        &self.chaps
    }

    /// Returns the player to move.
    pub fn side(&self) -> Side {
        self.side
    }

    /// Returns the same board with `side` to move.
    pub fn with_side(self, side: Side) -> Pitch {
        Pitch { side, ..self }
    }

    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Returns the same board under these rules.
    pub fn under(self, rules: Rules) -> Pitch {
        Pitch { rules, ..self }
    }

    /// Returns the pitch turned round with the players swapped: the same game from the other end.
    pub fn turned(&self) -> Pitch {
        self.mapped(self.side.opponent(), |point| self.shape.turned(point))
    }

    /// Swaps left and right: the same game for the same players.
    pub fn mirrored(&self) -> Pitch {
        self.mapped(self.side, |point| self.shape.mirrored(point))
    }

    /// Returns this position, or the pitch turned round if Betty is to move; Alfred is to move in
    /// the result.
    pub fn normalised(&self) -> Pitch {
        match self.side {
            Side::Left => *self,
            Side::Right => self.turned(),
        }
    }

    fn mapped(&self, side: Side, place: impl Fn(usize) -> usize) -> Pitch {
        Pitch {
            shape: self.shape,
            ball: place(self.ball()) as u16,
            side,
            rules: self.rules,
            chaps: self.chaps.iter().map(place).collect(),
        }
    }
}

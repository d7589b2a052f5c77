//! Two-dimensional Phutball: the pitch of Sarkar, *Phutball draws*, and of Conway's original game.
//!
//! A pitch has `rows × columns` points; rows are numbered 1 … m from the bottom, columns a, b, c, … from the left. The
//! ball stands on a point, every other point is empty or holds a chap, and chaps belong to nobody. A turn places
//! a chap on an empty point, or jumps the ball one or more times, each time in one of eight directions over a run of
//! chaps to the first empty point beyond it; the run is removed before the next jump. Alfred wins when a *turn ends* with
//! the ball on the top row or beyond it, Betty when it ends on the bottom row or beyond, whoever made it. A jump may not
//! leave over a sideline; the corners belong to the goal lines.
//!
//! In the words that all games share, Alfred is [`Side::Left`] and Betty [`Side::Right`]. A strip is the pitch with one
//! column, seen lying on its left side.
//!
//! * [`Shape`] is a number of rows and columns, [`Points`] a set of points.
//! * [`Pitch`] is a position: shape, ball, chaps, player to move.
//! * [`Turn`] is a turn, known by what it leads to; [`Path`] is a way to make a jump, printed `a2-c4-c7`.
//! * [`PitchGame`] is the [`Game`](crate::game::Game) of one shape, with its perfect index.

pub mod certificate;
mod index;
mod notation;
mod points;
mod turns;

pub use index::{MAX_INDEXED_POINTS, PitchGame, positions};
pub use notation::{side_letter, side_name};
pub use points::Points;
pub use turns::{After, Flight, Jump, Landing, MAX_BOARDS, Path, TooManyJumps, Turn};

use super::rules::Rules;
use crate::outcome::Side;

/// The fewest rows: two goal lines and one row between them.
pub const MIN_ROWS: usize = 3;
/// The most rows, and the most columns.
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
    /// Up.
    N,
    /// Up and right.
    NE,
    /// Right.
    E,
    /// Down and right.
    SE,
    /// Down.
    S,
    /// Down and left.
    SW,
    /// Left.
    W,
    /// Up and left.
    NW,
}

impl Direction {
    /// All directions, clockwise from the top.
    pub const ALL: [Direction; 8] = [
        Direction::N,
        Direction::NE,
        Direction::E,
        Direction::SE,
        Direction::S,
        Direction::SW,
        Direction::W,
        Direction::NW,
    ];

    /// Whose goal it leads nearer to; `None` along a row.
    pub fn towards(self) -> Option<Side> {
        match self.step().0 {
            1 => Some(Side::Left),
            -1 => Some(Side::Right),
            _ => None,
        }
    }

    /// Rows up and columns to the right of one step.
    pub fn step(self) -> (isize, isize) {
        match self {
            Direction::N => (1, 0),
            Direction::NE => (1, 1),
            Direction::E => (0, 1),
            Direction::SE => (-1, 1),
            Direction::S => (-1, 0),
            Direction::SW => (-1, -1),
            Direction::W => (0, -1),
            Direction::NW => (1, -1),
        }
    }
}

/// What lies one step from a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Another point.
    Point(usize),
    /// Past a goal line: the goal of this player.
    Goal(Side),
    /// Past a sideline, where no jump may go.
    Sideline,
}

impl Shape {
    /// A shape; `None` if it has too few or too many rows or columns.
    pub fn new(rows: usize, columns: usize) -> Option<Shape> {
        let fits = (MIN_ROWS..=MAX_SIDE).contains(&rows) && (1..=MAX_SIDE).contains(&columns);
        fits.then_some(Shape {
            rows: rows as u8,
            columns: columns as u8,
        })
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows.into()
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns.into()
    }

    /// The number of points.
    pub fn points(&self) -> usize {
        self.rows() * self.columns()
    }

    /// The number of a point, from its row (0 = bottom) and column (0 = leftmost): row by row from the bottom.
    pub fn point(&self, row: usize, column: usize) -> usize {
        row * self.columns() + column
    }

    /// The row of a point, 0 = bottom.
    pub fn row(&self, point: usize) -> usize {
        point / self.columns()
    }

    /// The column of a point, 0 = leftmost.
    pub fn column(&self, point: usize) -> usize {
        point % self.columns()
    }

    /// The points that are on no goal row: where the ball may stand between turns.
    pub fn interior(&self) -> std::ops::Range<usize> {
        self.columns()..self.points() - self.columns()
    }

    /// The player who wins when a turn ends with the ball on this point; `None` in the interior.
    pub fn winner_on(&self, point: usize) -> Option<Side> {
        match self.row(point) {
            0 => Some(Side::Right),
            row if row + 1 == self.rows() => Some(Side::Left),
            _ => None,
        }
    }

    /// What lies one step from a point. Past a corner lies the goal, not the sideline.
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

    /// The point that lies here when the pitch is turned round (by half a turn).
    pub fn turned(&self, point: usize) -> usize {
        self.points() - 1 - point
    }

    /// The point that lies here in the mirror (left and right swapped).
    pub fn mirrored(&self, point: usize) -> usize {
        self.point(self.row(point), self.columns() - 1 - self.column(point))
    }
}

/// A position of the pitch.
///
/// Invariants: the ball is on an interior point, and `chaps` holds neither the ball's point nor points that the shape does
/// not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pitch {
    shape: Shape,
    ball: u16,
    side: Side,
    rules: Rules,
    chaps: Points,
}

impl Pitch {
    /// A position of the ordinary game from its parts; `None` if an invariant of the type does not hold.
    pub fn new(shape: Shape, ball: usize, chaps: Points, side: Side) -> Option<Pitch> {
        let fits = shape.interior().contains(&ball)
            && !chaps.contains(ball)
            && chaps.minus(&Points::first(shape.points())).is_empty();
        fits.then_some(Pitch {
            shape,
            ball: ball as u16,
            side,
            rules: Rules::Ordinary,
            chaps,
        })
    }

    /// The size of the pitch.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The ball's point.
    pub fn ball(&self) -> usize {
        self.ball.into()
    }

    /// The chaps.
    pub fn chaps(&self) -> &Points {
        &self.chaps
    }

    /// The player to move.
    pub fn side(&self) -> Side {
        self.side
    }

    /// The same board with `side` to move.
    pub fn with_side(self, side: Side) -> Pitch {
        Pitch { side, ..self }
    }

    /// The rules that it is played by.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The same board under these rules.
    pub fn under(self, rules: Rules) -> Pitch {
        Pitch { rules, ..self }
    }

    /// The pitch turned round and the players swapped: the same game seen from the other end.
    pub fn turned(&self) -> Pitch {
        self.mapped(self.side.opponent(), |point| self.shape.turned(point))
    }

    /// Left and right swapped: the same game for the same players.
    pub fn mirrored(&self) -> Pitch {
        self.mapped(self.side, |point| self.shape.mirrored(point))
    }

    /// This position, or the pitch turned round if Betty is to move: Alfred is to move in the result.
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

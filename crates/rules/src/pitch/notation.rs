//! Notation: rows from top to bottom separated by `/`, digits for runs of empty points, `o` chap,
//! `@` ball, and after a blank the player to move, `A` or `B`. Points are written `b3`, jumps as
//! the points that the ball visits, `a2-c4-c7`.
//!
//! Input also accepts `O` for a chap, `●` for the ball, `.` or `·` for one empty point, and no letter
//! for Alfred. A jump over a goal line ends with its direction, `c7-NE`, because it ends on no point.

use super::{
    After, Direction, Flight, Jump, Landing, MAX_SIDE, MIN_ROWS, Path, Pitch, Points, Shape, TooManyJumps,
    Turn,
};
use crate::{number, size, split_side};
use phutbase_base::outcome::{ParseError, Side};
use std::fmt;
use std::str::FromStr;

/// Returns a player's letter in notation: `A` or `B`.
pub fn side_letter(side: Side) -> char {
    match side {
        Side::Left => 'A',
        Side::Right => 'B',
    }
}

/// Returns a player's name: `Alfred` or `Betty`.
pub fn side_name(side: Side) -> &'static str {
    match side {
        Side::Left => "Alfred",
        Side::Right => "Betty",
    }
}

impl Shape {
    /// Returns the name of a point, such as `b3`.
    pub fn point_name(&self, point: usize) -> String {
        let column = char::from(b'a' + self.column(point) as u8);
        format!("{column}{}", self.row(point) + 1)
    }

    /// Finds the point with a name; `None` if the pitch has no such point.
    pub fn point_named(&self, name: &str) -> Option<usize> {
        let mut symbols = name.chars();
        let letter = symbols.next().filter(char::is_ascii_lowercase)?;
        let column = (letter as u8 - b'a') as usize;
        let digits = symbols.as_str();
        let row = number(digits).filter(|_| !digits.starts_with('0'))?;
        (column < self.columns() && (1..=self.rows()).contains(&row)).then(|| self.point(row - 1, column))
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows(), self.columns())
    }
}

impl FromStr for Shape {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Shape, ParseError> {
        size(text)
            .and_then(|(rows, columns)| Shape::new(rows, columns))
            .ok_or_else(|| {
                ParseError(format!(
                    "'{text}' is not the size of a pitch: write rows x columns, such as 7x4, with {MIN_ROWS} to {MAX_SIDE} rows and 1 to {MAX_SIDE} columns"
                ))
            })
    }
}

impl FromStr for Pitch {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Pitch, ParseError> {
        let (board, side) = split_side(text, ["A", "B"], "Alfred")?;
        let texts: Vec<&str> = board.split('/').collect();
        let rows = texts.len();
        let parsed: Vec<Row> = (texts.iter().zip((1..=rows).rev()))
            .map(|(text, row)| parse_row(text, row))
            .collect::<Result<_, _>>()?;
        let columns = parsed.first().map_or(0, |row| row.points);
        let shape = Shape::new(rows, columns).ok_or_else(|| {
            ParseError(format!(
                "a {rows}x{columns} pitch: pitches have {MIN_ROWS} to {MAX_SIDE} rows and 1 to {MAX_SIDE} columns"
            ))
        })?;
        let mut chaps = Points::EMPTY;
        let mut balls = Vec::new();
        for (row, line) in (0..rows).rev().zip(&parsed) {
            if line.points != columns {
                let (row, found) = (row + 1, line.points);
                return Err(ParseError(format!(
                    "row {row} has {found} points, but the top row has {columns}: all rows must be equally long"
                )));
            }
            line.chaps
                .iter()
                .for_each(|&column| chaps.insert(shape.point(row, column)));
            balls.extend(line.balls.iter().map(|&column| shape.point(row, column)));
        }
        let name = |point: usize| shape.point_name(point);
        let reason = match balls[..] {
            [] => format!("no ball in '{board}': write '@' on the point where it stands"),
            [ball] => match Pitch::new(shape, ball, chaps, side) {
                Some(pitch) => return Ok(pitch),
                None => format!(
                    "the ball stands on {}, on a goal row: it must stand between rows 1 and {rows}",
                    name(ball)
                ),
            },
            [first, second, ..] => format!(
                "two balls, on {} and {}: a pitch has one",
                name(first),
                name(second)
            ),
        };
        Err(ParseError(reason))
    }
}

/// One parsed row: its number of points, and the columns of chaps and balls.
#[derive(Default)]
struct Row {
    points: usize,
    chaps: Vec<usize>,
    balls: Vec<usize>,
}

fn parse_row(text: &str, row: usize) -> Result<Row, ParseError> {
    let mut parsed = Row::default();
    let mut run: Option<usize> = None;
    for symbol in text.chars() {
        if let Some(digit) = symbol.to_digit(10) {
            let longer = run.unwrap_or(0).saturating_mul(10).saturating_add(digit as usize);
            run = Some(longer);
            continue;
        }
        parsed.points = parsed.points.saturating_add(run.take().unwrap_or(0));
        match symbol {
            '.' | '·' => {}
            'o' | 'O' => parsed.chaps.push(parsed.points),
            '@' | '●' => parsed.balls.push(parsed.points),
            found => {
                let after = parsed.points;
                return Err(ParseError(format!(
                    "'{found}' in row {row} after {after} points is not a point: write 'o' for a chap, '@' for the ball, a number or '.' for empty points"
                )));
            }
        }
        parsed.points = parsed.points.saturating_add(1);
    }
    parsed.points = parsed.points.saturating_add(run.unwrap_or(0));
    Ok(parsed)
}

/// Writes the rows without the player to move.
fn write_board(f: &mut impl fmt::Write, shape: Shape, ball: Option<usize>, chaps: &Points) -> fmt::Result {
    for row in (0..shape.rows()).rev() {
        let mut empty = 0;
        for column in 0..shape.columns() {
            let point = shape.point(row, column);
            let symbol = if ball == Some(point) {
                "@"
            } else if chaps.contains(point) {
                "o"
            } else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            empty = 0;
            f.write_str(symbol)?;
        }
        if empty > 0 {
            write!(f, "{empty}")?;
        }
        if row > 0 {
            f.write_str("/")?;
        }
    }
    Ok(())
}

impl fmt::Debug for Pitch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{self}'{}", self.rules().remark())
    }
}

impl fmt::Display for Pitch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_board(f, self.shape(), Some(self.ball()), self.chaps())?;
        write!(f, " {}", side_letter(self.side()))
    }
}

impl After {
    /// Writes the board with the letter of `next`, the player to move if play goes on. A ball
    /// beyond a goal line is not drawn.
    pub fn notation(&self, next: Side) -> String {
        let (shape, ball, chaps) = match self {
            After::Position(pitch) => (pitch.shape(), Some(pitch.ball()), pitch.chaps()),
            After::Over {
                shape, ball, chaps, ..
            } => match *ball {
                Landing::Point(ball) => (*shape, Some(ball.into()), chaps),
                Landing::Off(_) => (*shape, None, chaps),
            },
        };
        let mut text = String::new();
        write_board(&mut text, shape, ball, chaps).expect("writing to a string cannot fail");
        format!("{text} {}", side_letter(next))
    }
}

impl Pitch {
    /// Writes a turn, a jump by a shortest path.
    pub fn turn_notation(&self, turn: &Turn) -> Result<String, TooManyJumps> {
        Ok(match turn {
            Turn::Place(point) => self.shape().point_name((*point).into()),
            // An illegal jump has no path and is written as the ball's point.
            Turn::Jump(jump) => self.path_notation(&self.path(jump)?.unwrap_or_default()),
        })
    }

    pub fn path_notation(&self, path: &Path) -> String {
        let mut text = self.shape().point_name(self.ball());
        for Flight { direction, to, .. } in path {
            text.push('-');
            match to {
                Landing::Point(point) => text += &self.shape().point_name((*point).into()),
                Landing::Off(_) => text += &format!("{direction:?}"),
            }
        }
        text
    }

    pub fn parse_turn(&self, turn: &str) -> Result<Turn, ParseError> {
        let no_point = |found: &str| {
            ParseError(format!(
                "'{found}' in '{turn}' is not a point of this pitch: write b3 for a chap there, a2-c4-c7 for a jump, c7-NE for a jump over a goal line"
            ))
        };
        let shape = self.shape();
        let mut parts = turn.split('-');
        let first = parts.next().unwrap_or("");
        let start = shape.point_named(first).ok_or_else(|| no_point(first))?;
        let rest: Vec<&str> = parts.collect();
        if rest.is_empty() {
            return if self.empty_points().any(|point| point == start) {
                Ok(Turn::Place(start as u16))
            } else {
                Err(ParseError(format!(
                    "no chap can be placed on {first}: it is not empty"
                )))
            };
        }
        if start != self.ball() {
            let ball = shape.point_name(self.ball());
            return Err(ParseError(format!(
                "'{turn}' begins on {first}, but the ball is on {ball}"
            )));
        }
        let mut jump = Jump {
            to: Landing::Point(start as u16),
            chaps: *self.chaps(),
        };
        let mut from = first;
        for part in rest {
            if shape.point_named(part).is_none() && direction_named(part).is_none() {
                return Err(no_point(part));
            }
            let no_jump = || format!("no jump from {from} to {part} in '{turn}'");
            jump = self.fly(jump, part).ok_or_else(|| ParseError(no_jump()))?;
            from = part;
        }
        Ok(Turn::Jump(jump))
    }

    /// Makes one flight to a named point, or over a goal line in a named direction.
    fn fly(&self, jump: Jump, part: &str) -> Option<Jump> {
        let Landing::Point(ball) = jump.to else {
            return None;
        };
        let shape = self.shape();
        let flight = self
            .flights(ball.into(), &jump.chaps)
            .find(|flight| match flight.to {
                Landing::Point(point) => shape.point_named(part) == Some(point.into()),
                Landing::Off(_) => direction_named(part) == Some(flight.direction),
            })?;
        Some(Jump {
            to: flight.to,
            chaps: jump.chaps.minus(&flight.over),
        })
    }
}

fn direction_named(name: &str) -> Option<Direction> {
    Direction::ALL
        .into_iter()
        .find(|direction| format!("{direction:?}") == name)
}

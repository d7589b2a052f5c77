//! Notation: rows from top to bottom split by `/`, digits for runs of empty points, `o` chap, `@` ball, and after a blank the
//! player to move, `A` or `B`; points as `b3`; a jump as the points that the ball visits, `a2-c4-c7`.
//!
//! Input also takes `O` for a chap, `.` for one empty point, and no letter for Alfred. A jump over a goal line ends with
//! its direction, `c7-NE`: there is not a point to name.

use super::{
    After, Direction, Flight, Jump, Landing, MAX_SIDE, MIN_ROWS, Path, Pitch, Points, Shape, TooManyJumps,
    Turn,
};
use crate::outcome::Side;
use std::fmt;
use std::str::FromStr;

/// Why a text is not a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParsePitchError {
    /// A character that stands for no point.
    #[error(
        "'{found}' in row {row} after {after} points is not a point: write 'o' for a chap, '@' for the ball, a number or '.' for empty points"
    )]
    ForeignCharacter {
        /// The character.
        found: char,
        /// Its row, counted from 1 at the bottom.
        row: usize,
        /// The points of the row before it.
        after: usize,
    },
    /// Rows of different lengths.
    #[error("row {row} has {found} points, but the top row has {expected}: all rows must be equally long")]
    UnequalRows {
        /// The row, counted from 1 at the bottom.
        row: usize,
        /// Its points.
        found: usize,
        /// The points of the top row.
        expected: usize,
    },
    /// No ball.
    #[error("no ball in '{board}': write '@' on the point where it stands")]
    NoBall {
        /// The board as it was given.
        board: String,
    },
    /// More than one ball.
    #[error("two balls, on {first} and {second}: a pitch has one")]
    TwoBalls {
        /// The point of the first, from the top.
        first: String,
        /// The point of the second.
        second: String,
    },
    /// The ball on a goal row: the game is over there.
    #[error("the ball stands on {point}, on a goal row: it must stand between rows 1 and {rows}")]
    BallOnGoalRow {
        /// The ball's point.
        point: String,
        /// The number of rows.
        rows: usize,
    },
    /// Too small or too large.
    #[error(
        "a pitch of {rows} rows and {columns} columns: {MIN_ROWS} to {MAX_SIDE} rows and 1 to {MAX_SIDE} columns are possible"
    )]
    Size {
        /// The number of rows.
        rows: usize,
        /// The number of columns, as far as they were counted.
        columns: usize,
    },
    /// Something other than a side letter after the board.
    #[error("'{found}' after the board is not a side: write A or B, or nothing for Alfred")]
    Side {
        /// The text found.
        found: String,
    },
}

/// Why a text is not a size.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{found}' is not the size of a pitch: write rows x columns, such as 7x4, with {MIN_ROWS} to {MAX_SIDE} rows and 1 to {MAX_SIDE} columns"
)]
pub struct ParseShapeError {
    /// The text as it was given.
    pub found: String,
}

/// Why a text is not a legal turn of a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseTurnError {
    /// No point and no direction.
    #[error(
        "'{found}' in '{turn}' is not a point of this pitch: write b3 for a chap there, a2-c4-c7 for a jump, c7-NE for a jump over a goal line"
    )]
    NoPoint {
        /// The part.
        found: String,
        /// The turn as it was given.
        turn: String,
    },
    /// A chap on a taken point.
    #[error("no chap can be placed on {point}: it is not empty")]
    Taken {
        /// The point.
        point: String,
    },
    /// A path that does not begin at the ball.
    #[error("'{turn}' begins on {found}, but the ball is on {ball}")]
    NotTheBall {
        /// The first point.
        found: String,
        /// The ball's point.
        ball: String,
        /// The turn as it was given.
        turn: String,
    },
    /// A jump that the rules do not allow.
    #[error("no jump from {from} to {to} in '{turn}'")]
    NoJump {
        /// Where the ball is.
        from: String,
        /// Where it should go.
        to: String,
        /// The turn as it was given.
        turn: String,
    },
}

/// The letter that notation uses: `A` or `B`.
pub fn side_letter(side: Side) -> char {
    match side {
        Side::Left => 'A',
        Side::Right => 'B',
    }
}

/// The player's name: `Alfred` or `Betty`.
pub fn side_name(side: Side) -> &'static str {
    match side {
        Side::Left => "Alfred",
        Side::Right => "Betty",
    }
}

impl Shape {
    /// The name of a point, such as `b3`.
    pub fn point_name(&self, point: usize) -> String {
        let column = char::from(b'a' + self.column(point) as u8);
        format!("{column}{}", self.row(point) + 1)
    }

    /// The point with a name; `None` if the pitch has none.
    pub fn point_named(&self, name: &str) -> Option<usize> {
        let mut symbols = name.chars();
        let letter = symbols.next().filter(char::is_ascii_lowercase)?;
        let column = (letter as u8 - b'a') as usize;
        let digits = symbols.as_str();
        let plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
        let row = digits.parse::<usize>().ok().filter(|_| plain)?;
        (column < self.columns() && (1..=self.rows()).contains(&row)).then(|| self.point(row - 1, column))
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows(), self.columns())
    }
}

impl FromStr for Shape {
    type Err = ParseShapeError;

    fn from_str(text: &str) -> Result<Shape, ParseShapeError> {
        let number = |digits: &str| {
            let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
            digits.parse::<usize>().ok().filter(|_| plain)
        };
        text.split_once(['x', '×'])
            .and_then(|(rows, columns)| Shape::new(number(rows)?, number(columns)?))
            .ok_or_else(|| ParseShapeError {
                found: text.to_string(),
            })
    }
}

impl FromStr for Pitch {
    type Err = ParsePitchError;

    fn from_str(text: &str) -> Result<Pitch, ParsePitchError> {
        let mut words = text.split_whitespace();
        let board = words.next().unwrap_or("");
        let side = match words.next() {
            None | Some("A") => Side::Left,
            Some("B") => Side::Right,
            Some(found) => {
                return Err(ParsePitchError::Side {
                    found: found.to_string(),
                });
            }
        };
        match words.next() {
            None => parse_board(board, side),
            Some(found) => Err(ParsePitchError::Side {
                found: found.to_string(),
            }),
        }
    }
}

/// The chaps and balls of one row, as columns; and how many points it has.
#[derive(Default)]
struct Row {
    points: usize,
    chaps: Vec<usize>,
    balls: Vec<usize>,
}

fn parse_row(text: &str, row: usize) -> Result<Row, ParsePitchError> {
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
                return Err(ParsePitchError::ForeignCharacter { found, row, after });
            }
        }
        parsed.points = parsed.points.saturating_add(1);
    }
    parsed.points = parsed.points.saturating_add(run.unwrap_or(0));
    Ok(parsed)
}

fn parse_board(board: &str, side: Side) -> Result<Pitch, ParsePitchError> {
    let texts: Vec<&str> = board.split('/').collect();
    let rows = texts.len();
    let parsed: Vec<Row> = (texts.iter().zip((1..=rows).rev()))
        .map(|(text, row)| parse_row(text, row))
        .collect::<Result<_, _>>()?;
    let columns = parsed.first().map_or(0, |row| row.points);
    let shape = Shape::new(rows, columns).ok_or(ParsePitchError::Size { rows, columns })?;
    let mut chaps = Points::EMPTY;
    let mut balls = Vec::new();
    for (row, line) in (0..rows).rev().zip(&parsed) {
        if line.points != columns {
            return Err(ParsePitchError::UnequalRows {
                row: row + 1,
                found: line.points,
                expected: columns,
            });
        }
        line.chaps
            .iter()
            .for_each(|&column| chaps.insert(shape.point(row, column)));
        balls.extend(line.balls.iter().map(|&column| shape.point(row, column)));
    }
    let name = |point: usize| shape.point_name(point);
    match balls[..] {
        [] => Err(ParsePitchError::NoBall {
            board: board.to_string(),
        }),
        [ball] => Pitch::new(shape, ball, chaps, side).ok_or_else(|| ParsePitchError::BallOnGoalRow {
            point: name(ball),
            rows,
        }),
        [first, second, ..] => Err(ParsePitchError::TwoBalls {
            first: name(first),
            second: name(second),
        }),
    }
}

/// Writes the rows, without a player.
fn write_board(f: &mut fmt::Formatter<'_>, shape: Shape, ball: Option<usize>, chaps: &Points) -> fmt::Result {
    for row in (0..shape.rows()).rev() {
        let mut empty = 0;
        for column in 0..shape.columns() {
            let point = shape.point(row, column);
            let symbol = match ball == Some(point) {
                true => "@",
                false if chaps.contains(point) => "o",
                false => {
                    empty += 1;
                    continue;
                }
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

impl fmt::Display for Pitch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_board(f, self.shape(), Some(self.ball()), self.chaps())?;
        write!(f, " {}", side_letter(self.side()))
    }
}

impl After {
    /// The board in notation when `next` is the player whose turn it would be; a ball beyond a goal line is not drawn.
    pub fn notation(&self, next: Side) -> String {
        struct Board<'a>(&'a After);
        impl fmt::Display for Board<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self.0 {
                    After::Position(pitch) => {
                        write_board(f, pitch.shape(), Some(pitch.ball()), pitch.chaps())
                    }
                    After::Over {
                        shape,
                        ball: Landing::Point(ball),
                        chaps,
                        ..
                    } => write_board(f, *shape, Some((*ball).into()), chaps),
                    After::Over { shape, chaps, .. } => write_board(f, *shape, None, chaps),
                }
            }
        }
        format!("{} {}", Board(self), side_letter(next))
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl Pitch {
    /// A turn in notation, a jump by a shortest path.
    ///
    /// # Errors
    /// [`TooManyJumps`] if the path of a jump cannot be searched for.
    pub fn turn_notation(&self, turn: &Turn) -> Result<String, TooManyJumps> {
        Ok(match turn {
            Turn::Place(point) => self.shape().point_name((*point).into()),
            // A jump that is not legal has no path: the ball stays.
            Turn::Jump(jump) => self.path_notation(&self.path(jump)?.unwrap_or_default()),
        })
    }

    /// A path in notation.
    pub fn path_notation(&self, path: &Path) -> String {
        let mut text = self.shape().point_name(self.ball());
        for Flight { direction, to, .. } in path {
            text.push('-');
            match to {
                Landing::Point(point) => text += &self.shape().point_name((*point).into()),
                Landing::Off(_) => text += &direction.to_string(),
            }
        }
        text
    }

    /// The turn that a text means here.
    ///
    /// # Errors
    /// [`ParseTurnError`] if it is not a turn, or not a legal one.
    pub fn parse_turn(&self, turn: &str) -> Result<Turn, ParseTurnError> {
        let no_point = |found: &str| ParseTurnError::NoPoint {
            found: found.to_string(),
            turn: turn.to_string(),
        };
        let shape = self.shape();
        let mut parts = turn.split('-');
        let first = parts.next().unwrap_or("");
        let start = shape.point_named(first).ok_or_else(|| no_point(first))?;
        let rest: Vec<&str> = parts.collect();
        if rest.is_empty() {
            return match self.empty_points().any(|point| point == start) {
                true => Ok(Turn::Place(start as u16)),
                false => Err(ParseTurnError::Taken {
                    point: first.to_string(),
                }),
            };
        }
        if start != self.ball() {
            return Err(ParseTurnError::NotTheBall {
                found: first.to_string(),
                ball: shape.point_name(self.ball()),
                turn: turn.to_string(),
            });
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
            jump = fly(shape, jump, part).ok_or_else(|| ParseTurnError::NoJump {
                from: from.to_string(),
                to: part.to_string(),
                turn: turn.to_string(),
            })?;
            from = part;
        }
        Ok(Turn::Jump(jump))
    }
}

fn direction_named(name: &str) -> Option<Direction> {
    Direction::ALL
        .into_iter()
        .find(|direction| direction.to_string() == name)
}

/// One flight to a named point, or over a goal line in a named direction.
fn fly(shape: Shape, jump: Jump, part: &str) -> Option<Jump> {
    let Landing::Point(ball) = jump.to else {
        return None;
    };
    let flights = Direction::ALL.map(|direction| shape.flight(ball.into(), &jump.chaps, direction));
    let flight = flights.into_iter().flatten().find(|flight| match flight.to {
        Landing::Point(point) => shape.point_named(part) == Some(point.into()),
        Landing::Off(_) => direction_named(part) == Some(flight.direction),
    })?;
    Some(Jump {
        to: flight.to,
        chaps: jump.chaps.minus(&flight.over),
    })
}

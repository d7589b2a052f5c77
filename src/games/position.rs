//! A position of any of the games; its notation says which: a strip is bare (`o@o.o.o....`), a pitch has rows split by `/`
//! (`3/3/2o/1o1/3/@2/3 A`), the others begin with their name (`obstruction:1+2+3`, `oddish:..o^o.`).

use super::obstruction::{Sum, Term};
use super::oddish::Oddish;
use super::pitch::{self, Pitch, Points, Shape};
use super::rules::Rules;
use super::strip::Strip;
use crate::outcome::{ParseError, Side};
use std::fmt;
use std::str::FromStr;

/// The longest text that is read, in bytes: more than any board needs, but a graph with many edges, which a file may hold.
pub const MAX_TEXT: usize = 4096;

/// A position, with the player to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Position {
    /// On a strip or a pitch.
    Phutball(Phutball),
    /// Boards of Obstruction side by side; the first player is to move.
    Obstruction(Sum),
    /// Of Oddish Phutball.
    Oddish(Oddish),
}

/// A position of Phutball, in one dimension or two: the games that the engine plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phutball {
    /// On the strip.
    Strip(Strip),
    /// On the pitch.
    Pitch(Pitch),
}

impl FromStr for Position {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Position, ParseError> {
        let text = text.trim();
        let too_long = |found: usize| {
            ParseError(format!(
                "{found} bytes are too long for a position: {MAX_TEXT} are possible"
            ))
        };
        if text.len() > MAX_TEXT {
            return Err(too_long(text.len()));
        }
        Ok(match text.split_once(':') {
            Some(("obstruction", sum)) => {
                let position = Position::Obstruction(sum.parse()?);
                // It may be longer as it is printed, and must be read again.
                match position.to_string().len() {
                    found if found > MAX_TEXT => return Err(too_long(found)),
                    _ => position,
                }
            }
            Some(("oddish", board)) => Position::Oddish(board.parse()?),
            Some((name, _)) => {
                return Err(ParseError(format!(
                    "there is no game '{name}': write obstruction: or oddish: before the board, and nothing before a strip or a pitch"
                )));
            }
            // Rows are split by '/', and every pitch has three or more.
            None if text.contains('/') => Pitch::from_str(text)?.into(),
            None => Strip::from_str(text)?.into(),
        })
    }
}

impl Position {
    /// Reads a position in which `graph:FILE` stands for the graph of a file: not for texts of strangers. A graph from a file may be
    /// larger than what a text has room for.
    ///
    /// # Errors
    /// [`ParseError`], also if a file cannot be read or holds no graph.
    pub fn with_files(text: &str) -> Result<Position, ParseError> {
        match text.trim().split_once(':') {
            Some(("obstruction", sum)) if sum.contains("graph:") && sum.len() <= MAX_TEXT => {
                Ok(Position::Obstruction(Sum::with_files(sum)?))
            }
            _ => text.parse(),
        }
    }
}

impl FromStr for Phutball {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Phutball, ParseError> {
        match text.parse()? {
            Position::Phutball(position) => Ok(position),
            other => Err(ParseError(format!(
                "a position of {}: only strips and pitches can be played",
                other.game()
            ))),
        }
    }
}

impl From<Strip> for Position {
    fn from(strip: Strip) -> Position {
        Position::Phutball(Phutball::Strip(strip))
    }
}

impl From<Pitch> for Position {
    fn from(pitch: Pitch) -> Position {
        Position::Phutball(Phutball::Pitch(pitch))
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Position::Phutball(position) => position.fmt(f),
            Position::Obstruction(sum) => write!(f, "obstruction:{sum}"),
            Position::Oddish(oddish) => write!(f, "oddish:{oddish}"),
        }
    }
}

impl fmt::Display for Phutball {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Phutball::Strip(strip) => strip.fmt(f),
            Phutball::Pitch(pitch) => pitch.fmt(f),
        }
    }
}

impl Position {
    /// The same board under these rules; other games have ordinary ones only.
    pub fn under(self, rules: Rules) -> Result<Position, ParseError> {
        match self {
            Position::Phutball(Phutball::Strip(strip)) => Ok(strip.under(rules).into()),
            Position::Phutball(Phutball::Pitch(pitch)) => Ok(pitch.under(rules).into()),
            other if rules == Rules::Ordinary => Ok(other),
            other => Err(ParseError(format!(
                "a position of {}: only strips and pitches are played by {rules} rules",
                other.game()
            ))),
        }
    }

    /// The rules that Phutball is played by; ordinary in other games.
    pub fn rules(&self) -> Rules {
        match self {
            Position::Phutball(Phutball::Strip(strip)) => strip.rules(),
            Position::Phutball(Phutball::Pitch(pitch)) => pitch.rules(),
            Position::Obstruction(_) | Position::Oddish(_) => Rules::Ordinary,
        }
    }

    /// The game's name in answers.
    pub fn game(&self) -> &'static str {
        match self {
            Position::Phutball(Phutball::Strip(_)) => "strip",
            Position::Phutball(Phutball::Pitch(_)) => "pitch",
            Position::Obstruction(_) => "obstruction",
            Position::Oddish(_) => "oddish",
        }
    }

    /// The player to move; in Obstruction the first.
    pub fn side(&self) -> Side {
        match self {
            Position::Phutball(position) => position.side(),
            Position::Obstruction(_) => Side::Left,
            Position::Oddish(oddish) => oddish.side(),
        }
    }

    /// A player as answers name one: left and right, alfred and betty, first and second.
    pub fn player(&self, side: Side) -> &'static str {
        match (self, side) {
            (Position::Phutball(Phutball::Pitch(_)), Side::Left) => "alfred",
            (Position::Phutball(Phutball::Pitch(_)), Side::Right) => "betty",
            (Position::Obstruction(_), Side::Left) => "first",
            (Position::Obstruction(_), Side::Right) => "second",
            (_, Side::Left) => "left",
            (_, Side::Right) => "right",
        }
    }

    /// How large the board is, in words.
    pub fn size(&self) -> String {
        match self {
            Position::Phutball(Phutball::Strip(strip)) => format!("{} squares", strip.length()),
            Position::Phutball(Phutball::Pitch(pitch)) => format!("{} points", pitch.shape()),
            Position::Obstruction(sum) => {
                let squares: usize = sum.terms.iter().map(Term::squares).sum();
                format!("{squares} squares")
            }
            Position::Oddish(oddish) => format!("{} squares", oddish.squares()),
        }
    }
}

impl Phutball {
    /// The empty strip of an odd length with the ball in the middle, Left to move; `None` if it has no middle or there is no
    /// such strip.
    pub fn empty_strip(length: usize) -> Option<Phutball> {
        let middle = (length % 2 == 1).then_some(length / 2)?;
        Strip::new(length, middle, 0, Side::Left).map(Phutball::Strip)
    }

    /// The empty pitch with the ball in the middle, Alfred to move; rows and columns must be odd.
    pub fn empty_pitch(rows: usize, columns: usize) -> Option<Phutball> {
        let shape = Shape::new(rows, columns).filter(|_| rows % 2 == 1 && columns % 2 == 1)?;
        let middle = shape.point(rows / 2, columns / 2);
        Pitch::new(shape, middle, Points::EMPTY, Side::Left).map(Phutball::Pitch)
    }

    /// The player to move.
    pub fn side(&self) -> Side {
        match self {
            Phutball::Strip(strip) => strip.side(),
            Phutball::Pitch(pitch) => pitch.side(),
        }
    }

    /// Notation with the letter of the side to move, always.
    pub fn fen(&self) -> String {
        match self {
            Phutball::Strip(strip) if strip.side() == Side::Left => format!("{strip} L"),
            Phutball::Strip(strip) => strip.to_string(),
            Phutball::Pitch(pitch) => pitch.to_string(),
        }
    }

    /// A player's name: Left or Right, Alfred or Betty.
    pub fn name_of(&self, side: Side) -> &'static str {
        match (self, side) {
            (Phutball::Strip(_), Side::Left) => "Left",
            (Phutball::Strip(_), Side::Right) => "Right",
            (Phutball::Pitch(_), side) => pitch::side_name(side),
        }
    }
}

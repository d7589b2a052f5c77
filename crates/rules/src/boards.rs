//! Boards as arguments: which boards of which game, on the command line, in addresses and in
//! answers.
//!
//! `16` is the strips of 16 squares, `3..24` those of 3 to 24 (both included), `7x3` a pitch of 7
//! rows and 3 columns, `obstruction:8x8` a board of Obstruction (`obstruction:torus:6x6` one of
//! another shape), `oddish:2..18` the boards of Oddish Phutball of 2 to 18 squares.

use super::obstruction::{Grid, MAX_SQUARES};
use super::oddish;
use super::pitch::{MAX_SIDE, MIN_ROWS, Shape};
use super::strip::{MAX_LENGTH, MIN_LENGTH};
use super::{number, size};
use phutbase_base::outcome::ParseError;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Boards of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Boards {
    /// Strips of these lengths.
    Strips(RangeInclusive<usize>),
    /// A pitch.
    Pitch(Shape),
    /// A board of Obstruction.
    Obstruction(Grid),
    /// Boards of Oddish Phutball with these numbers of squares.
    Oddish(RangeInclusive<usize>),
}

impl Boards {
    /// Returns the game's name in answers.
    pub fn game(&self) -> &'static str {
        match self {
            Boards::Strips(_) => "strip",
            Boards::Pitch(_) => "pitch",
            Boards::Obstruction(..) => "obstruction",
            Boards::Oddish(_) => "oddish",
        }
    }

    /// Returns the length of strips of one length.
    pub fn one_length(&self) -> Option<usize> {
        match self {
            Boards::Strips(lengths) if lengths.start() == lengths.end() => Some(*lengths.end()),
            _ => None,
        }
    }

    /// Describes the boards for use in a sentence: `length 16`, `pitch 7x3`.
    pub fn words(&self) -> String {
        match self {
            Boards::Strips(lengths) if lengths.start() == lengths.end() => format!("length {self}"),
            Boards::Strips(_) => format!("lengths {self}"),
            Boards::Pitch(_) => format!("pitch {self}"),
            Boards::Obstruction(..) | Boards::Oddish(_) => self.to_string(),
        }
    }

    /// Names the player to move in the positions that are counted.
    pub fn first_player(&self) -> &'static str {
        match self {
            Boards::Strips(_) | Boards::Oddish(_) => "Left",
            Boards::Pitch(_) => "Alfred",
            Boards::Obstruction(..) => "the first player",
        }
    }

    /// Creates the strips of one length.
    pub fn strip(length: usize) -> Boards {
        Boards::Strips(length..=length)
    }
}

/// Parses `16` or `3..24` as a range of sizes within `possible`; `None` if it is not a range.
fn squares(
    text: &str,
    game: &'static str,
    possible: RangeInclusive<usize>,
) -> Option<Result<RangeInclusive<usize>, ParseError>> {
    let (from, to) = text.split_once("..").unwrap_or((text, text));
    let ends = [(from, number(from)?), (to, number(to)?)];
    let (from, to) = (ends[0].1, ends[1].1);
    let outside = ends.into_iter().find(|(_, found)| !possible.contains(found));
    Some(match outside {
        Some((found, _)) => {
            let found: String = found.chars().take(40).collect();
            let (least, most) = possible.into_inner();
            let reason = format!("{game} boards have {least} to {most} squares, not {found}");
            Err(ParseError(reason))
        }
        None if from > to => Err(ParseError(format!(
            "'{text}' ends before it begins: write the smaller number first"
        ))),
        None => Ok(from..=to),
    })
}

impl FromStr for Boards {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Boards, ParseError> {
        Boards::read(text, MAX_LENGTH)
    }
}

impl Boards {
    /// Parses boards, strips of at most `longest` squares.
    pub fn read(text: &str, longest: usize) -> Result<Boards, ParseError> {
        let found: String = text.chars().take(100).collect();
        let unknown = || {
            ParseError(format!(
                "'{found}' names no boards: write 16 or 3..24 for strips, 7x3 for a pitch, or obstruction:8x8"
            ))
        };
        match text.split_once(':') {
            Some(("obstruction", board)) => {
                let (form, sides) = Grid::size(board).ok_or_else(unknown)?;
                (Grid::new(form, &sides).map(Boards::Obstruction)).ok_or_else(|| {
                    ParseError(format!(
                        "'{found}': a board of Obstruction has 1 to {MAX_SQUARES} squares where boards are listed"
                    ))
                })
            }
            Some(("oddish", range)) => {
                squares(range, "oddish", oddish::MIN_SQUARES..=oddish::MAX_SET_SQUARES)
                    .ok_or_else(unknown)?
                    .map(Boards::Oddish)
            }
            Some(_) => Err(unknown()),
            None => match size(text) {
                Some((rows, columns)) => Shape::new(rows, columns)
                    .map(Boards::Pitch)
                    .ok_or_else(|| {
                        ParseError(format!(
                            "a pitch has {MIN_ROWS} to {MAX_SIDE} rows and 1 to {MAX_SIDE} columns, not {rows}x{columns}"
                        ))
                    }),
                None => squares(text, "strip", MIN_LENGTH..=longest)
                    .ok_or_else(unknown)?
                    .map(Boards::Strips),
            },
        }
    }
}

impl fmt::Display for Boards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (prefix, range) = match self {
            Boards::Pitch(shape) => return shape.fmt(f),
            Boards::Obstruction(board) => return write!(f, "obstruction:{board}"),
            Boards::Oddish(range) => ("oddish:", range),
            Boards::Strips(range) => ("", range),
        };
        write!(f, "{prefix}{}", range.start())?;
        if range.start() < range.end() {
            write!(f, "..{}", range.end())?;
        }
        Ok(())
    }
}

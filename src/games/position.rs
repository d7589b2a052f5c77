//! A position of any of the games; its notation says which: a strip is bare (`o@o.o.o....`), a pitch has rows split by `/`
//! (`3/3/2o/1o1/3/@2/3 A`), the others begin with their name (`obstruction:1+2+3`, `oddish:..o^o.`).

use super::obstruction::{ParseSumError, Sum, Term};
use super::oddish::{Oddish, ParseOddishError};
use super::pitch::{self, ParsePitchError, Pitch, Points, Shape};
use super::rules::Rules;
use super::strip::{ParseStripError, Strip};
use crate::outcome::Side;
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

/// Rules of Phutball for a position of another game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a position of {game}: only strips and pitches are played by {rules} rules")]
pub struct NotUnderRules {
    /// The game.
    pub game: &'static str,
    /// The rules asked for.
    pub rules: Rules,
}

/// Why a text is not a position of any game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParsePositionError {
    /// Not one of the strip.
    #[error(transparent)]
    Strip(#[from] ParseStripError),
    /// Not one of the pitch.
    #[error(transparent)]
    Pitch(#[from] ParsePitchError),
    /// Not one of Obstruction.
    #[error(transparent)]
    Obstruction(#[from] ParseSumError),
    /// Not one of Oddish Phutball.
    #[error(transparent)]
    Oddish(#[from] ParseOddishError),
    /// A name before a colon that no game has.
    #[error(
        "there is no game '{found}': write obstruction: or oddish: before the board, and nothing before a strip or a pitch"
    )]
    NoSuchGame {
        /// The name.
        found: String,
    },
    /// More text than any board needs.
    #[error("{found} bytes are too long for a position: {MAX_TEXT} are possible")]
    TooLong {
        /// The number of bytes.
        found: usize,
    },
    /// A position of another game, where one of Phutball is needed.
    #[error("a position of {game}: only strips and pitches can be played")]
    NotPhutball {
        /// The game.
        game: &'static str,
    },
}

impl FromStr for Position {
    type Err = ParsePositionError;

    fn from_str(text: &str) -> Result<Position, ParsePositionError> {
        let text = text.trim();
        if text.len() > MAX_TEXT {
            return Err(ParsePositionError::TooLong { found: text.len() });
        }
        Ok(match text.split_once(':') {
            Some(("obstruction", sum)) => {
                let position = Position::Obstruction(sum.parse()?);
                // It may be longer as it is printed, and must be read again.
                match position.to_string().len() {
                    found if found > MAX_TEXT => return Err(ParsePositionError::TooLong { found }),
                    _ => position,
                }
            }
            Some(("oddish", board)) => Position::Oddish(board.parse()?),
            Some((name, _)) => {
                return Err(ParsePositionError::NoSuchGame {
                    found: name.to_string(),
                });
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
    /// [`ParsePositionError`], also if a file cannot be read or holds no graph.
    pub fn with_files(text: &str) -> Result<Position, ParsePositionError> {
        match text.trim().split_once(':') {
            Some(("obstruction", sum)) if sum.contains("graph:") && sum.len() <= MAX_TEXT => {
                Ok(Position::Obstruction(Sum::with_files(sum)?))
            }
            _ => text.parse(),
        }
    }
}

impl FromStr for Phutball {
    type Err = ParsePositionError;

    fn from_str(text: &str) -> Result<Phutball, ParsePositionError> {
        match text.parse()? {
            Position::Phutball(position) => Ok(position),
            other => Err(ParsePositionError::NotPhutball { game: other.game() }),
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
    ///
    /// # Errors
    /// [`NotUnderRules`].
    pub fn under(self, rules: Rules) -> Result<Position, NotUnderRules> {
        match self {
            Position::Phutball(Phutball::Strip(strip)) => Ok(strip.under(rules).into()),
            Position::Phutball(Phutball::Pitch(pitch)) => Ok(pitch.under(rules).into()),
            other if rules == Rules::Ordinary => Ok(other),
            other => Err(NotUnderRules {
                game: other.game(),
                rules,
            }),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notation_says_which_game_it_is() {
        for (text, game) in [
            ("o@o.o.o....", "strip"),
            (".@.o..o.. R", "strip"),
            ("3/3/2o/1o1/3/@2/3 A", "pitch"),
            ("obstruction:1x1 + 1x2 + 1x3", "obstruction"),
            ("obstruction:..x/.../x..", "obstruction"),
            ("oddish:..o^o. R", "oddish"),
        ] {
            let position: Position = text.parse().unwrap();
            assert_eq!((position.game(), position.to_string().as_str()), (game, text));
        }
        assert_eq!(
            "obstruction:1+2+3".parse::<Position>(),
            "obstruction:1x1 + 1x2 + 1x3".parse()
        );
    }

    #[test]
    fn what_no_game_has_is_refused() {
        let error = |text: &str| text.parse::<Position>().unwrap_err();
        assert!(matches!(
            error("chess:8/8"),
            ParsePositionError::NoSuchGame { .. }
        ));
        assert!(matches!(
            error(&"o".repeat(4097)),
            ParsePositionError::TooLong { .. }
        ));
        assert!(matches!(error("..o"), ParsePositionError::Strip(_)));
        assert!(matches!(error("3/3"), ParsePositionError::Pitch(_)));
        assert!(matches!(
            error("obstruction:"),
            ParsePositionError::Obstruction(_)
        ));
        assert!(matches!(error("oddish:..o"), ParsePositionError::Oddish(_)));
        let unplayable = "oddish:..o^o.".parse::<Phutball>();
        assert!(matches!(unplayable, Err(ParsePositionError::NotPhutball { .. })));
    }
}

//! Notation: one character per square, `.` empty, `o` stone, `@` ball, and a side letter after a blank.
//!
//! Input also takes `O` and `◇` for a stone, `·` for an empty square, `●` for the ball. Without a side letter, Left
//! moves; so output writes the letter only for Right.

use super::{After, MAX_LENGTH, MIN_LENGTH, Strip, Turn};
use crate::outcome::Side;
use std::fmt;
use std::str::FromStr;

/// Why a text is not a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseStripError {
    /// A character that is not a square.
    #[error(
        "'{found}' on square {square} is not a square: write '.' for empty, 'o' for a stone, '@' for the ball"
    )]
    ForeignCharacter {
        /// The character.
        found: char,
        /// Its place, counted from 0.
        square: usize,
    },
    /// No ball.
    #[error("no ball in '{board}': write '@' on the square where it stands")]
    NoBall {
        /// The board as it was given.
        board: String,
    },
    /// More than one ball.
    #[error("two balls, on squares {first} and {second}: a strip has one")]
    TwoBalls {
        /// The square of the first.
        first: usize,
        /// The square of the second.
        second: usize,
    },
    /// The ball on a goal line: the game is over there.
    #[error("the ball stands on goal-line square {square}: it must stand between squares 0 and {last}")]
    BallOnGoalLine {
        /// The ball's square.
        square: usize,
        /// The last square of the strip.
        last: usize,
    },
    /// Too short or too long.
    #[error("a strip of {length} squares: lengths from {MIN_LENGTH} to {MAX_LENGTH} are possible")]
    Length {
        /// The number of squares given.
        length: usize,
    },
    /// Something other than a side letter after the board.
    #[error("'{found}' after the board is not a side: write L or R, or nothing for Left")]
    Side {
        /// The text found.
        found: String,
    },
}

/// Why a text is not a turn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{found}' is not a turn: write o5 for a stone on square 5, @8 for a jump to square 8, @L or @R for a jump off the strip"
)]
pub struct ParseTurnError {
    /// The text as it was given.
    pub found: String,
}

impl FromStr for Strip {
    type Err = ParseStripError;

    fn from_str(text: &str) -> Result<Strip, ParseStripError> {
        let mut words = text.split_whitespace();
        let board = words.next().unwrap_or("");
        let side = parse_side(words.next())?;
        if let Some(extra) = words.next() {
            return Err(ParseStripError::Side {
                found: extra.to_string(),
            });
        }
        parse_board(board, side)
    }
}

fn parse_side(word: Option<&str>) -> Result<Side, ParseStripError> {
    match word {
        None | Some("L") => Ok(Side::Left),
        Some("R") => Ok(Side::Right),
        Some(other) => Err(ParseStripError::Side {
            found: other.to_string(),
        }),
    }
}

fn parse_board(board: &str, side: Side) -> Result<Strip, ParseStripError> {
    let mut stones = 0u128;
    let mut ball = None;
    let mut length = 0;
    for (square, symbol) in board.chars().enumerate() {
        match symbol {
            '.' | '·' => {}
            'o' | 'O' | '◇' if square < MAX_LENGTH => stones |= 1 << square,
            'o' | 'O' | '◇' => {}
            '@' | '●' => match ball {
                None => ball = Some(square),
                Some(first) => {
                    return Err(ParseStripError::TwoBalls {
                        first,
                        second: square,
                    });
                }
            },
            found => return Err(ParseStripError::ForeignCharacter { found, square }),
        }
        length = square + 1;
    }
    if !(MIN_LENGTH..=MAX_LENGTH).contains(&length) {
        return Err(ParseStripError::Length { length });
    }
    let ball = ball.ok_or_else(|| ParseStripError::NoBall {
        board: board.to_string(),
    })?;
    Strip::new(length, ball, stones, side).ok_or(ParseStripError::BallOnGoalLine {
        square: ball,
        last: length - 1,
    })
}

/// Writes one character per square.
fn write_board(f: &mut fmt::Formatter<'_>, length: usize, ball: Option<usize>, stones: u128) -> fmt::Result {
    for square in 0..length {
        f.write_str(if ball == Some(square) {
            "@"
        } else if stones >> square & 1 == 1 {
            "o"
        } else {
            "."
        })?;
    }
    Ok(())
}

impl fmt::Display for Strip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_board(f, self.length(), Some(self.ball()), self.stones())?;
        match self.side() {
            Side::Left => Ok(()),
            Side::Right => f.write_str(" R"),
        }
    }
}

impl After {
    /// The board in notation when `next` is the player whose turn it would be; a finished game keeps the letter
    /// too, so that every line of a list reads alike. A ball off the strip is not drawn.
    pub fn notation(&self, next: Side) -> String {
        struct Board<'a>(&'a After);
        impl fmt::Display for Board<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match *self.0 {
                    After::Position(strip) => {
                        write_board(f, strip.length(), Some(strip.ball()), strip.stones())
                    }
                    After::Over {
                        length, ball, stones, ..
                    } => write_board(f, length, ball, stones),
                }
            }
        }
        match next {
            Side::Left => Board(self).to_string(),
            Side::Right => format!("{} R", Board(self)),
        }
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Turn::Place(square) => write!(f, "o{square}"),
            Turn::Jump(square) => write!(f, "@{square}"),
            Turn::Off(end) => write!(f, "@{}", end.letter()),
        }
    }
}

impl FromStr for Turn {
    type Err = ParseTurnError;

    fn from_str(text: &str) -> Result<Turn, ParseTurnError> {
        let error = || ParseTurnError {
            found: text.to_string(),
        };
        let square = |digits: &str| {
            let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
            digits.parse::<u8>().ok().filter(|_| plain)
        };
        match text.strip_prefix('@') {
            Some("L") => Ok(Turn::Off(Side::Left)),
            Some("R") => Ok(Turn::Off(Side::Right)),
            Some(digits) => square(digits).map(Turn::Jump).ok_or_else(error),
            None => text
                .strip_prefix('o')
                .and_then(square)
                .map(Turn::Place)
                .ok_or_else(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> ParseStripError {
        text.parse::<Strip>().unwrap_err()
    }

    #[test]
    fn all_symbols_of_the_papers_are_read() {
        let plain: Strip = "o@o.o R".parse().unwrap();
        assert_eq!("◇●O·o  R".parse::<Strip>().unwrap(), plain);
        assert_eq!(plain.side(), Side::Right);
        assert_eq!("o@o.o L".parse::<Strip>(), "o@o.o".parse::<Strip>());
    }

    #[test]
    fn malformed_positions_say_what_is_wrong_and_where() {
        assert_eq!(
            error("o@x.."),
            ParseStripError::ForeignCharacter {
                found: 'x',
                square: 2
            }
        );
        assert_eq!(
            error("ooo.."),
            ParseStripError::NoBall {
                board: "ooo..".into()
            }
        );
        assert_eq!(error(".@.@."), ParseStripError::TwoBalls { first: 1, second: 3 });
        assert_eq!(
            error("@...."),
            ParseStripError::BallOnGoalLine { square: 0, last: 4 }
        );
        assert_eq!(
            error("....@"),
            ParseStripError::BallOnGoalLine { square: 4, last: 4 }
        );
        assert_eq!(error(""), ParseStripError::Length { length: 0 });
        assert_eq!(error(".@"), ParseStripError::Length { length: 2 });
        let long = format!(".@{}", "o".repeat(200));
        assert_eq!(error(&long), ParseStripError::Length { length: 202 });
        assert_eq!(error(".@. left"), ParseStripError::Side { found: "left".into() });
        assert_eq!(error(".@. L L"), ParseStripError::Side { found: "L".into() });
    }

    #[test]
    fn turns_are_printed_as_they_are_read() {
        for text in ["o0", "o127", "@8", "@L", "@R"] {
            assert_eq!(text.parse::<Turn>().unwrap().to_string(), text);
        }
        for text in ["", "o", "@", "o-1", "o+1", "o300", "x5", "@l", "5"] {
            assert!(text.parse::<Turn>().is_err(), "{text}");
        }
    }
}

//! Notation: one character per square, `.` empty, `o` stone, `@` ball, and a side letter after a blank.
//!
//! Input also takes `O` and `◇` for a stone, `·` for an empty square, `●` for the ball. Without a side letter, Left
//! moves; so output writes the letter only for Right.

use super::{After, MAX_LENGTH, MIN_LENGTH, Strip, Turn};
use crate::games::{number, split_side};
use crate::outcome::{ParseError, Side};
use std::fmt;
use std::str::FromStr;

impl FromStr for Strip {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Strip, ParseError> {
        let (board, side) = split_side(text, ["L", "R"], "Left")?;
        parse_board(board, side)
    }
}

fn parse_board(board: &str, side: Side) -> Result<Strip, ParseError> {
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
                    return Err(ParseError(format!(
                        "two balls, on squares {first} and {square}: a strip has one"
                    )));
                }
            },
            found => {
                return Err(ParseError(format!(
                    "'{found}' on square {square} is not a square: write '.' for empty, 'o' for a stone, '@' for the ball"
                )));
            }
        }
        length = square + 1;
    }
    if !(MIN_LENGTH..=MAX_LENGTH).contains(&length) {
        return Err(ParseError(format!(
            "a strip of {length} squares: lengths from {MIN_LENGTH} to {MAX_LENGTH} are possible"
        )));
    }
    let no_ball = || format!("no ball in '{board}': write '@' on the square where it stands");
    let ball = ball.ok_or_else(|| ParseError(no_ball()))?;
    Strip::new(length, ball, stones, side).ok_or_else(|| {
        ParseError(format!(
            "the ball stands on goal-line square {ball}: it must stand between squares 0 and {}",
            length - 1
        ))
    })
}

/// Writes one character per square.
fn write_board(f: &mut impl fmt::Write, length: usize, ball: Option<usize>, stones: u128) -> fmt::Result {
    (0..length).try_for_each(|square| {
        f.write_char(match ball == Some(square) {
            true => '@',
            false if stones >> square & 1 == 1 => 'o',
            false => '.',
        })
    })
}

impl fmt::Display for Strip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_board(f, self.length(), Some(self.ball()), self.stones())?;
        f.write_str(if self.side() == Side::Right { " R" } else { "" })
    }
}

impl After {
    /// The board in notation when `next` is the player whose turn it would be; a finished game keeps the letter
    /// too, so that every line of a list reads alike. A ball off the strip is not drawn.
    pub fn notation(&self, next: Side) -> String {
        let (length, ball, stones) = match *self {
            After::Position(strip) => (strip.length(), Some(strip.ball()), strip.stones()),
            After::Over {
                length, ball, stones, ..
            } => (length, ball, stones),
        };
        let mut text = String::new();
        write_board(&mut text, length, ball, stones).expect("a string takes every character");
        text + if next == Side::Right { " R" } else { "" }
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
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Turn, ParseError> {
        let error = || {
            ParseError(format!(
                "'{text}' is not a turn: write o5 for a stone on square 5, @8 for a jump to square 8, @L or @R for a jump off the strip"
            ))
        };
        let square = |digits: &str| u8::try_from(number(digits)?).ok();
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

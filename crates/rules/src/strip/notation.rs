//! Notation: one character per square, `.` empty, `o` stone, `@` ball, and a side letter after a
//! blank.
//!
//! Input also accepts `O` and `◇` for a stone, `·` for an empty square, `●` for the ball. Without a
//! side letter Left moves; output writes the letter only for Right.

use super::{AnyStrip, LONGEST, MAX_LENGTH, MIN_LENGTH, Strip, Turn, square_set};
use crate::{number, split_side};
use phutbase_base::outcome::{ParseError, Side};
use serde_core::{Serialize, Serializer};
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Number of squares of a board that an error quotes.
const MAX_SHOWN: usize = 200;

impl FromStr for Strip {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Strip, ParseError> {
        let (board, side) = split_side(text, ["L", "R"], "Left")?;
        let board = read_board(board, MIN_LENGTH..=MAX_LENGTH)?;
        let stones = square_set(&board.stones);
        Ok(
            Strip::new(board.length, board.ball, stones, side)
                .expect("the ball stands on an interior square"),
        )
    }
}

/// A board as it was read, with the ball on an interior square.
pub(super) struct Board {
    /// Bit i of word w is square 64 w + i.
    pub stones: Vec<u64>,
    pub length: usize,
    pub ball: usize,
}

/// Parses a board of one of these lengths.
pub(super) fn read_board(board: &str, lengths: RangeInclusive<usize>) -> Result<Board, ParseError> {
    let (mut stones, mut length, mut ball) = (Vec::with_capacity(board.len().div_ceil(64)), 0, None);
    for (square, symbol) in board.chars().enumerate() {
        let stone = match symbol {
            '.' | '·' => false,
            'o' | 'O' | '◇' => true,
            '@' | '●' => match ball.replace(square) {
                None => false,
                Some(first) => {
                    return Err(ParseError(format!(
                        "two balls, on squares {first} and {square}: a strip has one"
                    )));
                }
            },
            found => {
                return Err(ParseError(format!(
                    "'{found}' in column {} is not a square: write '.' for empty, 'o' for a stone, '@' for the ball",
                    square + 1
                )));
            }
        };
        if square % 64 == 0 {
            stones.push(0);
        }
        stones[square / 64] |= u64::from(stone) << (square % 64);
        length = square + 1;
    }
    if !lengths.contains(&length) {
        return Err(ParseError(format!(
            "a strip of {length} squares: lengths from {} to {} are possible",
            lengths.start(),
            lengths.end()
        )));
    }
    let no_ball = || {
        format!(
            "no ball in '{}': write '@' on the square where it stands",
            excerpt(board)
        )
    };
    let ball = ball.ok_or_else(|| ParseError(no_ball()))?;
    if !(1..=length - 2).contains(&ball) {
        return Err(ParseError(format!(
            "the ball stands on goal-line square {ball}: it must stand between squares 0 and {}",
            length - 1
        )));
    }
    Ok(Board { stones, length, ball })
}

/// Shortens a board that an error quotes.
pub(super) fn excerpt(board: &str) -> String {
    let shown: String = board.chars().take(MAX_SHOWN).collect();
    let rest = if shown.len() < board.len() { "…" } else { "" };
    shown + rest
}

/// Writes one character per square.
pub(super) fn write_board(
    f: &mut impl fmt::Write,
    length: usize,
    ball: Option<usize>,
    stone: impl Fn(usize) -> bool,
) -> fmt::Result {
    (0..length).try_for_each(|square| {
        f.write_char(match square {
            _ if ball == Some(square) => '@',
            _ if stone(square) => 'o',
            _ => '.',
        })
    })
}

impl fmt::Debug for Strip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{self}'{}", self.rules().remark())
    }
}

impl Serialize for Strip {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for Strip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        AnyStrip::from(self).fmt(f)
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
        let square = |digits: &str| number(digits).filter(|&square| square < LONGEST);
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

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
    let mut stones = StoneBits {
        words: Vec::with_capacity(board.len().div_ceil(64)),
        word: 0,
        length: 0,
    };
    let (mut rest, mut ball) = (board, None);
    loop {
        while let Some(eight) = rest.as_bytes().first_chunk()
            && let Some(bits) = eight_squares(*eight)
        {
            stones.push(bits, 8);
            rest = &rest[8..];
        }
        let Some(symbol) = rest.chars().next() else {
            break;
        };
        rest = &rest[symbol.len_utf8()..];
        let square = stones.length;
        let stone = match symbol {
            '.' | '·' => 0,
            'o' | 'O' | '◇' => 1,
            '@' | '●' => match ball.replace(square) {
                None => 0,
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
        stones.push(stone, 1);
    }
    let (stones, length) = stones.finish();
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

/// Squares as bits, in words of 64; a stone is 1.
struct StoneBits {
    words: Vec<u64>,
    /// The bits of the last, incomplete word.
    word: u64,
    length: usize,
}

impl StoneBits {
    /// Appends at most 64 squares.
    fn push(&mut self, bits: u64, squares: usize) {
        let offset = self.length % 64;
        self.word |= bits << offset;
        self.length += squares;
        if offset + squares >= 64 {
            self.words.push(self.word);
            self.word = bits.checked_shr(64 - offset as u32).unwrap_or(0);
        }
    }

    /// Returns the words and the number of squares.
    fn finish(mut self) -> (Vec<u64>, usize) {
        if !self.length.is_multiple_of(64) {
            self.words.push(self.word);
        }
        (self.words, self.length)
    }
}

/// Returns the bits of eight squares if each is written `.` or `o`.
fn eight_squares(symbols: [u8; 8]) -> Option<u64> {
    const EVERY: u64 = u64::from_le_bytes([1; 8]);
    let differences = u64::from_le_bytes(symbols) ^ (EVERY * u64::from(b'.'));
    let stones = differences & EVERY;
    // The product moves bit 8i to bit 56 + i.
    let bits = stones.wrapping_mul(0x0102_0408_1020_4080) >> 56;
    (differences == stones * u64::from(b'.' ^ b'o')).then_some(bits)
}

/// Number of squares that are written at once.
const WRITTEN: usize = 128;

/// Writes one character per square.
pub(super) fn write_board(
    f: &mut impl fmt::Write,
    length: usize,
    ball: Option<usize>,
    stone: impl Fn(usize) -> bool,
) -> fmt::Result {
    for first in (0..length).step_by(WRITTEN) {
        let mut symbols = [b'.'; WRITTEN];
        let squares = WRITTEN.min(length - first);
        for (square, symbol) in (first..).zip(&mut symbols[..squares]) {
            if stone(square) {
                *symbol = b'o';
            }
        }
        if let Some(ball) = ball.filter(|ball| (first..first + squares).contains(ball)) {
            symbols[ball - first] = b'@';
        }
        f.write_str(str::from_utf8(&symbols[..squares]).expect("ASCII"))?;
    }
    Ok(())
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

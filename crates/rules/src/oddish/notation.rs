//! Notation: one character per square, `.` empty, `o` stone, with `^` in the arrow's gap, and a
//! side letter after a blank. `..o^o.` has five squares and its arrow in gap 3.
//!
//! Input also accepts `O` and `◇` for a stone, `·` for an empty square, `↓` for the arrow. Without
//! a side letter Left moves; output writes the letter only for Right.

use super::{MAX_SQUARES, MIN_SQUARES, Oddish, Turn};
use crate::split_side;
use phutbase_base::outcome::{ParseError, Side};
use std::fmt;
use std::str::FromStr;

impl FromStr for Oddish {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Oddish, ParseError> {
        let (board, side) = split_side(text, ["L", "R"], "Left")?;
        let (mut stones, mut squares, mut gaps) = (0u64, 0, Vec::new());
        for symbol in board.chars() {
            match symbol {
                '.' | '·' => squares += 1,
                'o' | 'O' | '◇' => {
                    stones |= 1u64.checked_shl(squares).unwrap_or(0);
                    squares += 1;
                }
                '^' | '↓' => gaps.push(squares as usize),
                found => {
                    return Err(ParseError(format!(
                        "'{found}' is not a square: write '.' for empty, 'o' for a stone, '^' for the arrow between two squares"
                    )));
                }
            }
        }
        let (squares, arrows) = (squares as usize, gaps.len());
        let [gap] = gaps[..] else {
            return Err(ParseError(format!(
                "{arrows} arrows in '{board}': write one '^' between two squares"
            )));
        };
        if !(MIN_SQUARES..=MAX_SQUARES).contains(&squares) {
            return Err(ParseError(format!(
                "a board of {squares} squares: boards have {MIN_SQUARES} to {MAX_SQUARES}"
            )));
        }
        let over = || format!("the arrow of '{board}' stands at an end, where the game is over");
        Oddish::new(squares, gap, stones, side).ok_or_else(|| ParseError(over()))
    }
}

/// Writes one character per square, and the arrow in its gap, which may be at an end.
fn write_board(f: &mut impl fmt::Write, squares: usize, gap: usize, stones: u64) -> fmt::Result {
    for square in 0..=squares {
        if square == gap {
            f.write_char('^')?;
        }
        if square < squares {
            f.write_char(if stones >> square & 1 == 1 { 'o' } else { '.' })?;
        }
    }
    Ok(())
}

impl fmt::Display for Oddish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_board(f, self.squares(), self.gap(), self.stones)?;
        match self.side {
            Side::Left => Ok(()),
            Side::Right => f.write_str(" R"),
        }
    }
}

impl Oddish {
    /// Writes the board after a legal turn, also with the arrow at an end, and ` R` if Right is
    /// next.
    pub fn notation_after(&self, turn: Turn) -> String {
        let (gap, stones) = self.moved(turn);
        let mut text = String::new();
        write_board(&mut text, self.squares(), gap.into(), stones).expect("writing to a string cannot fail");
        if self.side == Side::Left {
            text += " R";
        }
        text
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Turn::Place(square) => write!(f, "o{square}"),
            Turn::Move(gap) => write!(f, "^{gap}"),
        }
    }
}

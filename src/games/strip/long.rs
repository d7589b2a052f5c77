//! Strips of any length, for the directional game: a formula gives their values, without tables.

use super::notation::{read_board, write_board};
use super::{MIN_LENGTH, Strip};
use crate::games::split_side;
use crate::outcome::{ParseError, Side};
use std::fmt;
use std::str::FromStr;

/// The greatest accepted length.
pub const LONGEST: usize = 10_000_000;

/// A position of the directional game on 3 to [`LONGEST`] squares. The ball is on an interior
/// square.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LongStrip {
    stones: Vec<bool>,
    ball: usize,
    side: Side,
}

impl LongStrip {
    /// Returns the number of squares.
    pub fn length(&self) -> usize {
        self.stones.len()
    }

    /// Returns the ball's square.
    pub fn ball(&self) -> usize {
        self.ball
    }

    /// Returns the player to move.
    pub fn side(&self) -> Side {
        self.side
    }

    /// Yields the squares from a player's goal line to the ball; true for a stone. Left's goal line
    /// is the last square.
    pub fn towards(&self, goal: Side) -> Vec<bool> {
        match goal {
            Side::Left => self.stones[self.ball + 1..].iter().rev().copied().collect(),
            Side::Right => self.stones[..self.ball].to_vec(),
        }
    }
}

impl From<&Strip> for LongStrip {
    fn from(strip: &Strip) -> LongStrip {
        LongStrip {
            stones: (0..strip.length()).map(|square| strip.stone(square)).collect(),
            ball: strip.ball(),
            side: strip.side(),
        }
    }
}

impl FromStr for LongStrip {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<LongStrip, ParseError> {
        let (board, side) = split_side(text, ["L", "R"], "Left")?;
        let (stones, ball) = read_board(board, MIN_LENGTH..=LONGEST)?;
        Ok(LongStrip { stones, ball, side })
    }
}

impl fmt::Display for LongStrip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_board(f, self.length(), Some(self.ball), |square| self.stones[square])?;
        f.write_str(if self.side == Side::Right { " R" } else { "" })
    }
}

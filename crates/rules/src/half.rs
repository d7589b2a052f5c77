//! Half strips: the squares between the ball and one goal line, read from the ball outward.
//!
//! The ball cuts a strip into two halves, and the arrow an Oddish board. A potential assigns a
//! number to each half and predicts the winner from the two numbers. Both halves are read *from the
//! ball*, so the mirror image of a position has the same halves, swapped.
//!
//! ```text
//!     . o . @ o o . . o          left half  .o.   read outward: empty, stone, empty
//!     └─ 3 ─┘   └─ 5 ─┘          right half oo..o
//! ```

use ethnum::U256;
use serde_core::{Serialize, Serializer};
use std::fmt;

/// Most squares of a half strip.
pub const MAX_HALF: usize = 253;

/// A half strip: its number of squares and its stones, bit 0 next to the ball.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Half {
    length: u8,
    stones: U256,
}

impl Half {
    /// Creates a half strip; `None` if it has no square or more than [`MAX_HALF`], or a stone past
    /// its end.
    pub fn new(length: usize, stones: impl Into<U256>) -> Option<Half> {
        let stones = stones.into();
        ((1..=MAX_HALF).contains(&length) && stones >> length == 0).then_some(Half {
            length: length as u8,
            stones,
        })
    }

    /// Returns the half to the right of the ball, or of the arrow, from the pattern without the
    /// ball's square ([`Strip::pattern`](crate::strip::Strip::pattern); an Oddish board's
    /// stones as they are).
    ///
    /// `ball` squares lie to the left of the ball, and `pattern_bits` squares besides it on the
    /// board.
    pub fn right_of(pattern: U256, ball: usize, pattern_bits: usize) -> Half {
        Half {
            length: (pattern_bits - ball) as u8,
            stones: pattern >> ball,
        }
    }

    /// Returns the half to the left of the ball, with the same arguments.
    pub fn left_of(pattern: U256, ball: usize) -> Half {
        Half {
            length: ball as u8,
            stones: pattern.reverse_bits() >> (U256::BITS as usize - ball),
        }
    }

    /// Returns the number of squares.
    pub fn length(&self) -> usize {
        self.length.into()
    }

    /// Returns the stones, bit 0 next to the ball.
    pub fn stones(&self) -> U256 {
        self.stones
    }

    /// Returns whether a square, counted from 0 at the ball, holds a stone.
    pub fn stone(&self, square: usize) -> bool {
        self.stones >> square & 1 == 1
    }
}

impl Serialize for Half {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for Half {
    /// Writes the squares from the ball on: `@oo..o`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("@")?;
        (0..self.length()).try_for_each(|square| f.write_str(if self.stone(square) { "o" } else { "." }))
    }
}

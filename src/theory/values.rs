//! Every value of one length in memory, from a table: for claims that are tried on every position.

use crate::diagram::Diagram;
use crate::games::strip::Strip;
use crate::outcome::{Depth, Side, Value};
use crate::table::Metric;
use crate::table::error::TableError;
use crate::table::strip::sets::StripSets;
use crate::table::values::{Run, fill_all};

/// The longest strips whose values are unpacked: two bytes a position, 369 MB at 24 squares.
pub const MAX_LENGTH: usize = 24;

/// The values of every position of one length.
pub struct AllValues {
    length: usize,
    /// By the index of the position with Left to move: 1 for a win, 0 for a draw, −1 for a loss.
    outcome: Vec<i8>,
    /// The plies; 0 for a draw.
    depth: Vec<u8>,
}

impl AllValues {
    /// Unpacks the values of a table with depths.
    ///
    /// # Errors
    /// [`TableError::Limit`] if games take more than 255 plies.
    ///
    /// # Panics
    /// If the table has no depths, or the strips more than [`MAX_LENGTH`] squares.
    pub fn of(sets: &StripSets) -> Result<AllValues, TableError> {
        let length = sets.length();
        assert!(sets.metric() == Metric::Dtw && length <= MAX_LENGTH);
        let positions = (length - 2) << (length - 1);
        let (mut outcome, mut depth) = (vec![0; positions], vec![0; positions]);
        let run = Run {
            outcome: &mut outcome,
            depth: &mut depth,
        };
        fill_all(sets, run)?;
        Ok(AllValues {
            length,
            outcome,
            depth,
        })
    }

    /// The number of squares.
    pub fn length(&self) -> usize {
        self.length
    }

    /// The outcomes of all patterns with the ball on one square and Left to move: 1, 0 or −1.
    pub fn outcomes(&self, ball: usize) -> &[i8] {
        let patterns = 1 << (self.length - 1);
        &self.outcome[(ball - 1) * patterns..][..patterns]
    }

    /// Whether Left wins the board with these [pattern](Strip::pattern) bits.
    pub fn left_wins(&self, to_move: Side, ball: usize, pattern: u64) -> bool {
        let bits = self.length - 1;
        match to_move {
            Side::Left => self.outcomes(ball)[pattern as usize] == 1,
            // In the mirror image Left is to move, and loses.
            Side::Right => self.outcomes(bits - ball)[(pattern.reverse_bits() >> (64 - bits)) as usize] == -1,
        }
    }

    /// The value of a strip for its player to move.
    ///
    /// # Panics
    /// If it is of another length.
    pub fn value(&self, strip: &Strip) -> Value {
        assert_eq!(strip.length(), self.length, "a strip of another length");
        let strip = strip.normalised();
        let index = ((strip.ball() - 1) << (self.length - 1)) + strip.pattern() as usize;
        let depth = Depth(self.depth[index].into());
        match self.outcome[index] {
            1 => Value::Win(depth),
            -1 => Value::Loss(depth),
            _ => Value::Draw,
        }
    }
}

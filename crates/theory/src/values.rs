//! All values of one length in memory, for claims that are checked on every position.

use phutbase_base::job::Job;
use phutbase_base::outcome::{Side, Value};
use phutbase_rules::strip::Strip;
use phutbase_sets::Diagram;
use phutbase_tables::values::LengthValues;
use phutbase_tables::{Metric, StripSets, TableError, Tablebase};

/// Greatest length that is unpacked: a byte per position, 185 MB at 24 squares.
pub const MAX_LENGTH: usize = 24;

pub struct AllValues {
    length: usize,
    /// The plies by index of the position with Left to move: odd for a win, even for a loss, 0 for a draw.
    plies: Vec<u8>,
}

impl AllValues {
    /// Unpacks the values of a length.
    pub fn ask(tables: &Tablebase, length: usize) -> Result<AllValues, TableError> {
        tables.ask_strips(length, Some(Metric::Dtw), |table| {
            AllValues::of(&table.sets(length)?)
        })
    }

    /// Unpacks the values of a table with depths.
    pub fn of(sets: &StripSets) -> Result<AllValues, TableError> {
        let length = sets.length();
        assert!(sets.metric() == Metric::Dtw && length <= MAX_LENGTH);
        let mut plies = vec![0; (length - 2) << (length - 1)];
        let job = Job::default();
        LengthValues::new(sets, &job)?.fill_all(&mut plies, &job)?;
        Ok(AllValues { length, plies })
    }

    pub fn length(&self) -> usize {
        self.length
    }

    /// Returns whether Left wins the board with these [pattern](Strip::pattern) bits.
    pub fn left_wins(&self, to_move: Side, ball: usize, pattern: u64) -> bool {
        let bits = self.length - 1;
        let plies = |ball: usize, pattern: u64| self.plies[(ball - 1) << bits | pattern as usize];
        match to_move {
            Side::Left => plies(ball, pattern) % 2 == 1,
            Side::Right => {
                // In the mirror image Left is to move and loses.
                let mirrored = plies(bits - ball, pattern.reverse_bits() >> (64 - bits));
                mirrored > 0 && mirrored.is_multiple_of(2)
            }
        }
    }

    pub fn value(&self, strip: &Strip) -> Value {
        assert_eq!(strip.length(), self.length, "a strip of another length");
        let strip = strip.normalised();
        let index = ((strip.ball() - 1) << (self.length - 1)) + strip.pattern().as_usize();
        Value::from_depth_byte(self.plies[index])
    }
}

//! All values of one length in memory, for claims that are checked on every position.

use phutbase_base::job::Job;
use phutbase_base::outcome::{Depth, Side, Value};
use phutbase_rules::strip::Strip;
use phutbase_sets::Diagram;
use phutbase_tables::values::{LengthValues, Run};
use phutbase_tables::{Metric, StripSets, TableError, Tablebase};

/// Greatest length that is unpacked: two bytes per position, 369 MB at 24 squares.
pub const MAX_LENGTH: usize = 24;

pub struct AllValues {
    length: usize,
    /// By index of the position with Left to move: 1 for a win, 0 for a draw, −1 for a loss.
    outcome: Vec<i8>,
    /// The plies by index; 0 for a draw.
    depth: Vec<u8>,
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
        let positions = (length - 2) << (length - 1);
        let (mut outcome, mut depth) = (vec![0; positions], vec![0; positions]);
        let run = Run {
            outcome: &mut outcome,
            depth: &mut depth,
        };
        let job = Job::default();
        LengthValues::new(sets, &job)?.fill_all(run, &job)?;
        Ok(AllValues {
            length,
            outcome,
            depth,
        })
    }

    pub fn length(&self) -> usize {
        self.length
    }

    /// Returns whether Left wins the board with these [pattern](Strip::pattern) bits.
    pub fn left_wins(&self, to_move: Side, ball: usize, pattern: u64) -> bool {
        let bits = self.length - 1;
        let outcome = |ball: usize, pattern: u64| self.outcome[(ball - 1) << bits | pattern as usize];
        match to_move {
            Side::Left => outcome(ball, pattern) == 1,
            // In the mirror image Left is to move and loses.
            Side::Right => outcome(bits - ball, pattern.reverse_bits() >> (64 - bits)) == -1,
        }
    }

    pub fn value(&self, strip: &Strip) -> Value {
        assert_eq!(strip.length(), self.length, "a strip of another length");
        let strip = strip.normalised();
        let index = ((strip.ball() - 1) << (self.length - 1)) + strip.pattern().as_usize();
        let depth = Depth(self.depth[index].into());
        match self.outcome[index] {
            1 => Value::Win(depth),
            -1 => Value::Loss(depth),
            _ => Value::Draw,
        }
    }
}

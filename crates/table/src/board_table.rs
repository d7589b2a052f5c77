//! The boards of one size in an open table, of strips or of a pitch.

use super::{Metric, PitchTable, StripTable, Summary, TableError, TableId};
use num_bigint::BigUint;
use phutbase_base::outcome::Verdict;
use phutbase_rules::position::{Phutball, RatedTurn, Standing, best_line, in_notation};
use phutbase_rules::strip::AnyStrip;
use phutbase_rules::{Boards, Rules, Strip};
use std::collections::BTreeMap;
use std::path::Path;

/// Maximum turns of a line without a depth; winning lines of 128 squares have a few hundred.
const MAX_LINE: usize = 1 << 12;

/// The boards of one size in an open table.
#[derive(Clone, Copy)]
pub enum BoardTable<'t> {
    /// The strips of a length.
    Strips(&'t StripTable, usize),
    /// A pitch.
    Pitch(&'t PitchTable),
}

impl<'t> BoardTable<'t> {
    /// Returns the boards.
    pub fn boards(self) -> Boards {
        match self {
            BoardTable::Strips(_, length) => Boards::strip(length),
            BoardTable::Pitch(table) => Boards::Pitch(table.shape()),
        }
    }

    /// Returns the id of the table.
    pub fn id(self) -> TableId {
        match self {
            BoardTable::Strips(table, _) => TableId::Strip(table.metric(), table.length()),
            BoardTable::Pitch(table) => TableId::Pitch(table.rules(), table.shape()),
        }
    }

    /// Returns the rules.
    pub fn rules(self) -> Rules {
        self.id().rules()
    }

    /// Returns the kind of values.
    pub fn metric(self) -> Metric {
        match self {
            BoardTable::Strips(table, _) => table.metric(),
            BoardTable::Pitch(_) => Metric::Dtw,
        }
    }

    /// Returns the file.
    pub fn path(self) -> &'t Path {
        match self {
            BoardTable::Strips(table, _) => table.path(),
            BoardTable::Pitch(table) => table.path(),
        }
    }

    /// Returns the size of the file in bytes.
    pub fn file_bytes(self) -> u64 {
        match self {
            BoardTable::Strips(table, _) => table.file_bytes(),
            BoardTable::Pitch(table) => table.file_bytes(),
        }
    }

    /// Returns the counts.
    pub fn summary(self) -> Result<Summary, TableError> {
        match self {
            BoardTable::Strips(table, length) => table.summary(length),
            BoardTable::Pitch(table) => Ok(table.summary()),
        }
    }

    /// Returns the number of positions by depth; `None` without depths.
    pub fn depths(self) -> Result<Option<BTreeMap<u16, BigUint>>, TableError> {
        match self {
            BoardTable::Strips(table, length) => {
                let deep = table.has_depths();
                deep.then(|| table.sets(length)?.depths()).transpose()
            }
            BoardTable::Pitch(table) => {
                let depths = table.metadata().depths.iter().map(|&count| count.into());
                Ok(Some((1..).zip(depths).collect()))
            }
        }
    }

    /// Returns a position with the longest win; `None` without depths.
    pub fn longest_win(self) -> Result<Option<String>, TableError> {
        match self {
            BoardTable::Strips(table, length) => {
                let strip = table.sets(length)?.longest_win()?;
                Ok(strip.map(|strip| strip.to_string()))
            }
            BoardTable::Pitch(table) => Ok(Some(table.metadata().longest_win.clone())),
        }
    }

    /// Returns the value of a position.
    ///
    /// # Panics
    /// If the position is not of a size that the table can hold; so do the following.
    pub fn verdict(self, position: &Phutball) -> Result<Verdict, TableError> {
        match (self, position) {
            (BoardTable::Strips(table, _), Phutball::Strip(strip)) => table.verdict(&packed(strip)),
            (BoardTable::Pitch(table), Phutball::Pitch(pitch)) => Ok(table.value(pitch)?.into()),
            _ => panic!("{position} is not on {}", self.boards()),
        }
    }

    /// Returns every turn of a position with its value, best first.
    pub fn rated_turns(self, position: &Phutball) -> Result<Vec<RatedTurn>, TableError> {
        match (self, position) {
            (BoardTable::Strips(table, _), Phutball::Strip(strip)) => {
                let rated = table.rated_turns(&packed(strip))?;
                Ok(in_notation(rated, |&turn, _| Standing::after(strip, turn)))
            }
            (BoardTable::Pitch(table), Phutball::Pitch(pitch)) => {
                let next = pitch.side().opponent();
                Ok(in_notation(table.rated_turns(pitch)?, |_, after| {
                    Standing::of_pitch(after, next)
                }))
            }
            _ => panic!("{position} is not on {}", self.boards()),
        }
    }

    /// Returns best play to the end of the game, or in a draw until a position repeats; at most
    /// `most` turns. With depths it is never longer than the depth, even in a wrong table. Without
    /// depths the winner keeps the win by forward play, so the line ends but may not be shortest.
    pub fn best_line(self, position: &Phutball, most: usize) -> Result<Vec<RatedTurn>, TableError> {
        let depth = self.verdict(position)?.depth;
        let longest = depth.map_or(MAX_LINE, |depth| depth.0.into());
        best_line(position, longest.min(most), |position| self.rated_turns(position))
    }
}

/// Returns a strip as tables hold it.
fn packed(strip: &AnyStrip) -> Strip {
    strip.packed().expect("a table holds the length")
}

//! The boards of one size in an open table, of strips or of a pitch.

use super::{Metric, PitchTable, StripTable, Summary, TableError, TableId};
use num_bigint::BigUint;
use phutbase_rules::{Boards, Rules};
use std::collections::BTreeMap;
use std::path::Path;

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
}

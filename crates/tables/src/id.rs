//! Table ids: the boards that a table holds, which determine its file name.

use super::pitch::metadata::PitchMetadata;
use super::strip::metadata::StripMetadata;
use super::{Metric, TableError};
use phutbase_base::outcome::ParseError;
use phutbase_files::FileError;
use phutbase_files::container::FileKind;
use phutbase_files::container::read::Container;
use phutbase_rules::strip::{MAX_LENGTH, MIN_LENGTH};
use phutbase_rules::{Rules, Shape};
use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// The boards of a table. [`Display`](fmt::Display) and [`FromStr`] convert to and from the file
/// name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TableId {
    /// Strips of 3 to this many squares.
    Strip(Metric, usize),
    /// A pitch.
    Pitch(Rules, Shape),
    /// Boards of Obstruction.
    Nimbers,
}

impl TableId {
    /// The table in a container, by its metadata, and the program that wrote it.
    pub fn of(container: &Container) -> Result<(TableId, Option<String>), TableError> {
        Ok(match container.kind() {
            FileKind::Strip => {
                let (metadata, _) = StripMetadata::read(container)?;
                let id = TableId::Strip(metadata.metric, metadata.length.into());
                (id, Some(metadata.generator))
            }
            FileKind::Pitch => {
                let (metadata, shape) = PitchMetadata::read(container)?;
                (TableId::Pitch(container.rules(), shape), Some(metadata.generator))
            }
            FileKind::Nimbers => (TableId::Nimbers, None),
            FileKind::PitchCheckpoint | FileKind::StripCheckpoint => {
                return Err(TableError::from(FileError::Foreign {
                    file: container.path().to_path_buf(),
                    field: "the kind of file",
                    found: container.kind().to_string(),
                    expected: "a table".to_string(),
                }));
            }
        })
    }

    /// The table in a file, by its metadata.
    pub fn of_file(file: &Path) -> Result<TableId, TableError> {
        Ok(TableId::of(&Container::open(file)?)?.0)
    }

    /// Returns the rules of its game.
    pub fn rules(self) -> Rules {
        match self {
            TableId::Pitch(rules, _) => rules,
            TableId::Strip(..) | TableId::Nimbers => Rules::Ordinary,
        }
    }
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableId::Strip(metric, length) => write!(f, "strip-{length}-{metric}.phut"),
            TableId::Pitch(rules, shape) => write!(f, "{}pitch-{shape}-dtw.phut", rules.prefix()),
            TableId::Nimbers => f.write_str("obstruction.phut"),
        }
    }
}

impl FromStr for TableId {
    type Err = ParseError;

    fn from_str(name: &str) -> Result<TableId, ParseError> {
        // Numbers have a single spelling, so that two names never denote the same table.
        (read(name).filter(|id| id.to_string() == name))
            .ok_or_else(|| ParseError(format!("'{name}' is not the name of a table")))
    }
}

fn read(name: &str) -> Option<TableId> {
    let stem = name.strip_suffix(".phut")?;
    if stem == "obstruction" {
        return Some(TableId::Nimbers);
    }
    // Every name has the prefix of the ordinary rules, which is empty and comes first.
    let of = |rules: Rules| Some((rules, stem.strip_prefix(rules.prefix())?));
    let (rules, rest) = Rules::ALL.into_iter().rev().find_map(of)?;
    let (boards, metric) = rest.rsplit_once('-')?;
    match boards.split_once('-')? {
        ("strip", length) => {
            let length = length
                .parse()
                .ok()
                .filter(|length| (MIN_LENGTH..=MAX_LENGTH).contains(length))?;
            Some(TableId::Strip(metric.parse().ok()?, length))
        }
        ("pitch", shape) => Some(TableId::Pitch(rules, shape.parse().ok()?)),
        _ => None,
    }
}

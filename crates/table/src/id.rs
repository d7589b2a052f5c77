//! Table ids: the boards that a table holds, which determine its file name.

use super::Metric;
use phutbase_base::outcome::ParseError;
use phutbase_rules::strip::{MAX_LENGTH, MIN_LENGTH};
use phutbase_rules::{Rules, Shape};
use std::fmt;
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

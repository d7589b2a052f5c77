//! Which boards a table holds. A table's file is named after them.

use super::Metric;
use crate::games::pitch::Shape;
use crate::games::rules::Rules;
use crate::outcome::ParseError;
use std::fmt;
use std::str::FromStr;

/// The boards of a table. [`Display`](fmt::Display) and [`FromStr`] are the name of its file, without a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TableId {
    /// Strips of 3 squares to this length.
    Strip(Rules, Metric, usize),
    /// A pitch.
    Pitch(Rules, Shape),
    /// Boards of Obstruction.
    Nimbers,
}

impl TableId {
    /// The rules by which its game is played.
    pub fn rules(self) -> Rules {
        match self {
            TableId::Strip(rules, ..) | TableId::Pitch(rules, _) => rules,
            TableId::Nimbers => Rules::Ordinary,
        }
    }
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableId::Strip(rules, metric, length) => {
                write!(f, "{}strip-{length}-{metric}.phut", rules.prefix())
            }
            TableId::Pitch(rules, shape) => write!(f, "{}pitch-{shape}-dtw.phut", rules.prefix()),
            TableId::Nimbers => f.write_str("obstruction.phut"),
        }
    }
}

impl FromStr for TableId {
    type Err = ParseError;

    fn from_str(name: &str) -> Result<TableId, ParseError> {
        // Numbers have one spelling, so that no two names mean the same table.
        (read(name).filter(|id| id.to_string() == name))
            .ok_or_else(|| ParseError(format!("'{name}' is not the name of a table")))
    }
}

fn read(name: &str) -> Option<TableId> {
    let stem = name.strip_suffix(".phut")?;
    if stem == "obstruction" {
        return Some(TableId::Nimbers);
    }
    let directional = stem.strip_prefix(Rules::Directional.prefix());
    let rules = directional.map_or(Rules::Ordinary, |_| Rules::Directional);
    let (boards, metric) = directional.unwrap_or(stem).rsplit_once('-')?;
    match boards.split_once('-')? {
        ("strip", length) => Some(TableId::Strip(rules, metric.parse().ok()?, length.parse().ok()?)),
        ("pitch", shape) => Some(TableId::Pitch(rules, shape.parse().ok()?)),
        _ => None,
    }
}

//! The report of an engine about its turn: depth, score and line of the last `info` with a score.

use serde::{Deserialize, Serialize};
use std::fmt;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    pub depth: Option<u32>,
    pub score: Option<InfoScore>,
    pub nodes: Option<u64>,
    /// The expected turns, in notation.
    pub line: Vec<String>,
}

/// A score for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum InfoScore {
    /// A win in this many turns of that player; if negative, a loss.
    Mate(i64),
    Centipawns(i64),
}

/// Writes a score as cutechess does: pawns with two decimals, or `M` and plies.
impl fmt::Display for InfoScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            InfoScore::Centipawns(0) => f.write_str("0.00"),
            InfoScore::Centipawns(value) => write!(f, "{:+.2}", value as f64 / 100.0),
            InfoScore::Mate(turns) if turns > 0 => write!(f, "+M{}", turns.saturating_mul(2) - 1),
            InfoScore::Mate(turns) => write!(f, "-M{}", turns.unsigned_abs().saturating_mul(2)),
        }
    }
}

/// Parses the words after `info`. Returns `None` without an exact score of the best line.
pub fn parse(words: &str) -> Option<Report> {
    let mut report = Report::default();
    let mut words = words.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "string" => break,
            "lowerbound" | "upperbound" => return None,
            "multipv" if words.next() != Some("1") => return None,
            "depth" => report.depth = words.next()?.parse().ok(),
            "nodes" => report.nodes = words.next()?.parse().ok(),
            "score" => {
                let kind = words.next()?;
                let value = words.next()?.parse().ok()?;
                report.score = match kind {
                    "cp" => Some(InfoScore::Centipawns(value)),
                    "mate" => Some(InfoScore::Mate(value)),
                    _ => None,
                };
            }
            "pv" => report.line = words.by_ref().map(str::to_string).collect(),
            _ => {}
        }
    }
    report.score.is_some().then_some(report)
}

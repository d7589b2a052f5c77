//! The main result in one table, by lengths and checkers. README, docs/THEORY.md and the paper have
//! the same table (`scripts/results.py`).

use super::document::{Cell, Table, table, text};
use super::text::{runs, short};
use super::{Atlas, Row};

/// Maximum length that each checker accepted; docs/PROOF.md describes the runs.
const CHECKERS: [(usize, &str); 4] = [
    (28, "`verify --by-enumeration`"),
    (32, "Coq's kernel"),
    (72, "the checker extracted from Coq"),
    (128, "`verify`"),
];

/// Returns the lengths in ranges that the same checkers accepted.
pub fn results(atlas: &Atlas) -> Table {
    let mut lines = Vec::new();
    let mut rows = &atlas.rows[..];
    for (place, &(limit, _)) in CHECKERS.iter().enumerate() {
        let (range, rest) = rows.split_at(rows.partition_point(|row| row.length <= limit));
        rows = rest;
        if let Some(last) = range.last() {
            let checkers: Vec<&str> = CHECKERS[place..].iter().map(|(_, name)| *name).collect();
            lines.push(line(range, last, &checkers.join(", ")));
        }
    }
    table(
        "No draw on these strips",
        "squares | positions, the longest strip | longest game, plies | levels | accepted by",
        4,
        lines,
    )
}

fn line(range: &[Row], last: &Row, checkers: &str) -> Vec<Cell> {
    let lengths: Vec<usize> = range.iter().map(|row| row.length).collect();
    let longest = range.iter().filter_map(Row::longest).max();
    let or_nothing = |number: Option<usize>| number.map_or(String::new(), |number| number.to_string());
    vec![
        text(runs(&lengths)),
        text(short(&last.positions)),
        text(or_nothing(longest)),
        text(or_nothing(last.backward_turns.map(|turns| turns + 1))),
        text(checkers),
    ]
}

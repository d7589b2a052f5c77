//! Depths of lengths whose tables with depths are not shipped, from an earlier run.
//!
//! `depths.tsv` keeps the depths that `phutbase stats N --json` prints for the table of
//! `phutbase generate 44`. They must add up to the wins and losses of the tables at hand.

use super::{ReportError, Row};
use num_bigint::BigUint;

/// A line for each length: the number of squares, and the positions by plies to the end, from 1.
const DEPTHS: &str = include_str!("depths.tsv");

/// Returns the stored depths by length: positions with Left to move by plies to the end, from 1.
pub fn stored() -> impl Iterator<Item = (usize, Vec<u128>)> {
    DEPTHS.lines().filter_map(|line| {
        let mut fields = line.split('\t');
        let length = fields.next()?.parse().ok()?;
        Some((length, fields.map(str::parse).collect::<Result<_, _>>().ok()?))
    })
}

/// Adds stored depths to rows without depths. Fails if depths disagree with a table.
pub(super) fn complete(rows: &mut [Row]) -> Result<(), ReportError> {
    for (length, depths) in stored() {
        let Some(row) = rows.iter_mut().find(|row| row.length == length) else {
            continue;
        };
        let [wins, losses] = [0, 1].map(|first| {
            let depths = depths.iter().skip(first).step_by(2);
            depths.map(|&count| BigUint::from(count)).sum()
        });
        if (&wins, &losses) != (&row.wins, &row.losses) {
            return Err(ReportError::disagreement(length, &wins, &row.wins));
        }
        if row.depths.is_empty() {
            row.depths = depths;
        } else if row.depths != depths {
            return Err(ReportError::Wrong(format!(
                "length {length}: the table and crates/atlas/src/depths.tsv disagree on depths"
            )));
        }
    }
    Ok(())
}

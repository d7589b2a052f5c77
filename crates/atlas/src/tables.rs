//! Facts about every length: exact counts of the solution; depths and levels of forward play from tables.

use super::{ReportError, Row};
use num_bigint::BigUint;
use phutbase_base::job::Job;
use phutbase_rules::strip::{MIN_LENGTH, positions};
use phutbase_solution::count::Counts;
use phutbase_tables::{Metric, StripTable, Tablebase};
use phutbase_theory::error::TheoryError;
use phutbase_theory::forward::needed;

/// Greatest length whose wins are counted.
pub const LONGEST: usize = 144;

const EXAMPLES: usize = 3;

/// The first lengths that need one, two, … backward turns, to [`LONGEST`]. Those beyond the shipped table are
/// results of version 0.3 (docs/THEORY.md).
const FIRST_NEEDED: [usize; 6] = [22, 44, 66, 91, 113, 138];

/// Counts the wins of all lengths, and adds what tables hold.
pub fn read(tables: &Tablebase, job: &Job) -> Result<Vec<Row>, ReportError> {
    let counts = Counts::up_to(LONGEST, job)?;
    let mut rows: Vec<Row> = (MIN_LENGTH..=LONGEST)
        .map(|length| {
            let (positions, wins) = (positions(length), counts.wins(length));
            Row {
                length,
                losses: &positions - &wins,
                backward_turns: FIRST_NEEDED.partition_point(|&first| first <= length),
                positions,
                wins,
                ..Row::default()
            }
        })
        .collect();
    for (metric, held) in tables.strip_tables() {
        let table = tables.strip_table(metric, held)?;
        for (row, length) in rows.iter_mut().zip(table.lengths()) {
            compare(row, table, length)?;
        }
    }
    let of_levels = |&(metric, _): &(Metric, usize)| metric == Metric::Levels;
    if let Some((metric, held)) = tables.strip_tables().filter(of_levels).last() {
        levels(&mut rows, tables.strip_table(metric, held)?)?;
    }
    Ok(rows)
}

/// Writes the counts of all lengths as comma-separated values; unknown values are left empty.
pub fn csv(rows: &[Row]) -> String {
    let mut text = "squares,positions,wins,losses,draws,longest\n".to_string();
    for row in rows {
        let longest = row.longest().map_or(String::new(), |plies| plies.to_string());
        let (length, positions, wins, losses) = (row.length, &row.positions, &row.wins, &row.losses);
        text += &format!("{length},{positions},{wins},{losses},0,{longest}\n");
    }
    text
}

/// Adds the depths of a table, whose counts must be those of the solution.
fn compare(row: &mut Row, table: &StripTable, length: usize) -> Result<(), ReportError> {
    let summary = table.summary(length)?;
    if (&row.wins, &row.losses) != (&summary.wins, &summary.losses) {
        return Err(ReportError::disagreement(length, &row.wins, &summary.wins));
    }
    if table.has_depths() && row.depths.is_empty() {
        row.depths = vec![0; summary.longest().into()];
        for (plies, count) in table.sets(length)?.depths()? {
            let count = u128::try_from(count).map_err(|_: <u128 as TryFrom<BigUint>>::Error| {
                ReportError::Wrong(format!("length {length}: more than 2^128 positions of one depth"))
            })?;
            row.depths[usize::from(plies) - 1] = count;
        }
    }
    Ok(())
}

/// Adds forward play from a table of levels.
fn levels(rows: &mut [Row], table: &StripTable) -> Result<(), ReportError> {
    let levels = |length: usize| usize::from(table.metadata().counts(length).levels);
    for (row, length) in rows.iter_mut().zip(table.lengths()) {
        if row.backward_turns != levels(length) - 1 {
            return Err(ReportError::Wrong(format!(
                "length {length}: the table has {} levels, and {} backward turns are on record",
                levels(length),
                row.backward_turns
            )));
        }
        row.has_levels = true;
        if length > MIN_LENGTH && levels(length) > levels(length - 1) {
            let sets = table.sets(length)?;
            let found = needed(sets.workspace(), &sets, sets.roots(), EXAMPLES);
            row.needed = Some(found.map_err(TheoryError::from)?);
        }
    }
    Ok(())
}

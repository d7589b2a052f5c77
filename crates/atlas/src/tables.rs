//! Facts about every length from tables: exact counts, depths, levels of forward play.

use super::{ReportError, Row};
use num_bigint::BigUint;
use phutbase_rules::strip::MIN_LENGTH;
use phutbase_sets::count::size;
use phutbase_table::{Metric, StripTable, Tablebase};
use phutbase_theory::chain::crossing;
use phutbase_theory::error::TheoryError;
use phutbase_theory::forward::needed;

/// Step between the lengths whose diagrams are measured.
const MEASURED_EVERY: usize = 8;

const EXAMPLES: usize = 3;

pub fn read(tables: &Tablebase) -> Result<Vec<Row>, ReportError> {
    let longest = tables.longest_strips(false).unwrap_or(0);
    let mut rows: Vec<Row> = (MIN_LENGTH..=longest)
        .map(|length| Row {
            length,
            ..Row::default()
        })
        .collect();
    for (metric, held) in tables.strip_tables() {
        let table = tables.strip_table(metric, held)?;
        for (row, length) in rows.iter_mut().zip(table.lengths()) {
            count(row, table, length)?;
        }
    }
    let longest = |wanted| {
        tables
            .strip_tables()
            .filter(|&(metric, _)| metric == wanted)
            .last()
    };
    if let Some((metric, held)) = longest(Metric::Levels) {
        levels(&mut rows, tables.strip_table(metric, held)?)?;
    }
    if let Some((metric, held)) = longest(Metric::Wdl) {
        winners(&mut rows, tables.strip_table(metric, held)?)?;
    }
    Ok(rows)
}

/// Writes the counts of all lengths as comma-separated values; unknown values are left empty.
pub fn csv(rows: &[Row]) -> String {
    let mut text = "squares,positions,wins,losses,draws,longest\n".to_string();
    for row in rows {
        let longest = row.longest().map_or(String::new(), |plies| plies.to_string());
        let (length, positions, wins, losses) = (row.length, &row.positions, &row.wins, &row.losses);
        let draws = positions - wins - losses;
        text += &format!("{length},{positions},{wins},{losses},{draws},{longest}\n");
    }
    text
}

fn count(row: &mut Row, table: &StripTable, length: usize) -> Result<(), ReportError> {
    let summary = table.summary(length)?;
    if row.positions != BigUint::ZERO && (&row.wins, &row.losses) != (&summary.wins, &summary.losses) {
        return Err(ReportError::disagreement(length, &row.wins, &summary.wins));
    }
    row.positions = summary.positions();
    if table.has_depths() && row.depths.is_empty() {
        row.depths = vec![0; summary.longest().into()];
        for (plies, count) in table.sets(length)?.depths()? {
            let count = u128::try_from(count).map_err(|_| {
                ReportError::Wrong(format!("length {length}: more than 2^128 positions of one depth"))
            })?;
            row.depths[usize::from(plies) - 1] = count;
        }
    }
    row.wins = summary.wins;
    row.losses = summary.losses;
    Ok(())
}

/// Adds forward play from the longest table of levels.
fn levels(rows: &mut [Row], table: &StripTable) -> Result<(), ReportError> {
    let levels = |length: usize| usize::from(table.metadata().counts(length).levels);
    for (row, length) in rows.iter_mut().zip(table.lengths()) {
        row.backward_turns = Some(levels(length) - 1);
        if length > MIN_LENGTH && levels(length) > levels(length - 1) {
            let sets = table.sets(length)?;
            let found = needed(sets.workspace(), &sets, sets.roots(), EXAMPLES);
            row.needed = Some(found.map_err(TheoryError::from)?);
        }
    }
    Ok(())
}

/// Adds chains and diagram sizes from the longest table of who wins.
fn winners(rows: &mut [Row], table: &StripTable) -> Result<(), ReportError> {
    let lengths = table.lengths();
    for (row, length) in rows.iter_mut().zip(lengths.clone()) {
        if length.is_multiple_of(MEASURED_EVERY) {
            let (graph, roots) = table.sets(length)?.reduced()?;
            row.nodes = Some(size(&graph, &roots));
        }
    }
    // A chain at one length implies one at every shorter one (docs/THEORY.md): bisect.
    let (mut holds, mut fails, mut found) = (MIN_LENGTH - 1, table.length() + 1, None);
    let mut asked = table.length();
    while holds + 1 < fails {
        match crossing(&table.sets(asked)?)? {
            None => holds = asked,
            Some(crossing) => (fails, found) = (asked, Some(crossing)),
        }
        asked = (holds + fails) / 2;
    }
    for (row, length) in rows.iter_mut().zip(lengths) {
        if length <= holds {
            row.chain = Some(Ok(()));
        } else if length == fails {
            row.chain = found.take().map(Err);
        }
    }
    Ok(())
}

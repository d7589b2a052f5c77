//! What the tables of a directory say: exact counts, depths, and how large the files are.

use super::{ReportError, Row, shown};
use crate::diagram::count::size;
use crate::outcome::Side;
use crate::table::any::Table;
use crate::table::directory::Tablebase;
use crate::table::{Layout, Metric};
use crate::theory::chain::crossing;
use crate::theory::planes::TheoryError;

/// A table file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct File {
    /// What its values say.
    pub metric: Metric,
    /// How they are stored.
    pub layout: Layout,
    /// Its size.
    pub bytes: u64,
    /// The nodes in it, where it has any.
    pub nodes: Option<u64>,
    /// Whether it has a proof of who wins in it: levels of forward play, or all depths.
    pub proof: bool,
}

/// Reads all strip tables of a directory, length by length; each is checked as whenever it is opened.
///
/// # Errors
/// [`ReportError::Table`] if one cannot be used, [`ReportError::Wrong`] if two tables of a length count differently.
pub fn read(tables: &Tablebase) -> Result<Vec<Row>, ReportError> {
    let mut all: Vec<Row> = Vec::new();
    for (length, metric) in tables.contents() {
        let Some(table) = tables.table(length, metric)? else {
            continue;
        };
        let header = table.header();
        let stored = match all.last_mut() {
            Some(last) if last.length == length => last,
            _ => {
                all.push(Row {
                    length,
                    positions: table.positions(),
                    wins: header.wins.clone(),
                    losses: header.losses.clone(),
                    ..Row::default()
                });
                all.last_mut().expect("one was just pushed")
            }
        };
        if (&stored.wins, &stored.losses) != (&header.wins, &header.losses) {
            return Err(ReportError::disagreement(length, &stored.wins, &header.wins));
        }
        add(stored, table)?;
    }
    Ok(all)
}

/// The counts of all lengths as comma-separated values: what is not known is left empty.
pub fn csv(rows: &[Row]) -> String {
    let mut text = "squares,positions,wins,losses,draws,longest\n".to_string();
    for row in rows {
        let longest = row.longest().map_or(String::new(), |plies| plies.to_string());
        let draws = &row.positions - &row.wins - &row.losses;
        let Row {
            length,
            positions,
            wins,
            losses,
            ..
        } = row;
        text += &format!("{length},{positions},{wins},{losses},{draws},{longest}\n");
    }
    text
}

/// What one table says, added to what is known of its length.
fn add(stored: &mut Row, table: &Table) -> Result<(), ReportError> {
    let header = table.header();
    let deep = header.metric == Metric::Dtw;
    if deep {
        let depths = &table.description().depths;
        let last = depths.keys().next_back().map_or(0, |&plies| usize::from(plies));
        stored.depths = vec![0; last];
        for (&plies, &count) in depths {
            if let Some(place) = usize::from(plies).checked_sub(1) {
                stored.depths[place] = count;
            }
        }
    }
    let (mut nodes, mut proof) = (None, deep);
    if let Table::Diagram(diagrams) = table {
        let roots = [Side::Left, Side::Right].map(|side| diagrams.won_by_left(side));
        nodes = Some(diagrams.payload().nodes());
        if diagrams.levels() > 0 {
            proof = true;
            stored.chain = Some(crossing(diagrams).map_err(TheoryError::from)?.map_or(Ok(()), Err));
            stored.needed = Some(shown(diagrams.workspace(), &diagrams.nodes(), diagrams.roots())?);
        }
        stored.nodes = stored.nodes.or(Some(size(&diagrams.nodes(), &roots)));
    }
    stored.files.push(File {
        metric: header.metric,
        layout: table.layout(),
        bytes: header.file_bytes,
        nodes,
        proof,
    });
    Ok(())
}

//! A table held against the dense engine, which enumerates every board of a length and knows no diagrams.

use super::plan::{Plan, PlanError};
use crate::diagram::algebra::{Join, Sets};
use crate::diagram::graph::{Graph, TooLarge};
use crate::diagram::members::Members;
use crate::games::strip::Strip;
use crate::outcome::Side;
use crate::solve::dense::sets::sets;
use crate::solve::dense::{DenseError, DenseSolver};
use crate::table::Metric;
use crate::table::error::TableError;
use crate::table::strip::StripTable;
use num_bigint::BigUint;
use std::ops::ControlFlow;

/// Why a table could not be held against an enumeration.
#[derive(Debug, thiserror::Error)]
pub enum WitnessError {
    /// It does not fit.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The engine failed.
    #[error(transparent)]
    Dense(#[from] DenseError),
    /// The table cannot be used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// More nodes than can be numbered.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// The observer asked to stop.
    #[error("interrupted after ply {0}")]
    Interrupted(usize),
}

/// A position whose value differs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{position}': the table and the enumeration differ on whether Left wins within {plies} plies")]
pub struct Difference {
    /// The position.
    pub position: Strip,
    /// The plies; with a table of who wins, those of the longest game.
    pub plies: usize,
}

/// Enumerates the boards of a length and compares every value with the table's: with its depth, or who wins. `observer` hears of every
/// ply and the positions decided so far. `None` if nothing differs.
pub fn compare(
    table: &StripTable,
    length: usize,
    memory: Option<u64>,
    observer: &mut dyn FnMut(usize, u64) -> ControlFlow<()>,
) -> Result<Option<Difference>, WitnessError> {
    Plan::of_enumeration(length)?.check_memory(memory)?;
    let stored = table.sets(length)?;
    let mut solver = DenseSolver::new(length)?.under(table.rules());
    let mut decided = 0;
    loop {
        let new = solver.step()?;
        decided += new;
        let ply = solver.counts().len();
        if observer(ply, decided).is_break() {
            return Err(WitnessError::Interrupted(ply));
        }
        if new == 0 {
            break;
        }
    }
    let (mut graph, enumerated) = sets(Graph::new(length), &solver)?;
    let last = |parity: usize| (0..enumerated.len()).rev().find(|place| place % 2 == parity);
    // Sets of the table, sets of the enumeration, and what they are.
    let pairs: Vec<(u32, usize)> = match table.metric() {
        Metric::Dtw => (1..=enumerated.len().max(stored.roots().len()))
            .map(|plies| (stored.won_within(plies), plies))
            .collect(),
        Metric::Wdl => [Side::Left, Side::Right]
            .into_iter()
            .filter_map(|side| Some((stored.won_by_left(side), last(side as usize)? + 1)))
            .collect(),
    };
    let roots: Vec<u32> = pairs.iter().map(|&(root, _)| root).collect();
    let roots = graph.copy(&stored, &roots)?;
    let mut sets = Sets::new(graph);
    for (&(_, plies), root) in pairs.iter().zip(roots) {
        let side = if plies % 2 == 1 { Side::Left } else { Side::Right };
        // Past the longest game the sets of a player stay as they are.
        let place = (plies - 1).min(last((plies - 1) % 2).unwrap_or(plies - 1));
        let Some(&expected) = enumerated.get(place) else {
            continue;
        };
        for (a, b) in [(root, expected), (expected, root)] {
            let only = sets.join(Join::Minus, a, b)?;
            if let Some(position) = Members::new(sets.graph(), only).nth(&BigUint::ZERO, side) {
                return Ok(Some(Difference { position, plies }));
            }
        }
    }
    Ok(None)
}

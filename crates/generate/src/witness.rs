//! Comparison of a table with the dense engine, which enumerates every board of a length without
//! diagrams.

use super::plan::{Plan, PlanError};
use phutbase_base::job::{Job, Need};
use phutbase_base::outcome::Side;
use phutbase_rules::strip::Strip;
use phutbase_sets::{Graph, Sets, TooLarge};
use phutbase_strips::dense::sets::sets;
use phutbase_strips::dense::{DenseError, DenseSolver};
use phutbase_table::{Metric, StripTable, TableError};

/// Why a table could not be compared with an enumeration.
#[derive(Debug, thiserror::Error)]
pub enum WitnessError {
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error(transparent)]
    Dense(#[from] DenseError),
    #[error(transparent)]
    Table(#[from] TableError),
    /// More nodes than a graph can number.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{position}': the table and the enumeration disagree on a win of Left within {plies} plies")]
pub struct Difference {
    pub position: Strip,
    /// The plies; for a table of winners, those of the longest game.
    pub plies: usize,
}

/// Enumerates the boards of a length and compares every value with the table's, or every winner if
/// the table has no depths. The job counts positions. Returns `None` if nothing differs.
pub fn compare(table: &StripTable, length: usize, job: &Job) -> Result<Option<Difference>, WitnessError> {
    let plan = Plan::of_enumeration(length)?;
    plan.check_memory(job.memory())?;
    job.expect(plan.positions, "positions");
    job.need(Need {
        memory: plan.memory,
        ..Need::default()
    });
    let stored = table.sets(length)?;
    let mut solver = DenseSolver::new(length)?;
    while solver.step(job)? > 0 {}
    let (mut graph, enumerated) = sets(Graph::new(length), &solver)?;
    let last = |parity: usize| (0..enumerated.len()).rev().find(|place| place % 2 == parity);
    // Roots of the table and plies of the enumeration that must agree.
    let pairs: Vec<(u32, usize)> = match table.metric() {
        Metric::Dtw => (1..=enumerated.len().max(stored.roots().len()))
            .map(|plies| (stored.won_within(plies), plies))
            .collect(),
        Metric::Levels | Metric::Wdl => [Side::Left, Side::Right]
            .into_iter()
            .filter_map(|side| Some((stored.won_by_left(side), last(side as usize)? + 1)))
            .collect(),
    };
    let roots: Vec<u32> = pairs.iter().map(|&(root, _)| root).collect();
    let roots = graph.copy(&stored, &roots)?;
    let mut sets = Sets::new(graph);
    for (&(_, plies), root) in pairs.iter().zip(roots) {
        let side = if plies % 2 == 1 { Side::Left } else { Side::Right };
        // Past the longest game the sets of a player are constant.
        let place = (plies - 1).min(last((plies - 1) % 2).unwrap_or(plies - 1));
        let Some(&expected) = enumerated.get(place) else {
            continue;
        };
        if let Some(position) = sets.first_differing(root, expected, side)? {
            return Ok(Some(Difference { position, plies }));
        }
    }
    Ok(None)
}

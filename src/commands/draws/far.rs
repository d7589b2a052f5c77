//! `phutbase draws` without tables: the search past the end of arrays.

use super::super::output::{BigCount, CommandError, say};
use super::super::progress::watched;
use super::{Cost, Line};
use phutbase::answer::stats::Counts;
use phutbase::diagram::graph::Graph;
use phutbase::games::boards::Boards;
use phutbase::games::rules::Rules;
use phutbase::generate::plan::{human_bytes, symbolic_limits};
use phutbase::solve::symbolic::Levels;
use phutbase::table::Metric;
use phutbase::theory::draws;
use phutbase::theory::planes::{TheoryError, solve_levels};
use std::time::Instant;

/// Searches some lengths, one after the other, within a memory limit or what the system has free.
pub(super) fn search(
    lengths: &[usize],
    rules: Rules,
    memory: Option<u64>,
    mut report: impl FnMut(Line) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    let (first, last) = (lengths[0], lengths[lengths.len() - 1]);
    let most = human_bytes(symbolic_limits(memory).memory);
    say(&format!(
        "lengths {first} to {last}: the symbolic engine, at most {most} of memory, no tables"
    ));
    let mut shorter = None;
    for &length in lengths {
        let (line, levels) = solve(length, rules, memory, shorter.as_ref())?;
        report(line)?;
        shorter = Some(levels);
    }
    Ok(())
}

/// Solves one length, from the levels of a shorter one if there are any.
fn solve(
    length: usize,
    rules: Rules,
    memory: Option<u64>,
    shorter: Option<&Levels>,
) -> Result<(Line, Levels), CommandError> {
    let begun = Instant::now();
    let solver = watched(format!("length {length}"), memory, |watch| {
        solve_levels(length, rules, shorter, watch).map_err(|error| match error {
            TheoryError::Interrupted(_) => CommandError::Failure(format!(
                "interrupted in length {length}; 'phutbase generate {length} --metric wdl{}' keeps what it has done",
                rules.option()
            )),
            error => error.into(),
        })
    })?;
    let (peak_nodes, peak_bytes) = solver.peak();
    let levels = solver.levels()?;
    let totals = levels.totals();
    let mutual_draws = match totals.draws.bits() {
        0 => totals.draws.clone(),
        _ => {
            let graph = Graph::new(levels.store().length());
            draws::of_sets(graph, levels.store(), levels.winners(), 0)?.mutual_draws
        }
    };
    let counts = [totals.wins, totals.losses, totals.draws];
    let line = Line {
        counts: Counts::new(&Boards::strip(length), rules, Metric::Wdl, counts, None),
        mutual_draws: BigCount(mutual_draws),
        examples: Vec::new(),
        cost: Some(Cost {
            levels: levels.count(),
            nodes: levels.nodes(),
            sweeps: solver.sweeps(),
            peak_nodes,
            peak_bytes,
            seconds: begun.elapsed().as_secs_f64(),
        }),
    };
    Ok((line, levels))
}

//! `phutbase draws` without tables: the search past the end of arrays.

use super::super::in_order::in_order;
use super::super::output::{BigCount, CommandError, grouped};
use super::super::{interrupt, progress};
use super::{Cost, Line};
use indicatif::MultiProgress;
use phutbase::answer::stats::Counts;
use phutbase::games::boards::Boards;
use phutbase::generate::plan::{free_memory, human_bytes};
use phutbase::solve::symbolic::{Limits, Progress, WinnerSolver};
use phutbase::table::Metric;
use phutbase::theory::draws;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Searches some lengths, one on each thread, within a memory limit for all together or what the system has free.
pub(super) fn search(
    lengths: &[usize],
    memory: Option<u64>,
    report: impl FnMut(Line) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    let threads = rayon::current_num_threads().min(lengths.len()).max(1) as u64;
    let limits = Limits {
        memory: memory.unwrap_or_else(free_memory) / threads,
        ..Limits::default()
    };
    // Without stderr there is nobody to tell.
    let _ = writeln!(
        std::io::stderr(),
        "lengths {} to {}: the symbolic engine, at most {} of memory, no tables",
        lengths[0],
        lengths[lengths.len() - 1],
        human_bytes(limits.memory * threads)
    );
    let bars = MultiProgress::new();
    in_order(
        lengths,
        |length, unwanted| solve(length, limits, &bars, unwanted),
        report,
    )
}

fn solve(
    length: usize,
    limits: Limits,
    bars: &MultiProgress,
    unwanted: &AtomicBool,
) -> Result<Line, CommandError> {
    let begun = Instant::now();
    let stop = interrupt::flag("finishing the step");
    let bar = bars.add(progress::spinner());
    bar.set_prefix(format!("length {length}"));
    let mut solver = WinnerSolver::new(length, limits)?;
    while solver.step()? != Progress::Done {
        if stop.load(Ordering::Relaxed) || unwanted.load(Ordering::Relaxed) {
            return Err(CommandError::Failure(format!(
                "interrupted in length {length}; 'phutbase generate {length} --engine symbolic --metric wdl' keeps what it has done"
            )));
        }
        let store = solver.store();
        bar.set_message(format!(
            "ball squares {} to {}, sweep {}, {} nodes, {}",
            solver.zone(),
            length - 2,
            solver.sweeps() + 1,
            grouped(store.nodes() as u128),
            human_bytes(store.bytes())
        ));
        bar.tick();
    }
    bar.finish_and_clear();
    let winners = solver.winners();
    let totals = winners.totals();
    let mutual_draws = match totals.draws.bits() {
        0 => totals.draws.clone(),
        _ => {
            draws::of_sets(winners.store(), winners.sets(), 0)
                .map_err(|error| CommandError::Failure(error.to_string()))?
                .mutual_draws
        }
    };
    let boards = Boards::strip(length);
    Ok(Line {
        counts: Counts {
            game: boards.game(),
            boards: boards.to_string(),
            metric: Metric::Wdl.to_string(),
            positions: BigCount(totals.positions),
            wins: BigCount(totals.wins),
            losses: BigCount(totals.losses),
            draws: BigCount(totals.draws),
            longest: None,
        },
        mutual_draws: BigCount(mutual_draws),
        examples: Vec::new(),
        cost: Some(Cost {
            nodes: winners.nodes(),
            peak_nodes: solver.store().peak_nodes(),
            peak_bytes: solver.store().peak_bytes(),
            seconds: begun.elapsed().as_secs_f64(),
        }),
    })
}

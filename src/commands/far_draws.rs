//! `phutbase draws --engine symbolic`: the search for draws past the end of arrays.

use super::in_order::in_order;
use super::interrupt;
use super::output::{BigCount, CommandError, grouped, json_line, stdout};
use super::progress;
use indicatif::MultiProgress;
use phutbase::generate::plan::{free_memory, human_bytes};
use phutbase::solve::symbolic::{Limits, Progress, WinnerSolver};
use phutbase::theory::draws;
use serde::Serialize;
use std::io::Write;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

#[derive(Serialize)]
struct Line {
    length: usize,
    positions: BigCount,
    wins: BigCount,
    losses: BigCount,
    draws: BigCount,
    mutual_draws: BigCount,
    nodes: usize,
    peak_nodes: usize,
    peak_bytes: u64,
    seconds: f64,
}

/// Searches some lengths, one on each thread, within a memory limit for all together or what the system has free.
pub fn run(lengths: RangeInclusive<usize>, memory: Option<u64>, json: bool) -> Result<(), CommandError> {
    let list: Vec<usize> = lengths.clone().collect();
    let threads = rayon::current_num_threads().min(list.len()).max(1) as u64;
    let limits = Limits {
        memory: memory.unwrap_or_else(free_memory) / threads,
        ..Limits::default()
    };
    let bars = MultiProgress::new();
    let mut out = stdout();
    let mut with_draws = Vec::new();
    in_order(
        &list,
        |length, unwanted| solve(length, limits, &bars, unwanted),
        |line| {
            if line.draws.0.bits() > 0 {
                with_draws.push(line.length.to_string());
            }
            if json {
                json_line(&mut out, &line)?;
            } else {
                print(&mut out, &line)?;
            }
            Ok(out.flush()?)
        },
    )?;
    if !json {
        let verdict = match with_draws.is_empty() {
            true => "no draw".to_string(),
            false => format!("draws at length {}", with_draws.join(", ")),
        };
        writeln!(out, "lengths {} to {}: {verdict}", lengths.start(), lengths.end())?;
    }
    Ok(out.flush()?)
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
                "interrupted in length {length}; 'phutbase generate --engine symbolic --metric wdl' keeps what it has done"
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
    Ok(Line {
        length,
        positions: BigCount(totals.positions),
        wins: BigCount(totals.wins),
        losses: BigCount(totals.losses),
        draws: BigCount(totals.draws),
        mutual_draws: BigCount(mutual_draws),
        nodes: winners.nodes(),
        peak_nodes: solver.store().peak_nodes(),
        peak_bytes: solver.store().peak_bytes(),
        seconds: begun.elapsed().as_secs_f64(),
    })
}

fn print(out: &mut impl Write, line: &Line) -> Result<(), CommandError> {
    writeln!(
        out,
        "length {:>3}: {} positions, {} draws, {} mutual; {} nodes, {:.2} s",
        line.length,
        grouped(&line.positions.0),
        grouped(&line.draws.0),
        grouped(&line.mutual_draws.0),
        grouped(line.nodes as u128),
        line.seconds
    )?;
    Ok(())
}

//! `phutbase draws --engine symbolic`: the search for draws past the end of arrays.

use super::interrupt;
use super::output::{BigCount, CommandError, grouped, json_line, stdout};
use super::progress;
use phutbase::generate::plan::{free_memory, human_bytes};
use phutbase::solve::symbolic::{LevelSolver, Levels, Limits};
use phutbase::theory::draws;
use serde::Serialize;
use std::io::Write;
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::atomic::Ordering;
use std::time::Instant;

#[derive(Serialize)]
struct Line {
    length: usize,
    positions: BigCount,
    wins: BigCount,
    losses: BigCount,
    draws: BigCount,
    mutual_draws: BigCount,
    levels: usize,
    nodes: usize,
    peak_nodes: usize,
    peak_bytes: u64,
    seconds: f64,
}

/// Searches some lengths, one after the other, within a memory limit or what the system has free.
pub fn run(lengths: RangeInclusive<usize>, memory: Option<u64>, json: bool) -> Result<(), CommandError> {
    let limits = Limits {
        memory: memory.unwrap_or_else(free_memory),
        ..Limits::default()
    };
    let mut out = stdout();
    let mut with_draws = Vec::new();
    let mut shorter: Option<Levels> = None;
    for length in lengths.clone() {
        let (line, levels) = solve(length, limits, shorter.as_ref())?;
        shorter = Some(levels);
        if line.draws.0.bits() > 0 {
            with_draws.push(line.length.to_string());
        }
        if json {
            json_line(&mut out, &line)?;
        } else {
            print(&mut out, &line)?;
        }
        out.flush()?;
    }
    if !json {
        let verdict = match with_draws.is_empty() {
            true => "no draw".to_string(),
            false => format!("draws at length {}", with_draws.join(", ")),
        };
        writeln!(out, "lengths {} to {}: {verdict}", lengths.start(), lengths.end())?;
    }
    Ok(out.flush()?)
}

/// Solves one length, from the levels of a shorter one if there are any.
fn solve(length: usize, limits: Limits, shorter: Option<&Levels>) -> Result<(Line, Levels), CommandError> {
    let begun = Instant::now();
    let stop = interrupt::flag("stopping");
    let bar = progress::spinner();
    bar.set_prefix(format!("length {length}"));
    let mut solver = LevelSolver::new(length, limits, rayon::current_num_threads())?;
    if let Some(shorter) = shorter {
        solver.guess(shorter.store(), &shorter.roots())?;
    }
    let (mut peak_nodes, mut peak_bytes) = (0, 0);
    let ended = solver.run(&mut |solver| {
        let live = solver.live();
        peak_nodes = peak_nodes.max(live.nodes);
        peak_bytes = peak_bytes.max(live.bytes);
        bar.set_message(format!(
            "level {}, ball square {}, {} nodes, {}",
            live.level,
            live.ball,
            grouped(live.nodes as u128),
            human_bytes(live.bytes)
        ));
        bar.tick();
        match stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    })?;
    bar.finish_and_clear();
    if ended.is_break() {
        return Err(CommandError::Failure(format!(
            "interrupted in length {length}; 'phutbase generate --engine symbolic --metric wdl' keeps what it has done"
        )));
    }
    let levels = solver.levels()?;
    let winners = levels.winners();
    let totals = winners.totals();
    let mutual_draws = match totals.draws.bits() {
        0 => totals.draws.clone(),
        _ => {
            draws::of_sets(winners.store(), winners.sets(), 0)
                .map_err(|error| CommandError::Failure(error.to_string()))?
                .mutual_draws
        }
    };
    let line = Line {
        length,
        positions: BigCount(totals.positions),
        wins: BigCount(totals.wins),
        losses: BigCount(totals.losses),
        draws: BigCount(totals.draws),
        mutual_draws: BigCount(mutual_draws),
        levels: levels.count(),
        nodes: winners.nodes(),
        peak_nodes,
        peak_bytes,
        seconds: begun.elapsed().as_secs_f64(),
    };
    Ok((line, levels))
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

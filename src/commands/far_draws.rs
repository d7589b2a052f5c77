//! `phutbase draws --engine symbolic`: the search for draws past the end of arrays.

use super::output::{BigCount, CommandError, grouped, grouped_big, json_line, stdout};
use super::progress;
use phutbase::generate::plan::{free_memory, human_bytes};
use phutbase::solve::symbolic::{Limits, Progress, SymbolicError, WinnerSolver};
use serde::Serialize;
use std::io::Write;
use std::ops::RangeInclusive;
use std::time::Instant;

#[derive(Serialize)]
struct Line {
    length: usize,
    positions: BigCount,
    wins: BigCount,
    losses: BigCount,
    draws: BigCount,
    /// `null` if there are draws: how many are mutual is not counted.
    mutual_draws: Option<BigCount>,
    nodes: usize,
    peak_nodes: usize,
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
    for length in lengths.clone() {
        let line = solve(length, limits)?;
        if line.draws.0.bits() > 0 {
            with_draws.push(length.to_string());
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

fn solve(length: usize, limits: Limits) -> Result<Line, SymbolicError> {
    let begun = Instant::now();
    let bar = progress::spinner();
    bar.set_prefix(format!("length {length}"));
    let mut solver = WinnerSolver::new(length, limits)?;
    while solver.step()? != Progress::Done {
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
    Ok(Line {
        length,
        positions: BigCount(totals.positions),
        wins: BigCount(totals.wins),
        losses: BigCount(totals.losses),
        draws: BigCount(totals.draws),
        mutual_draws: totals.mutual_draws.map(BigCount),
        nodes: winners.nodes(),
        peak_nodes: solver.store().peak_nodes(),
        seconds: begun.elapsed().as_secs_f64(),
    })
}

fn print(out: &mut impl Write, line: &Line) -> Result<(), CommandError> {
    let mutual = match &line.mutual_draws {
        Some(count) => grouped_big(&count.0),
        None => "an unknown number".to_string(),
    };
    writeln!(
        out,
        "length {:>3}: {} positions, {} draws, {mutual} mutual; {} nodes, {:.2} s",
        line.length,
        grouped_big(&line.positions.0),
        grouped_big(&line.draws.0),
        grouped(line.nodes as u128),
        line.seconds
    )?;
    Ok(())
}

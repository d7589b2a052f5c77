//! `phutbase theory forward`: the number of non-forward turns that Left needs to win.

use super::{Runner, strips};
use crate::commands::generate::about;
use clap::Args;
use phutbase_base::digits::human_bytes;
use phutbase_base::job::Job;
use phutbase_machine::space::memory_limit;
use phutbase_rules::boards::Boards;
use phutbase_rules::strip::MAX_LENGTH;
use phutbase_solve::generate::plan::{check_strip_memory, levels_estimate, strip_memory};
use phutbase_solve::levels::Levels;
use phutbase_tables::advice::option;
use phutbase_tables::{Metric, Tablebase};
use phutbase_terminal::{CommandError, log_line, memory_size};
use phutbase_theory::error::TheoryError;
use phutbase_theory::forward::{Forward, REPLAY_LIMIT, Replays};
use phutbase_theory::proof::states_within;
use std::ops::RangeInclusive;
use std::time::Duration;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory forward                           strips of 3 to 48 squares
  phutbase theory forward 22 --replay-length 0      without replays
  phutbase theory forward 44..64 --limit 1 --json   an example of each kind")]
pub struct Arguments {
    /// Strips; of lengths that no table of levels holds the longest is solved, which gives all
    #[arg(default_value = "3..48")]
    boards: Boards,
    /// Replay the examples by the rules alone, through every reply, up to length N; each takes
    /// millions of positions, as many as fit into the memory
    #[arg(long, value_name = "N", default_value_t = 22)]
    replay_length: usize,
    /// Show at most K positions for each number of turns and each player to move
    #[arg(long, value_name = "K", default_value_t = 3)]
    limit: usize,
    /// Use at most this much memory [default: what is free]
    #[arg(long, value_name = "SIZE", value_parser = memory_size)]
    memory: Option<u64>,
}

pub fn run(arguments: &Arguments, runner: Runner<'_>) -> Result<(), CommandError> {
    let lengths = strips("theory forward", &arguments.boards, MAX_LENGTH)?;
    let tables = runner.common.tables()?;
    let longest = *lengths.end();
    let solving = expect_cost(&tables, &lengths, arguments.memory)?;
    let memory = memory_limit(arguments.memory)?;
    let left = memory.saturating_sub(solving);
    let mut claim = Forward {
        tables: &tables,
        solve: |job: &Job| solve(longest, memory, job),
        solved: None,
        replays: Replays {
            length: arguments.replay_length,
            positions: states_within(left).min(REPLAY_LIMIT),
        },
        limit: arguments.limit,
    };
    runner.within(memory).check(&mut claim, lengths)
}

/// Solving that takes less time is not announced.
const SHORT: Duration = Duration::from_secs(10);

/// Returns the memory that solving the longest strips takes; 0 where tables hold them all. Refuses it
/// in too little memory, and announces the cost if it is high.
fn expect_cost(
    tables: &Tablebase,
    lengths: &RangeInclusive<usize>,
    memory: Option<u64>,
) -> Result<u64, CommandError> {
    let held = tables
        .strip_tables()
        .filter(|&(metric, _)| metric == Metric::Levels);
    let first = held.map(|(_, length)| length + 1).max().unwrap_or(0);
    let (first, last) = (first.max(*lengths.start()), *lengths.end());
    if first > last {
        return Ok(0);
    }
    check_strip_memory(last, Metric::Levels, memory)?;
    let solving = strip_memory(last, Metric::Levels);
    let time = levels_estimate(last);
    if time >= SHORT {
        let missing = if first < last {
            format!("{first} to {last}")
        } else {
            last.to_string()
        };
        log_line(&format!(
            "no table has the levels of {missing} squares: solving {last} squares takes about {} of processor time and up to {} of memory; to keep the result, run first: phutbase generate {last} --metric levels{}",
            about(time),
            human_bytes(solving),
            option(tables.places()),
        ));
    }
    Ok(solving)
}

/// Computes the levels of a length, which hold those of all shorter ones (docs/PROOF.md, Lemma 1).
fn solve(length: usize, memory: u64, job: &Job) -> Result<Levels, TheoryError> {
    job.begin(format!("levels of {length} squares"));
    job.expect(0, "nodes");
    let mut levels = Levels::new(length, memory, job)?;
    levels.run(job)?;
    Ok(levels)
}

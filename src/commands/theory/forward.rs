//! `phutbase theory forward`: the number of non-forward turns that Left needs to win.

use super::super::generate::about;
use super::{Runner, of_length, strips};
use clap::Args;
use num_bigint::BigUint;
use phutbase_answer::{BoardsLabel, object};
use phutbase_base::count::Count;
use phutbase_base::digits::{grouped, human_bytes};
use phutbase_base::job::Job;
use phutbase_diagram::{Diagram, Graph, Shorter};
use phutbase_generate::plan::{check_strip_memory, levels_estimate, symbolic_limits, winners_memory};
use phutbase_machine::space::free_memory;
use phutbase_rules::boards::Boards;
use phutbase_rules::strip::{MAX_LENGTH, Strip};
use phutbase_strips::symbolic::{Goal, LevelSolver};
use phutbase_table::error::TableError;
use phutbase_table::{Metric, Tablebase};
use phutbase_terminal::options::memory_size;
use phutbase_terminal::output::{CommandError, log_line};
use phutbase_terminal::way_out::option;
use phutbase_theory::forward::{Needed, REPLAY_LIMIT, needed, replay};
use phutbase_theory::proof::NotProved;
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
    /// millions of positions
    #[arg(long, value_name = "N", default_value_t = 22)]
    replay_length: usize,
    /// Show at most K positions for each number of turns and each player to move
    #[arg(long, value_name = "K", default_value_t = 3)]
    limit: usize,
    /// Use at most this much memory [default: what is free]
    #[arg(long, value_name = "SIZE", value_parser = memory_size)]
    pub memory: Option<u64>,
}

pub fn run(arguments: &Arguments, runner: Runner<'_>) -> Result<(), CommandError> {
    let lengths = strips("theory forward", &arguments.boards, MAX_LENGTH)?;
    let tables = runner.common.tables()?;
    let longest = *lengths.end();
    expect_cost(&tables, &lengths, runner.memory)?;
    let mut solved: Option<LevelSolver> = None;
    let answer = |length, job: &Job| {
        let (found, replayed) =
            match tables.ask_strips(length, Some(Metric::Levels), |table| table.sets(length)) {
                Ok(sets) => replayed(sets.workspace(), &sets, sets.roots(), arguments)?,
                Err(TableError::Missing { .. }) => {
                    let solver = match &mut solved {
                        Some(solver) => solver,
                        none => none.insert(solve(longest, job)?),
                    };
                    let sets = Shorter::new(solver.store(), length);
                    replayed(Graph::new(length), &sets, &solver.roots(), arguments)?
                }
                Err(error) => return Err(error.into()),
            };
        let mut words = format!("length {length:>3}: at most {}", found.left_to_move.len() - 1);
        let counts = found.left_to_move.iter().zip(&found.right_to_move);
        for (k, (left, right)) in counts.enumerate().skip(1) {
            let (left, right) = (grouped(left), grouped(right));
            words += &format!("; {k}: {left} with Left to move, {right} with Right");
        }
        let example = |((turns, strip), replayed): ((usize, Strip), Option<usize>)| {
            let played = replayed.map_or("not played out".to_string(), |positions| {
                format!("played out, {} positions", grouped(positions as u128))
            });
            words += &format!("\n  {turns}: {strip}   {played}");
            object! {
                position: strip.to_string(),
                turns: turns,
                /// Positions visited in the replay; null if it was not requested or is too long.
                replayed: replayed,
            }
        };
        let examples: Vec<_> = found.examples.into_iter().zip(replayed).map(example).collect();
        let counts = |counts: Vec<BigUint>| counts.into_iter().map(Count).collect::<Vec<_>>();
        let object = object! {
            #[serde(flatten)]
            label: BoardsLabel::strip(length),
            /// Entry k: boards with Left to move that need exactly k backward turns.
            left_to_move: counts(found.left_to_move),
            right_to_move: counts(found.right_to_move),
            examples: examples,
        };
        Ok((object, words))
    };
    runner.each(lengths, of_length, answer)
}

/// Solving that takes less time is not announced.
const SHORT: Duration = Duration::from_secs(10);

/// Refuses to solve the longest strips in too little memory, and announces the cost if it is high.
fn expect_cost(
    tables: &Tablebase,
    lengths: &RangeInclusive<usize>,
    memory: Option<u64>,
) -> Result<(), CommandError> {
    let held = tables
        .strip_tables()
        .filter(|&(metric, _)| metric == Metric::Levels);
    let first = held.map(|(_, length)| length + 1).max().unwrap_or(0);
    let (first, last) = (first.max(*lengths.start()), *lengths.end());
    if first > last {
        return Ok(());
    }
    check_strip_memory(last, Metric::Levels, memory)?;
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
            human_bytes(winners_memory(last).min(memory.unwrap_or_else(free_memory))),
            option(tables.places()),
        ));
    }
    Ok(())
}

/// Computes the levels of a length, which hold those of all shorter ones (docs/PROOF.md, Lemma 1).
fn solve(length: usize, job: &Job) -> Result<LevelSolver, CommandError> {
    job.begin(format!("levels of {length} squares"));
    job.expect(0, "nodes");
    let limits = symbolic_limits(job.memory());
    let mut solver = LevelSolver::new(length, Goal::Levels, limits, rayon::current_num_threads())?;
    solver.run(job)?;
    Ok(solver)
}

/// Counts the turns needed, and replays the examples; one that contradicts the levels is an error.
fn replayed<D: Diagram>(
    graph: Graph,
    diagram: &D,
    levels: &[D::Ref],
    arguments: &Arguments,
) -> Result<(Needed, Vec<Option<usize>>), CommandError> {
    let found = needed(graph, diagram, levels, arguments.limit)?;
    let replayed = found.examples.iter().map(|(turns, strip)| {
        if diagram.length() > arguments.replay_length {
            return Ok(None);
        }
        match replay(diagram, levels, strip, *turns, REPLAY_LIMIT) {
            Ok(positions) => Ok(Some(positions)),
            Err(NotProved::TooLong(_)) => Ok(None),
            Err(error @ NotProved::Refuted(_)) => Err(CommandError::Failure(format!(
                "'{strip}', {turns} turns: {error}"
            ))),
        }
    });
    let replayed = replayed.collect::<Result<_, _>>()?;
    Ok((found, replayed))
}

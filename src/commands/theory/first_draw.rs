//! `phutbase theory first-draw`: where a draw on the least length with one would be.

use super::{Runner, in_range, of_length};
use crate::commands::options::span;
use clap::Args;
use num_bigint::BigUint;
use phutbase_answer::{BoardsLabel, object};
use phutbase_base::count::Count;
use phutbase_base::digits::grouped;
use phutbase_base::job::Job;
use phutbase_rules::forward::HalfValues;
use phutbase_rules::strip::{After, AnyStrip, MAX_LENGTH, Strip, positions};
use phutbase_table::decide::search::{MAX_POSITIONS, Search};
use phutbase_table::{TableError, Tablebase};
use phutbase_terminal::output::{CommandError, no_tables};
use phutbase_theory::first_draw::{Candidates, sample};
use rayon::prelude::*;
use std::ops::RangeInclusive;

/// Maximum number of boards of a sample, which are held in memory.
const MAX_SAMPLE: usize = 1_000_000;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory first-draw 145
  phutbase theory first-draw 145..152 --trials 500
  phutbase theory first-draw 145 --json --limit 20")]
pub struct Arguments {
    /// Lengths beyond the longest table: a number or a range
    #[arg(value_parser = span)]
    lengths: RangeInclusive<u16>,
    /// Search K random boards of those that satisfy all conditions
    #[arg(long, value_name = "K", default_value_t = 2000)]
    trials: usize,
    /// Set the seed of the sample
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Show at most K boards that are left
    #[arg(long, value_name = "K", default_value_t = 3)]
    limit: usize,
}

pub fn run(arguments: &Arguments, runner: Runner<'_>) -> Result<(), CommandError> {
    in_range("trials", arguments.trials, 0, MAX_SAMPLE)?;
    let tables = runner.common.tables()?;
    let longest = (tables.longest_strips(false)).ok_or_else(|| no_tables(&tables))?;
    let [first, last] = [arguments.lengths.start(), arguments.lengths.end()].map(|&end| end.into());
    in_range("lengths", first, longest + 1, MAX_LENGTH)?;
    in_range("lengths", last, first, MAX_LENGTH)?;
    let sets = tables.ask_strips(longest, None, |table| table.sets(longest))?;
    let answer = |length: usize, job: &Job| {
        let found = Candidates::new(length, &sets, job)?;
        let all = positions(length);
        let (by_theorems, by_windows) = (found.by_theorems(), found.by_windows());
        let left = found.left().total().clone();
        let undecided = undecided(&tables, &sample(&found, arguments.trials, arguments.seed))?;
        let by_theorem_n = by_theorem_n(&tables, &undecided)?;
        let examples: Vec<String> = (by_theorem_n.iter().take(arguments.limit))
            .map(ToString::to_string)
            .collect();
        let mut words = format!(
            "length {length}: of {} boards with Left to move, Theorems F and T' leave {}, windows of {longest} squares {} of them, and the tempo {}",
            grouped(&all),
            grouped(&by_theorems),
            grouped(&by_windows),
            grouped(&left),
        );
        if left > BigUint::ZERO {
            words += &format!(
                "\n  of {} of these at random, a search leaves {}, and Theorem N {}",
                arguments.trials,
                undecided.len(),
                by_theorem_n.len()
            );
        }
        for example in &examples {
            words += &format!("\n  {example}");
        }
        let object = object! {
            #[serde(flatten)]
            label: BoardsLabel::strip(length),
            positions: Count(all),
            /// Boards with Left to move without a closed beginning that Theorem F does not decide.
            by_theorems: Count(by_theorems),
            /// Those of them that no window of the longest table decides.
            by_windows: Count(by_windows),
            /// Those of them that the tempo does not exclude.
            left: Count(left),
            /// Random boards of these, and those that a search does not decide.
            trials: arguments.trials,
            seed: arguments.seed,
            undecided: undecided.len(),
            /// Those of the latter with a turn that is not proper to a position that a search does not
            /// decide. Some first draw has one, and its proper turns lose.
            by_theorem_n: by_theorem_n.len(),
            /// Boards that satisfy all conditions.
            examples: examples,
        };
        Ok((object, words))
    };
    runner.each(first..=last, of_length, answer)
}

/// Returns the boards that a search does not decide.
fn undecided(tables: &Tablebase, boards: &[Strip]) -> Result<Vec<Strip>, TableError> {
    kept(boards, |board| is_open(tables, &AnyStrip::from(board)))
}

/// Returns the boards from which a turn that is not proper leads to a position that a search does
/// not decide (docs/PROOF.md, Corollary G3).
fn by_theorem_n(tables: &Tablebase, boards: &[Strip]) -> Result<Vec<Strip>, TableError> {
    kept(boards, |board| {
        let others = (board.turns().into_iter()).filter(|turn| !turn.is_proper(board));
        for turn in others {
            if let After::Position(next) = board.after(turn)
                && is_open(tables, &AnyStrip::from(&next))?
            {
                return Ok(true);
            }
        }
        Ok(false)
    })
}

fn is_open(tables: &Tablebase, strip: &AnyStrip) -> Result<bool, TableError> {
    let decided = Search::new(tables, MAX_POSITIONS, &|| false).decide(strip, HalfValues::both(strip))?;
    Ok(decided.is_err())
}

fn kept(
    boards: &[Strip],
    keeps: impl Fn(&Strip) -> Result<bool, TableError> + Send + Sync,
) -> Result<Vec<Strip>, TableError> {
    let kept: Result<Vec<bool>, TableError> = boards.par_iter().map(keeps).collect();
    let pairs = boards.iter().zip(kept?);
    Ok(pairs.filter(|(_, kept)| *kept).map(|(board, _)| *board).collect())
}

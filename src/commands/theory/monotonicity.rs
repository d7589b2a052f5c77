//! `phutbase theory monotonicity`: does a stone more, or a square less, on the way to the goal ever
//! hurt?

use super::{Runner, of_length, strips};
use clap::Args;
use phutbase_answer::{BoardsLabel, object};
use phutbase_base::digits::grouped;
use phutbase_base::job::Job;
use phutbase_base::outcome::Side;
use phutbase_rules::boards::Boards;
use phutbase_rules::strip::{MIN_LENGTH, Strip};
use phutbase_table::Metric;
use phutbase_table::tablebase::Tablebase;
use phutbase_terminal::output::CommandError;
use phutbase_theory::monotonicity::{Harm, Harms, examine};
use phutbase_theory::proof::{NotProved, PROOF_LIMIT, prove};
use phutbase_theory::values::{AllValues, MAX_LENGTH};

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory monotonicity                strips of 3 to 12 squares
  phutbase theory monotonicity 10 --limit 5   more counterexamples
  phutbase theory monotonicity 3..18 --json")]
pub struct Arguments {
    /// Strips
    #[arg(default_value = "3..12")]
    boards: Boards,
    /// Show, and prove by the rules alone, at most K counterexamples of each kind and length
    #[arg(long, value_name = "K", default_value_t = 2)]
    limit: usize,
}

pub fn run(arguments: &Arguments, runner: Runner<'_>) -> Result<(), CommandError> {
    let lengths = strips("theory monotonicity", &arguments.boards, MAX_LENGTH)?;
    let first = *lengths.start();
    let tables = runner.common.tables()?;
    let values = |length| {
        tables.ask_strips(length, Some(Metric::Dtw), |table| {
            AllValues::of(&table.sets(length)?)
        })
    };
    let mut shorter = match first {
        MIN_LENGTH => None,
        _ => Some(values(first - 1)?),
    };
    let answer = |length, job: &Job| {
        let all = values(length)?;
        let found = examine(&all, shorter.as_ref(), arguments.limit, job)?;
        let total = |harms: &Harms| grouped(harms.left_to_move + harms.right_to_move);
        let (stones, deletions) = (total(&found.stone_hurts), total(&found.deletion_hurts));
        let mut words =
            format!("length {length:>2}: a stone hurts {stones} times, a deletion {deletions} times");
        for harm in (found.stone_hurts.examples.iter()).chain(&found.deletion_hurts.examples) {
            prove_harm(harm, &tables).map_err(|error| {
                CommandError::Failure(format!("length {length}: cannot prove a counterexample: {error}"))
            })?;
            words += &format!("\n  Left wins '{}' and loses '{}'", harm.before, harm.after);
        }
        words += &format!("\n  empty strip, by ball square: {}", found.empty_strip.join(" "));
        shorter = Some(all);
        let label = BoardsLabel::strip(length);
        Ok((
            object! { #[serde(flatten)] label: label, #[serde(flatten)] found: found },
            words,
        ))
    };
    runner.each(lengths, of_length, answer)
}

/// Proves that Left wins the first position and Right the second.
fn prove_harm(harm: &Harm, tables: &Tablebase) -> Result<(), NotProved> {
    let best = |strip: &Strip| {
        let rated = tables.ask_strips(strip.length(), Some(Metric::Dtw), |table| {
            table.rated_turns(strip)
        });
        Some(rated.ok()?.first()?.turn)
    };
    prove(&harm.before, Side::Left, &best, PROOF_LIMIT)?;
    prove(&harm.after, Side::Right, &best, PROOF_LIMIT)?;
    Ok(())
}

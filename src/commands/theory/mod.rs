//! `phutbase theory`: claims about the games, checked against exact values.

mod dawson;
mod decided;
mod directional;
mod first_draw;
mod forward;
mod generalized;
mod monotonicity;
mod oddish;
mod potential;
mod proper;
mod replace;
mod reversible;
mod tempo;
mod window;

use super::{Verb, in_range, not_for, strips};
use clap::{Args, Subcommand};
use phutbase_base::job::Job;
use phutbase_rules::boards::Boards;
use phutbase_rules::strip::{MAX_LENGTH, MIN_LENGTH};
use phutbase_table::Tablebase;
use phutbase_terminal::common::Common;
use phutbase_terminal::monitor;
use phutbase_terminal::output::{CommandError, no_tables, print_result};
use serde::Serialize;
use std::ops::RangeInclusive;

/// Check claims about the games against exact values
#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory oddish oddish:2..18   Theorem 1 of Grossman & Nowakowski
  phutbase theory generalized 3..16     their generalized potential
  phutbase theory forward 22..48        how many backward turns a win needs
  phutbase theory dawson --max 1000     Obstruction on rows, with its period")]
pub struct Arguments {
    #[command(subcommand)]
    question: Question,
}

#[derive(Subcommand)]
enum Question {
    /// Check GN Theorem 1, GN Lemma 2 and the proof's strategy of Oddish Phutball, on every
    /// position
    Oddish(oddish::Arguments),
    /// Explain the errors of Grossman & Nowakowski's generalized potential
    Generalized(generalized::Arguments),
    /// Find positions where an extra stone, or a shorter way to the goal, hurts; list empty strips
    Monotonicity(monotonicity::Arguments),
    /// Count the turns behind the ball that Left needs to win
    Forward(forward::Arguments),
    /// Check the potential that decides directional Phutball
    Directional(directional::Arguments),
    /// Check by the tables that having the move never hurts
    #[command(after_help = tempo::TEMPO_EXAMPLES)]
    Tempo(tempo::Arguments),
    /// Check by the tables that Left wins by proper turns every board that he wins (Law N)
    Proper(proper::Arguments),
    /// Check by the tables that other squares around the ball keep Left's wins
    Replace(replace::Arguments),
    /// Check by the tables that one stone takes back every turn that is not proper
    Reversible(reversible::Arguments),
    /// Check by the tables Theorems F and T', which decide strips of any length
    #[command(after_help = tempo::FORWARD_VALUE_EXAMPLES)]
    ForwardValue(tempo::Arguments),
    /// Check by the tables how many empty squares behind the ball suffice against any front
    Window(window::Arguments),
    /// Count the boards that could be a draw on the least length with one, and examine a sample
    FirstDraw(first_draw::Arguments),
    /// Estimate the shares of random boards of any length that each rule decides
    Decided(decided::Arguments),
    /// Check the chain property: the sets of halves that two halves beat are nested
    #[command(after_help = tempo::CHAIN_EXAMPLES)]
    Chain(tempo::Arguments),
    /// Compute the exact potential: two numbers per half strip that decide every position
    Potential(potential::Arguments),
    /// Print the nimbers of Obstruction on a row (Dawson's chess), and prove their period
    Dawson(dawson::Arguments),
}

impl Verb for Arguments {
    fn run(&self, common: &Common) -> Result<(), CommandError> {
        let runner = Runner { common, memory: None };
        let within = |memory| Runner { common, memory };
        match &self.question {
            Question::Oddish(arguments) => oddish::run(arguments, within(arguments.memory)),
            Question::Generalized(arguments) => generalized::run(arguments, runner),
            Question::Monotonicity(arguments) => monotonicity::run(arguments, runner),
            Question::Forward(arguments) => forward::run(arguments, within(arguments.memory)),
            Question::Directional(arguments) => directional::run(arguments, runner),
            Question::Tempo(arguments) => tempo::run(arguments, common),
            Question::Proper(arguments) => proper::run(arguments, within(arguments.memory)),
            Question::Replace(arguments) => replace::run(arguments, common),
            Question::Reversible(arguments) => reversible::run(arguments, runner),
            Question::ForwardValue(arguments) => tempo::run_forward_value(arguments, common),
            Question::Window(arguments) => window::run(arguments, runner),
            Question::FirstDraw(arguments) => first_draw::run(arguments, runner),
            Question::Decided(arguments) => decided::run(arguments, runner),
            Question::Chain(arguments) => tempo::run_chain(arguments, common),
            Question::Potential(arguments) => potential::run(arguments, runner),
            Question::Dawson(arguments) => dawson::run(arguments, common),
        }
    }
}

/// Computes the answers for several sizes and prints them.
#[derive(Clone, Copy)]
struct Runner<'a> {
    common: &'a Common,
    /// Memory limit in bytes; `None` for what is free.
    memory: Option<u64>,
}

impl Runner<'_> {
    /// Answers a question for each size, with progress on stderr, and prints it when ready: the
    /// object, or the words.
    fn each<T: Serialize>(
        self,
        sizes: RangeInclusive<usize>,
        title: impl Fn(usize) -> String,
        mut answer: impl FnMut(usize, &Job) -> Result<(T, String), CommandError>,
    ) -> Result<(), CommandError> {
        for size in sizes {
            let (object, words) = monitor::run(title(size), self.memory, |job| answer(size, job))?;
            self.print_result(&object, &words)?;
        }
        Ok(())
    }

    fn print_result(self, object: &impl Serialize, words: &str) -> Result<(), CommandError> {
        print_result(self.common.json, object, |out| writeln!(out, "{words}"))
    }
}

fn of_length(length: usize) -> String {
    format!("length {length}")
}

/// Returns the lengths of strips, without boards all that a table holds.
fn held_strips(
    verb: &str,
    boards: Option<&Boards>,
    tables: &Tablebase,
) -> Result<RangeInclusive<usize>, CommandError> {
    match boards {
        Some(boards) => strips(verb, boards, MAX_LENGTH),
        None => Ok(MIN_LENGTH..=tables.longest_strips(false).ok_or_else(|| no_tables(tables))?),
    }
}

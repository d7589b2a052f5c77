//! `phutbase theory`: what is claimed about the games, held against exact values.

mod backward_jumps;
mod generalized;
mod monotonicity;
mod oddish;
mod potential;

use super::Common;
use super::output::CommandError;
use super::{interrupt, progress};
use clap::{Args, Subcommand};
use phutbase::theory::planes::{TheoryError, Watch};

/// Claims about the games, held against exact values; every length is solved in memory, no tables are needed.
#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    question: Question,
    /// Memory to use at most [default: what is free]
    #[arg(long, value_name = "GiB", global = true)]
    memory: Option<f64>,
}

#[derive(Subcommand)]
enum Question {
    /// Oddish Phutball: Theorem 1, Lemma 2 and the proof's strategy, on every position
    Oddish(oddish::Arguments),
    /// The generalized potential of Grossman & Nowakowski: where it is wrong, and why
    Generalized(generalized::Arguments),
    /// Does a stone more, or a square less, on the way to the goal ever hurt? Empty strips, zugzwang
    Monotonicity(monotonicity::Arguments),
    /// Positions whose only winning turns are jumps towards one's own goal line
    BackwardJumps(backward_jumps::Arguments),
    /// The exact potential: two numbers per half strip that decide every position
    Potential(potential::Arguments),
}

pub fn run(arguments: &Arguments, common: &Common) -> Result<(), CommandError> {
    let memory = match arguments.memory {
        None => None,
        Some(gib) if gib > 0.0 && gib.is_finite() => Some((gib * f64::from(1 << 30)) as u64),
        Some(gib) => {
            return Err(CommandError::Usage(format!(
                "--memory {gib}: give a positive number of GiB"
            )));
        }
    };
    match &arguments.question {
        Question::Oddish(arguments) => oddish::run(arguments, common, memory),
        Question::Generalized(arguments) => generalized::run(arguments, common, memory),
        Question::Monotonicity(arguments) => monotonicity::run(arguments, common, memory),
        Question::BackwardJumps(arguments) => backward_jumps::run(arguments, common, memory),
        Question::Potential(arguments) => potential::run(arguments, common, memory),
    }
}

/// Runs some work on one length with a line of progress on stderr, and lets a signal stop it.
fn watched<T>(
    title: String,
    memory: Option<u64>,
    work: impl FnOnce(Watch<'_>) -> Result<T, TheoryError>,
) -> Result<T, CommandError> {
    let line = progress::spinner();
    line.set_prefix(title);
    let say = |what: String| {
        line.set_message(what);
        line.tick();
    };
    let done = work(Watch {
        stop: interrupt::flag("stopping"),
        say: &say,
        memory,
    });
    line.finish_and_clear();
    Ok(done?)
}

impl From<TheoryError> for CommandError {
    fn from(error: TheoryError) -> CommandError {
        CommandError::Failure(error.to_string())
    }
}

/// Refuses a bound that is out of a question's range.
fn in_range(name: &str, value: usize, least: usize, most: usize) -> Result<(), CommandError> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(CommandError::Usage(format!(
        "--{name} {value}: give a number from {least} to {most}"
    )))
}

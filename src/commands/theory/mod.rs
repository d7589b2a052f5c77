//! `phutbase theory`: what is claimed about the games, held against exact values.

mod backward_jumps;
mod dawson;
mod directional;
mod forward;
mod generalized;
mod monotonicity;
mod oddish;
mod potential;
mod tempo;

use super::given::Idle;
use super::options::Memory;
use super::output::CommandError;
use super::{Common, Verb, interrupt, not_for, progress};
use clap::{Args, Subcommand};
use phutbase::games::boards::Boards;
use phutbase::theory::planes::{TheoryError, Watch};
use std::ops::RangeInclusive;

/// Claims about the games, held against exact values; most of them solve every board in memory and need no tables.
#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory oddish oddish:2..18          Theorem 1 of Grossman & Nowakowski, on every position
  phutbase theory generalized 3..16            their generalized potential: where it errs, and why
  phutbase theory forward 22..48               how often the winner must turn back
  phutbase theory dawson --max 1000            Obstruction on rows, with the proof of its period")]
pub struct Arguments {
    #[command(subcommand)]
    question: Question,
    /// Memory to use at most [default: what is free]
    #[arg(long, value_name = "GiB", global = true)]
    memory: Option<Memory>,
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
    /// Forward play: how many turns that touch the squares behind the ball Left needs to win
    Forward(forward::Arguments),
    /// The directional game, where a player jumps in one direction only, beside the ordinary one
    Directional(directional::Arguments),
    /// Does having the move ever hurt? From the tables, up to the longest
    #[command(after_help = tempo::TEMPO_EXAMPLES)]
    Tempo(tempo::Arguments),
    /// Do half strips form chains by what they beat? From the tables, up to the longest
    #[command(after_help = tempo::CHAIN_EXAMPLES)]
    Chain(tempo::Arguments),
    /// The exact potential: two numbers per half strip that decide every position
    Potential(potential::Arguments),
    /// Obstruction on a single row (Dawson's chess): the nimbers, and their period with its proof
    Dawson(dawson::Arguments),
}

impl Verb for Arguments {
    fn idle(&self) -> Idle {
        match &self.question {
            Question::Oddish(_) => ("theory oddish", &["tables"]),
            Question::Generalized(_) => ("theory generalized", &["tables"]),
            Question::Monotonicity(_) => ("theory monotonicity", &["tables"]),
            Question::BackwardJumps(_) => ("theory backward-jumps", &["tables"]),
            Question::Forward(_) => ("theory forward", &[]),
            Question::Directional(_) => ("theory directional", &[]),
            Question::Tempo(_) => ("theory tempo", &["memory", "threads"]),
            Question::Chain(_) => ("theory chain", &["memory"]),
            Question::Potential(_) => ("theory potential", &["tables"]),
            Question::Dawson(_) => ("theory dawson", &["memory", "tables", "threads"]),
        }
    }

    fn run(&self, common: &Common) -> Result<(), CommandError> {
        let memory = self.memory.map(|memory| memory.0);
        match &self.question {
            Question::Oddish(arguments) => oddish::run(arguments, common, memory),
            Question::Generalized(arguments) => generalized::run(arguments, common, memory),
            Question::Monotonicity(arguments) => monotonicity::run(arguments, common, memory),
            Question::BackwardJumps(arguments) => backward_jumps::run(arguments, common, memory),
            Question::Forward(arguments) => forward::run(arguments, common, memory),
            Question::Directional(arguments) => directional::run(arguments, common, memory),
            Question::Tempo(arguments) => tempo::run(arguments, common),
            Question::Chain(arguments) => tempo::run_chain(arguments, common),
            Question::Potential(arguments) => potential::run(arguments, common, memory),
            Question::Dawson(arguments) => dawson::run(arguments, common),
        }
    }
}

/// The lengths of boards that must be strips, up to so many squares.
fn strips(verb: &str, boards: &Boards, most: usize) -> Result<RangeInclusive<usize>, CommandError> {
    match boards {
        Boards::Strips(lengths) if *lengths.end() <= most => Ok(lengths.clone()),
        Boards::Strips(_) => Err(CommandError::Usage(format!(
            "theory {verb} takes strips of up to {most} squares, not {boards}"
        ))),
        other => Err(not_for(&format!("theory {verb}"), other, "strips, such as 3..16")),
    }
}

/// Runs some work on one length with a line of progress on stderr, and lets a signal stop it.
// The program has it once for each result, not at every call.
#[inline(never)]
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

/// Refuses a bound that is out of a question's range.
fn in_range(name: &str, value: usize, least: usize, most: usize) -> Result<(), CommandError> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(CommandError::Usage(format!(
        "--{name} {value}: give a number from {least} to {most}"
    )))
}

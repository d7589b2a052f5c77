//! `phutbase theory`: what is claimed about the games, held against exact values.

mod dawson;
mod directional;
mod forward;
mod generalized;
mod monotonicity;
mod oddish;
mod potential;
mod tempo;

use super::options::Memory;
use super::output::{CommandError, tell, unheeded};
use super::progress::watched;
use super::{Common, Verb, not_for, only_for};
use crate::games::boards::Boards;
use crate::games::rules::Rules;
use crate::table::tablebase::Tablebase;
use crate::theory::watch::Watch;
use clap::{Args, Subcommand};
use serde::Serialize;
use std::io::{self, Write};
use std::ops::RangeInclusive;

/// Check claims about the games against exact values
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
    /// Does a stone more, or a square less, on the way to the goal ever hurt? Empty strips
    Monotonicity(monotonicity::Arguments),
    /// Forward play: how many turns that touch the squares behind the ball Left needs to win
    Forward(forward::Arguments),
    /// The directional game, where a player jumps in one direction only, beside the ordinary one
    Directional(directional::Arguments),
    /// Does having the move ever hurt? From the tables
    #[command(after_help = tempo::TEMPO_EXAMPLES)]
    Tempo(tempo::Arguments),
    /// What is a stone, or a square, at the ends worth? From the tables
    #[command(after_help = tempo::ENDS_EXAMPLES)]
    Ends(tempo::Arguments),
    /// Do half strips form chains by what they beat? From the tables
    #[command(after_help = tempo::CHAIN_EXAMPLES)]
    Chain(tempo::Arguments),
    /// The exact potential: two numbers per half strip that decide every position
    Potential(potential::Arguments),
    /// Obstruction on a single row (Dawson's chess): the nimbers, and their period with its proof
    Dawson(dawson::Arguments),
}

impl Verb for Arguments {
    fn run(&self, common: &Common) -> Result<(), CommandError> {
        let solves = matches!(
            self.question,
            Question::Oddish(_) | Question::Forward(_) | Question::Directional(_)
        );
        let what = "oddish, forward and directional";
        only_for(&[(self.memory.is_some() && !solves, "memory", what)])?;
        let memory = self.memory.map(|memory| memory.0);
        let asked = Asked { common, memory };
        match &self.question {
            Question::Oddish(arguments) => oddish::run(arguments, asked),
            Question::Generalized(arguments) => generalized::run(arguments, asked),
            Question::Monotonicity(arguments) => monotonicity::run(arguments, asked),
            Question::Forward(arguments) => forward::run(arguments, asked),
            Question::Directional(arguments) => directional::run(arguments, asked),
            Question::Tempo(arguments) => tempo::run(arguments, common),
            Question::Ends(arguments) => tempo::run_ends(arguments, common),
            Question::Chain(arguments) => tempo::run_chain(arguments, common),
            Question::Potential(arguments) => potential::run(arguments, asked),
            Question::Dawson(arguments) => dawson::run(arguments, common),
        }
    }
}

/// The options that questions share.
#[derive(Clone, Copy)]
struct Asked<'a> {
    common: &'a Common,
    /// Memory that may be used, in bytes; `None` for what is free.
    memory: Option<u64>,
}

impl Asked<'_> {
    /// The tables of the ordinary game.
    fn tables(self) -> Result<Tablebase, CommandError> {
        Ok((self.common).tablebase(Rules::Ordinary, self.common.places_named())?)
    }

    /// Answers a question size by size, each with a line of progress on stderr under a title, and prints each answer when it is there.
    fn each<T: Serialize>(
        self,
        sizes: RangeInclusive<usize>,
        title: impl Fn(usize) -> String,
        mut answer: impl FnMut(usize, Watch<'_>) -> Result<T, CommandError>,
        print: impl Fn(&mut dyn Write, &T) -> io::Result<()>,
    ) -> Result<(), CommandError> {
        for size in sizes {
            let line = watched(title(size), self.memory, |watch| answer(size, watch))?;
            self.tell(&line, &print)?;
        }
        Ok(())
    }

    /// Prints an answer.
    fn tell<T: Serialize>(
        self,
        line: &T,
        print: impl Fn(&mut dyn Write, &T) -> io::Result<()>,
    ) -> Result<(), CommandError> {
        tell(unheeded(), self.common.json, line, |out| print(out, line))
    }
}

/// What work on the strips of one length is called.
fn of_length(length: usize) -> String {
    format!("length {length}")
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

/// Refuses a bound that is out of a question's range.
fn in_range(name: &str, value: usize, least: usize, most: usize) -> Result<(), CommandError> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(CommandError::Usage(format!(
        "--{name} {value}: give a number from {least} to {most}"
    )))
}

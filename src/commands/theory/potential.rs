//! `phutbase theory potential`: the exact potential, length by length.

use super::super::output::{CommandError, grouped};
use super::{Asked, of_length, strips};
use crate::answer::BoardsLabel;
use crate::games::strip::MIN_LENGTH;
use crate::games::{Boards, Rules};
use crate::theory::exact::diagrams::{Diagrams, MAX_LENGTH};
use crate::theory::exact::relation::Relation;
use crate::theory::exact::rows::Unranked;
use crate::theory::exact::{Duel, ExactPotential, PairClass, one_number_suffices};
use crate::theory::generalized::potential_map;
use crate::theory::watch::Watch;
use clap::Args;
use serde::Serialize;
use std::io::{self, Write};

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory potential         strips of 3 to 22 squares
  phutbase theory potential 3..54   all lengths known to have one
  phutbase theory potential 3..12 --json")]
pub struct Arguments {
    /// Strips
    #[arg(default_value = "3..22")]
    boards: Boards,
}

#[derive(Serialize)]
struct LengthLine {
    kind: &'static str,
    #[serde(flatten)]
    label: BoardsLabel,
    /// Ball squares on which the half boards form a chain, with either player to move; must be all.
    ball_squares: usize,
    /// The largest of the least κ and λ for all lengths up to this one.
    largest: u32,
    one_number: bool,
    /// Otherwise half boards that exclude κ = λ.
    cycle: Vec<Duel>,
}

#[derive(Serialize)]
struct HalfLine {
    kind: &'static str,
    half_length: usize,
    classes: Vec<PairClass>,
    /// States of the minimal automaton from the goal line on: before the first square, after it, …
    states: Vec<usize>,
    cross: Vec<CrossLine>,
}

#[derive(Serialize)]
struct CrossLine {
    generalized: u32,
    #[serde(flatten)]
    class: PairClass,
}

#[derive(Serialize)]
struct Summary {
    kind: &'static str,
    #[serde(flatten)]
    label: BoardsLabel,
    /// The first half board, by length and then by pattern, with κ < λ.
    first_with_two_numbers: Option<String>,
    first_cycle: Option<usize>,
}

pub fn run(arguments: &Arguments, asked: Asked<'_>) -> Result<(), CommandError> {
    let lengths = strips("potential", &arguments.boards, MAX_LENGTH)?;
    let last = *lengths.end();
    if *lengths.start() != MIN_LENGTH {
        return Err(CommandError::Usage(format!(
            "theory potential needs all lengths from {MIN_LENGTH}; write {MIN_LENGTH}..{last}"
        )));
    }
    let tables = asked.common.tables()?;
    let mut first_cycle = None;
    let mut potential: Option<ExactPotential> = None;
    let answer = |length, _: Watch<'_>| {
        let shorter = potential
            .take()
            .map_or(Relation::default(), ExactPotential::into_relation);
        let mut relation = add(
            shorter,
            &tables.ask(length, |table| Diagrams::of(&table.sets(length)?))?,
        )?;
        let cycle = one_number_suffices(&mut relation).err().unwrap_or_default();
        if !cycle.is_empty() && first_cycle.is_none() {
            first_cycle = Some(length);
        }
        let explained = ExactPotential::new(relation).map_err(|(_, cycle)| unexplained(length, &cycle))?;
        let largest = explained.largest();
        potential = Some(explained);
        Ok(LengthLine {
            kind: "length",
            label: BoardsLabel::strip(length),
            ball_squares: length - 2,
            largest,
            one_number: cycle.is_empty(),
            cycle,
        })
    };
    asked.each(lengths, of_length, answer, print_length)?;
    let mut potential = potential.expect("there is a length");
    for half_length in 1..=potential.max_half() {
        let line = HalfLine {
            kind: "half",
            half_length,
            classes: potential.classes(half_length),
            states: potential.states(half_length),
            cross: (potential.against(half_length, &potential_map).into_iter())
                .map(|(generalized, class)| CrossLine { generalized, class })
                .collect(),
        };
        asked.print_result(&line, print_half)?;
    }
    let wide = (1..=potential.max_half()).find_map(|half_length| {
        let classes = potential.classes(half_length).into_iter();
        classes
            .filter(|class| class.kappa < class.lambda)
            .map(|class| class.smallest)
            .min()
    });
    let summary = Summary {
        kind: "summary",
        label: BoardsLabel::new(&arguments.boards, Rules::Ordinary),
        first_with_two_numbers: wide.map(|half| half.to_string()),
        first_cycle,
    };
    asked.print_result(&summary, print_summary)
}

fn add(mut relation: Relation, diagrams: &Diagrams) -> Result<Relation, CommandError> {
    match relation.add(diagrams) {
        Ok(()) => Ok(relation),
        Err(Unranked::Crossing(crossing)) => Err(CommandError::Failure(format!(
            "length {}: the half boards are not an interval order (a Ferrers relation), a counterexample: {crossing}",
            diagrams.length()
        ))),
        Err(other) => Err(CommandError::failure(other)),
    }
}

fn unexplained(length: usize, cycle: &[Duel]) -> CommandError {
    CommandError::Failure(format!(
        "lengths up to {length}: the difference constraints on κ and λ have no solution, a counterexample: {}",
        listed(cycle)
    ))
}

fn listed(cycle: &[Duel]) -> String {
    let duels: Vec<String> = cycle.iter().map(Duel::to_string).collect();
    duels.join(", ")
}

fn print_length(out: &mut dyn Write, line: &LengthLine) -> io::Result<()> {
    write!(
        out,
        "length {:>2}: an interval order on every ball square; κ and λ up to {}",
        line.label.boards, line.largest
    )?;
    if line.one_number {
        writeln!(out, "; κ = λ is enough")
    } else {
        writeln!(out, "; κ = λ is not enough: {}", listed(&line.cycle))
    }
}

fn print_half(out: &mut dyn Write, line: &HalfLine) -> io::Result<()> {
    writeln!(
        out,
        "half boards of {} squares, states from the goal line {:?}",
        line.half_length, line.states
    )?;
    line.cross.iter().try_for_each(|cross| {
        let class = &cross.class;
        writeln!(
            out,
            "  generalized potential {:>2}, κ {:>2}, λ {:>2}: {:>14}, the smallest {}",
            cross.generalized,
            class.kappa,
            class.lambda,
            grouped(class.size.0),
            class.smallest
        )
    })
}

fn print_summary(out: &mut dyn Write, summary: &Summary) -> io::Result<()> {
    writeln!(
        out,
        "lengths {}: the mover wins exactly if κ(own half) ≤ λ(other half)",
        summary.label.boards
    )?;
    match summary.first_cycle {
        None => writeln!(out, "κ = λ is enough for all these lengths")?,
        Some(length) => writeln!(out, "κ = λ is enough up to length {} and no further", length - 1)?,
    }
    if let Some(half) = &summary.first_with_two_numbers {
        writeln!(
            out,
            "the first half board with κ < λ among the least numbers: {half}"
        )?;
    }
    Ok(())
}

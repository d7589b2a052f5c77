//! `phutbase theory oddish`: Theorem 1, Lemma 2 and the strategy of the proof, size by size; position by position as far as
//! asked for, by sets of positions beyond.

use super::super::output::{CommandError, Count, grouped};
use super::{Asked, in_range, not_for};
use crate::games::boards::Boards;
use crate::theory::oddish::sets;
use crate::theory::oddish::{Lemma2, MAX_SOLVED_SQUARES, PlayedOut, lemma_2, play_out, theorem_1};
use crate::theory::watch::{TheoryError, Watch};
use clap::Args;
use num_bigint::BigUint;
use serde::Serialize;
use std::io::{self, Write};

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory oddish oddish:2..18                        Theorem 1, Lemma 2 and the strategy
  phutbase theory oddish oddish:2..120 --solved-squares 0     Theorem 1 by sets of positions
  phutbase theory oddish oddish:16 --json")]
pub struct Arguments {
    /// Boards of Oddish Phutball
    #[arg(default_value = "oddish:2..18")]
    boards: Boards,
    /// Solve every position up to this many squares; larger boards are checked by sets of positions
    #[arg(long, value_name = "M", default_value_t = 14)]
    solved_squares: usize,
    /// Check Lemma 2 up to this many squares
    #[arg(long, value_name = "M", default_value_t = 18)]
    lemma_squares: usize,
    /// Play out the strategy of the proof up to this many squares
    #[arg(long, value_name = "M", default_value_t = 14)]
    strategy_squares: usize,
}

#[derive(Default, Serialize)]
struct Line {
    squares: usize,
    /// `positions`: every position solved and compared; `sets`: proved by sets of positions.
    checked: &'static str,
    positions: Count,
    wins: Count,
    losses: Count,
    draws: Count,
    /// `null` where positions were not solved.
    longest: Option<usize>,
    /// Positions where the theorem is wrong; by sets, boards of the prediction that the rules do not bear out.
    mismatches: Count,
    /// Nodes of the prediction as a diagram; `null` where positions were solved.
    nodes: Option<usize>,
    /// `null` where Lemma 2 was not checked.
    lemma_2: Option<Lemma2>,
    /// `null` where the strategy was not played out.
    strategy: Option<PlayedOut>,
}

pub fn run(arguments: &Arguments, asked: Asked<'_>) -> Result<(), CommandError> {
    let squares = match &arguments.boards {
        Boards::Oddish(squares) => squares.clone(),
        other => return Err(not_for("theory oddish", other, "boards such as oddish:2..18")),
    };
    in_range("solved-squares", arguments.solved_squares, 0, MAX_SOLVED_SQUARES)?;
    let mut failed = Vec::new();
    let answer = |squares, watch: Watch<'_>| {
        let (theorem, holds) = match squares <= arguments.solved_squares {
            true => by_positions(squares, watch)?,
            false => by_sets(squares, watch)?,
        };
        let (line, fine) = with_lemma(theorem, holds, arguments);
        if !fine {
            failed.push(squares.to_string());
        }
        Ok(line)
    };
    asked.each(squares, |squares| format!("{squares} squares"), answer, print)?;
    match failed.is_empty() {
        true => Ok(()),
        false => Err(CommandError::Failure(format!(
            "the claims about Oddish Phutball fail at {} squares",
            failed.join(", ")
        ))),
    }
}

/// The same size with Lemma 2 and the strategy, as far as they are asked for, and whether all claims hold.
fn with_lemma(line: Line, holds: bool, arguments: &Arguments) -> (Line, bool) {
    let squares = line.squares;
    let lemma = (squares <= arguments.lemma_squares).then(|| lemma_2(squares));
    let played = (squares <= arguments.strategy_squares).then(|| play_out(squares));
    let (lemma, played) = (lemma.flatten(), played.flatten());
    let fine = holds
        && lemma.is_none_or(|lemma| lemma.holds())
        && played.is_none_or(|played| played.won == played.given);
    let line = Line {
        lemma_2: lemma,
        strategy: played,
        ..line
    };
    (line, fine)
}

/// One size with every position solved, and whether the theorem holds.
fn by_positions(squares: usize, watch: Watch<'_>) -> Result<(Line, bool), TheoryError> {
    let theorem = theorem_1(squares, watch)?;
    let line = Line {
        squares,
        checked: "positions",
        positions: count(theorem.positions),
        wins: count(theorem.wins),
        losses: count(theorem.losses),
        draws: count(theorem.draws),
        longest: Some(theorem.longest),
        mismatches: count(theorem.mismatches),
        ..Line::default()
    };
    Ok((line, theorem.mismatches == 0 && theorem.draws == 0))
}

/// One size by sets, and whether the theorem holds.
fn by_sets(squares: usize, watch: Watch<'_>) -> Result<(Line, bool), TheoryError> {
    let found = sets::check(squares, watch)?;
    let count = |number: &BigUint| {
        Count(
            number
                .try_into()
                .expect("boards of up to 120 squares have fewer than 2^128 positions"),
        )
    };
    let positions = found.positions();
    let line = Line {
        squares,
        checked: "sets",
        draws: count(&(positions.clone() - (&found.wins + &found.losses).min(positions.clone()))),
        positions: count(&positions),
        wins: count(&found.wins),
        losses: count(&found.losses),
        mismatches: count(&(&found.no_turn + &found.bad_turn)),
        nodes: Some(found.nodes),
        ..Line::default()
    };
    Ok((line, found.holds()))
}

fn count(number: u64) -> Count {
    Count(number.into())
}

fn print(out: &mut dyn Write, line: &Line) -> io::Result<()> {
    write!(
        out,
        "{:>2} squares: {} positions, {} wins, {} losses, {} draws",
        line.squares,
        grouped(line.positions.0),
        grouped(line.wins.0),
        grouped(line.losses.0),
        grouped(line.draws.0),
    )?;
    if let Some(longest) = line.longest {
        write!(out, ", longest {longest}")?;
    }
    write!(
        out,
        "; Theorem 1 wrong on {}, checked by {}",
        grouped(line.mismatches.0),
        line.checked
    )?;
    if let Some(lemma) = &line.lemma_2 {
        write!(
            out,
            "; Lemma 2 (i), (ii), (iii) wrong on {}, {}, {}",
            grouped(lemma.no_winning_jump),
            grouped(lemma.no_placement),
            grouped(lemma.far_jump),
        )?;
    }
    if let Some(played) = &line.strategy {
        write!(
            out,
            "; strategy wins {} of {}, at most {} plies",
            grouped(played.won),
            grouped(played.given),
            played.longest
        )?;
    }
    writeln!(out)
}

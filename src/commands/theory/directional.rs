//! `phutbase theory directional`: the potential that decides directional Phutball on strips.

use super::super::output::{BigCount, CommandError, grouped};
use super::super::progress::watched;
use super::{Asked, of_length, strips};
use crate::answer::BoardsLabel;
use crate::games::directional::automaton::PotentialState;
use crate::games::strip::{MAX_LENGTH, StripGame, positions};
use crate::games::{Boards, Rules};
use crate::theory::directional::compare;
use crate::theory::directional::count::{Halves, limit, wins};
use crate::theory::directional::facts::{self, Checked};
use crate::theory::watch::Watch;
use clap::Args;
use serde::Serialize;
use std::io::{self, Write};

#[derive(Args)]
pub struct Arguments {
    /// Strips
    #[arg(default_value = "3..18")]
    boards: Boards,
    /// Compare the potential with the reference solver on strips of at most N squares
    #[arg(long, value_name = "N", default_value_t = 18)]
    solved_squares: usize,
}

pub const EXAMPLES: &str = "Examples:
  phutbase theory directional       every position of 3 to 18 squares
  phutbase theory directional 128   counts only
  phutbase theory directional 3..12 --json";

#[derive(Serialize)]
struct DirectionalRow {
    #[serde(flatten)]
    label: BoardsLabel,
    /// Predicted wins, with Left to move.
    wins: BigCount,
    losses: BigCount,
    /// Positions on which the reference solver disagrees, Left to move; `None` if it was not run.
    wrong_values: Option<u64>,
    /// Positions whose claimed winning turn does not win.
    wrong_turns: Option<u64>,
}

#[derive(Serialize)]
struct Theorem {
    /// Counts of the checked facts, which cover half strips of every length.
    #[serde(flatten)]
    checked: Checked,
    limit: f64,
}

/// Checks the facts for all words, and compares the potential with the solver and the counts.
pub fn run(arguments: &Arguments, asked: Asked<'_>) -> Result<(), CommandError> {
    let lengths = strips("directional", &arguments.boards, MAX_LENGTH)?;
    let halves: Vec<_> = Halves::default().take(*lengths.end() - 2).collect();
    let mut wrong = 0;
    let answer = |length: usize, _: Watch<'_>| {
        let all = positions(length).expect("a strip has positions");
        let wins = wins(length, &halves);
        let (values, turns) = (length <= arguments.solved_squares)
            .then(|| StripGame::new(length))
            .flatten()
            .map(|game| compare(&game.under(Rules::Directional)))
            .unzip();
        wrong += values.unwrap_or(0) + turns.unwrap_or(0);
        Ok(DirectionalRow {
            label: BoardsLabel::new(&Boards::strip(length), Rules::Directional),
            losses: BigCount(all - &wins),
            wins: BigCount(wins),
            wrong_values: values,
            wrong_turns: turns,
        })
    };
    asked.each(lengths, of_length, answer, print)?;
    let checked = watched("half strips of every length".to_string(), None, |_| {
        facts::check(&PotentialState::step).map_err(|refuted| CommandError::Failure(refuted.to_string()))
    })?;
    let theorem = Theorem {
        checked,
        limit: limit(),
    };
    asked.print_result(&theorem, print_theorem)?;
    match wrong {
        0 => Ok(()),
        _ => Err(CommandError::Failure(format!(
            "the potential is wrong {wrong} times"
        ))),
    }
}

fn print(out: &mut dyn Write, line: &DirectionalRow) -> io::Result<()> {
    let compared = match (line.wrong_values, line.wrong_turns) {
        (Some(values), Some(turns)) => {
            format!("; against the reference solver {values} wrong values, {turns} wrong turns")
        }
        _ => String::new(),
    };
    let [wins, losses] = [&line.wins, &line.losses].map(|count| grouped(&count.0));
    writeln!(
        out,
        "length {:>3}, Left to move: {wins} wins, {losses} losses{compared}",
        line.label.boards
    )
}

fn print_theorem(out: &mut dyn Write, theorem: &Theorem) -> io::Result<()> {
    let Checked {
        states,
        pairs,
        jumps,
        landings,
    } = theorem.checked;
    writeln!(
        out,
        "half strips of every length: the facts hold ({states} states, {pairs} pairs, {jumps} in jumps, {landings} at landings)"
    )?;
    writeln!(out, "share of wins in the limit: {:.14}", theorem.limit)
}

//! `phutbase theory window`: the window formula, checked by the tables.

use super::Runner;
use crate::commands::options::span;
use clap::Args;
use phutbase_answer::object;
use phutbase_base::outcome::Side;
use phutbase_rules::strip::MAX_LENGTH;
use phutbase_table::Metric;
use phutbase_terminal::output::{CommandError, expect_none, no_tables};
use phutbase_theory::window::{formula, is_enough};
use std::ops::RangeInclusive;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory window             1 to 12 squares right of the ball
  phutbase theory window 8           exactly 8
  phutbase theory window 1..40 --json")]
pub struct Arguments {
    /// Squares right of the ball, with any contents: a number or a range
    #[arg(default_value = "1..12", value_parser = span)]
    squares: RangeInclusive<u16>,
}

/// Prints the least numbers of empty squares, and compares them with the formula.
pub fn run(arguments: &Arguments, runner: Runner<'_>) -> Result<(), CommandError> {
    let tables = runner.common.tables()?;
    let longest = (tables.longest_strips(false)).ok_or_else(|| no_tables(&tables))?;
    let [first, last] = [arguments.squares.start(), arguments.squares.end()].map(|&end| end.into());
    if first == 0 || last > MAX_LENGTH - 2 {
        let most = MAX_LENGTH - 2;
        return Err(CommandError::Usage(format!(
            "theory window takes 1 to {most} squares, not {first}..{last}"
        )));
    }
    let (mut least, mut wrong) = ([1, 1], Vec::new());
    for squares in first..=last {
        for (least, side) in least.iter_mut().zip([Side::Left, Side::Right]) {
            // Monotone: a stone as the last square on the right changes nothing (Lemma 1).
            while *least + 1 + squares <= longest
                && !tables.ask_strips(*least + 1 + squares, Some(Metric::Wdl), |table| {
                    is_enough(table, *least, squares, side)
                })?
            {
                *least += 1;
            }
        }
        let known = |left: usize| (left + 1 + squares <= longest).then_some(left);
        let [left_to_move, right_to_move] = least.map(known);
        let [left, right] = [left_to_move, right_to_move]
            .map(|found| found.map_or("unknown".to_string(), |left| left.to_string()));
        let expected = [Side::Left, Side::Right].map(|side| formula(squares, side));
        let holds = [left_to_move, right_to_move]
            .into_iter()
            .zip(expected)
            .all(|(found, expected)| {
                // Unknown numbers do not contradict it.
                found.is_none_or(|found| found == expected)
            });
        if !holds {
            wrong.push(squares.to_string());
        }
        let verdict = if holds {
            "as the formula says"
        } else {
            "NOT as the formula says"
        };
        runner.print_result(
            &object! {
                half_length: squares,
                /// Sufficient empty squares on its left; null if the tables do not decide.
                left_to_move: left_to_move,
                right_to_move: right_to_move,
                /// The formula's numbers.
                formula: expected,
                holds: holds,
            },
            &format!(
                "{squares:>3} right of the ball: least number of empty squares left of it {left} with Left to move, {right} with Right to move; {verdict}"
            ),
        )?;
    }
    expect_none(&wrong, ", ", |wrong| {
        CommandError::Failure(format!("the formula fails for {wrong} squares"))
    })
}

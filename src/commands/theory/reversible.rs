//! `phutbase theory reversible`: stones that take back turns that are not proper.

use super::{Runner, in_range};
use crate::commands::options::span;
use clap::Args;
use phutbase_answer::object;
use phutbase_rules::strip::MAX_LENGTH;
use phutbase_terminal::output::{CommandError, expect_none, no_tables};
use phutbase_theory::reversible::{MAX_SQUARES, answered};
use std::ops::RangeInclusive;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory reversible               1 to 13 squares, on all strips of 64
  phutbase theory reversible 8 --length 96
  phutbase theory reversible 9 --json")]
pub struct Arguments {
    /// Squares behind the ball, with any contents: a number or a range
    #[arg(default_value = "1..13", value_parser = span)]
    squares: RangeInclusive<u16>,
    /// Compare all strips of N squares that begin with them [default: 64, or the longest table's]
    #[arg(long, value_name = "N")]
    length: Option<usize>,
    /// Show at most K turns that nothing takes back
    #[arg(long, value_name = "K", default_value_t = 3)]
    limit: usize,
}

pub fn run(arguments: &Arguments, runner: Runner<'_>) -> Result<(), CommandError> {
    let tables = runner.common.tables()?;
    let longest = (tables.longest_strips(false)).ok_or_else(|| no_tables(&tables))?;
    let [first, last] = [arguments.squares.start(), arguments.squares.end()].map(|&end| end.into());
    in_range("squares", first, 1, MAX_SQUARES)?;
    in_range("squares", last, first, MAX_SQUARES)?;
    let length = arguments.length.unwrap_or(longest.min(64));
    in_range("length", length, last + 4, MAX_LENGTH)?;
    let sets = tables.ask_strips(length, None, |table| table.sets(length))?;
    let mut failed = Vec::new();
    let title = |squares: usize| format!("{squares} squares behind the ball");
    runner.each(first..=last, title, |squares, job| {
        let found = answered(&sets, squares, arguments.limit, job)?;
        if found.exceptions > 0 {
            failed.push(squares.to_string());
        }
        let mut words = format!(
            "{squares:>3} squares behind the ball: of {} turns that are not proper, {} that no stone takes back",
            found.turns, found.exceptions
        );
        let examples = found.first.iter().map(|(known, turn)| format!("{known} {turn}"));
        let examples: Vec<String> = examples.collect();
        for example in &examples {
            words += &format!("\n  {example}");
        }
        let object = object! {
            half_length: squares,
            /// The squares of the strips that were compared.
            length: length,
            /// Turns that are not proper, one for each left half and square.
            turns: found.turns,
            /// Those that no stone of Right's takes back for all right halves.
            exceptions: found.exceptions,
            /// The first of them: the first squares of the board, and the turn.
            examples: examples,
        };
        Ok((object, words))
    })?;
    expect_none(&failed, ", ", |failed| {
        CommandError::Failure(format!("it fails with {failed} squares behind the ball"))
    })
}

//! `phutbase theory tempo`, `forward-value`, `chain`, `proper`, `replace`, `reversible` and `window`:
//! laws of this project, of which the tables are asked.

use super::{Runner, in_range, strips};
use crate::commands::options::span;
use clap::Args;
use phutbase_rules::Boards;
use phutbase_rules::strip::{MAX_LENGTH, MIN_LENGTH};
use phutbase_table::Tablebase;
use phutbase_terminal::options::memory_size;
use phutbase_terminal::output::CommandError;
use phutbase_terminal::output::no_tables;
use phutbase_theory::claim::{Law, Lawful};
use phutbase_theory::window::Windows;
use phutbase_theory::{proper, replace, reversible};
use std::ops::RangeInclusive;

#[derive(Args)]
pub struct OfLengths {
    /// Strips [default: every length that a table holds]
    boards: Option<Boards>,
}

pub const TEMPO_EXAMPLES: &str = "Examples:
  phutbase theory tempo               every length that a table holds
  phutbase theory tempo 3..48
  phutbase theory tempo 64 --json";

pub const FORWARD_VALUE_EXAMPLES: &str = "Examples:
  phutbase theory forward-value       every length that a table holds
  phutbase theory forward-value 3..48
  phutbase theory forward-value 64 --json";

pub const CHAIN_EXAMPLES: &str = "Examples:
  phutbase theory chain               every length that a table holds
  phutbase theory chain 3..48
  phutbase theory chain 64 --json";

impl OfLengths {
    pub fn check(&self, verb: &str, law: &Law, runner: Runner<'_>) -> Result<(), CommandError> {
        let tables = runner.common.tables()?;
        runner.check(&mut Lawful(&tables, law), self.held(verb, &tables)?)
    }

    /// Returns the lengths, without boards all that a table holds.
    fn held(&self, verb: &str, tables: &Tablebase) -> Result<RangeInclusive<usize>, CommandError> {
        match &self.boards {
            Some(boards) => strips(verb, boards, MAX_LENGTH),
            None => Ok(MIN_LENGTH..=longest(tables)?),
        }
    }
}

fn longest(tables: &Tablebase) -> Result<usize, CommandError> {
    tables.longest_strips(false).ok_or_else(|| no_tables(tables))
}

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory proper                   every length that a table holds
  phutbase theory proper 3..64
  phutbase theory proper 22 --backward 6   short backward jumps are needed
  phutbase theory proper 64 --json")]
pub struct Proper {
    #[command(flatten)]
    lengths: OfLengths,
    /// Count forward jumps of at least K squares only, 3 to 5, and those that win
    #[arg(long, value_name = "K", default_value_t = 3)]
    forward: usize,
    /// Count backward jumps of at least K squares only, 3 to 6
    #[arg(long, value_name = "K", default_value_t = 3)]
    backward: usize,
    /// Show at most K of the boards that contradict the law
    #[arg(long, value_name = "K", default_value_t = 3)]
    limit: usize,
    /// Use at most this much memory [default: what is free]
    #[arg(long, value_name = "SIZE", value_parser = memory_size)]
    pub memory: Option<u64>,
}

impl Proper {
    pub fn run(&self, runner: Runner<'_>) -> Result<(), CommandError> {
        in_range("forward", self.forward, 3, 5)?;
        in_range("backward", self.backward, 3, 6)?;
        let tables = runner.common.tables()?;
        let mut claim = proper::Proper {
            tables: &tables,
            forward: self.forward,
            backward: self.backward,
            limit: self.limit,
        };
        runner.check(&mut claim, self.lengths.held("theory proper", &tables)?)
    }
}

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory replace '.o@' '@o.' 3..64
  phutbase theory replace o@ .@ 24          the stone next to the ball does not help Left
  phutbase theory replace '|....' '|o...'   the same at the left end, whatever follows
  phutbase theory replace o@. .o@ 3..12 --limit 1 --json")]
pub struct Replace {
    /// Squares around the ball, such as '.o@'; with '|' in front at the left end only
    pattern: String,
    /// As many squares in their place
    replacement: String,
    #[command(flatten)]
    lengths: OfLengths,
    /// Show at most K exceptions for each player to move
    #[arg(long, value_name = "K", default_value_t = 3)]
    limit: usize,
}

impl Replace {
    pub fn run(&self, runner: Runner<'_>) -> Result<(), CommandError> {
        let words = [self.pattern.as_str(), self.replacement.as_str()];
        let tables = runner.common.tables()?;
        let mut claim = replace::Replace::new(&tables, words, self.limit).map_err(CommandError::usage)?;
        runner.check(&mut claim, self.lengths.held("theory replace", &tables)?)
    }
}

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory reversible               1 to 13 squares, on all strips of 64
  phutbase theory reversible 8 --length 96
  phutbase theory reversible 9 --json")]
pub struct Reversible {
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

impl Reversible {
    pub fn run(&self, runner: Runner<'_>) -> Result<(), CommandError> {
        let tables = runner.common.tables()?;
        let longest = longest(&tables)?;
        let squares = within("squares", &self.squares, 1, reversible::MAX_SQUARES)?;
        let length = self.length.unwrap_or(longest.min(64));
        in_range("length", length, squares.end() + 4, MAX_LENGTH)?;
        let mut claim = reversible::Reversible {
            sets: &tables.ask_strips(length, None, |table| table.sets(length))?,
            limit: self.limit,
        };
        runner.check(&mut claim, squares)
    }
}

/// Returns a range of numbers if its ends are within bounds.
pub fn within(
    name: &str,
    given: &RangeInclusive<u16>,
    least: usize,
    most: usize,
) -> Result<RangeInclusive<usize>, CommandError> {
    let [first, last] = [given.start(), given.end()].map(|&end| end.into());
    in_range(name, first, least, most)?;
    in_range(name, last, first, most)?;
    Ok(first..=last)
}

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory window             1 to 12 squares right of the ball
  phutbase theory window 8           exactly 8
  phutbase theory window 1..40 --json")]
pub struct Window {
    /// Squares right of the ball, with any contents: a number or a range
    #[arg(default_value = "1..12", value_parser = span)]
    squares: RangeInclusive<u16>,
}

impl Window {
    pub fn run(&self, runner: Runner<'_>) -> Result<(), CommandError> {
        let tables = runner.common.tables()?;
        let longest = longest(&tables)?;
        let squares = within("squares", &self.squares, 1, MAX_LENGTH - 2)?;
        runner.check(&mut Windows::new(&tables, longest), squares)
    }
}

//! `phutbase theory tempo`, `forward-value`, `chain`, `proper`, `replace`, `reversible` and `window`:
//! laws of this project, of which the tables are asked.

use super::{Runner, in_range, strips};
use crate::commands::options::span;
use clap::Args;
use phutbase_base::object;
use phutbase_rules::Boards;
use phutbase_rules::strip::{MAX_LENGTH, MIN_LENGTH};
use phutbase_table::Tablebase;
use phutbase_terminal::options::memory_size;
use phutbase_terminal::output::CommandError;
use phutbase_terminal::output::no_tables;
use phutbase_theory::claim::{Law, Lawful};
use phutbase_theory::replace::{Answer, Exception, Replacement, SEARCHED};
use phutbase_theory::window::Windows;
use phutbase_theory::{proper, reversible};
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
  phutbase theory replace '.o@' '@o.'
  phutbase theory replace o@ .@             the stone next to the ball does not help Left
  phutbase theory replace '|....' '|o...'   the same at the left end, whatever follows
  phutbase theory replace o@. .o@ --json    a law that fails")]
pub struct Replace {
    /// Squares around the ball, such as '.o@'; with '|' in front at the left end only
    pattern: String,
    /// Squares in their place
    replacement: String,
}

impl Replace {
    pub fn run(&self, runner: Runner<'_>) -> Result<(), CommandError> {
        let law = Replacement::parse(&self.pattern, &self.replacement).map_err(CommandError::usage)?;
        let answer = law.answer();
        let examples = match &answer {
            Answer::Fails(examples) => examples.iter().flatten().collect(),
            Answer::Holds | Answer::Open => Vec::new(),
        };
        let lost = |exception: &&Exception| exception.lost.to_string();
        let mut words = match answer {
            Answer::Holds => "Left's wins are kept on strips of every length".to_string(),
            Answer::Open => {
                format!("not decided; no win is lost with up to {SEARCHED} squares behind the words")
            }
            Answer::Fails(_) => "Left's wins are lost, first on these boards:".to_string(),
        };
        for Exception { won, lost } in &examples {
            words += &format!("\n  Left wins {won} and loses {lost}");
        }
        let holds = match answer {
            Answer::Holds => Some(true),
            Answer::Fails(_) => Some(false),
            Answer::Open => None,
        };
        let object = object! {
            pattern: self.pattern.clone(),
            replacement: self.replacement.clone(),
            /// `null` if it was not decided.
            holds: holds,
            /// The shortest boards whose win is lost, one for each player to move that has any.
            examples: examples.iter().map(|found| found.won.to_string()).collect::<Vec<_>>(),
            /// The same boards with the replacement.
            replaced: examples.iter().map(lost).collect::<Vec<_>>(),
        };
        runner.print_result(&object, &words)?;
        match holds {
            Some(true) => Ok(()),
            Some(false) => Err(CommandError::failure("the law fails")),
            None => Err(CommandError::failure("the law was not decided")),
        }
    }
}

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory reversible   1 to 13 squares
  phutbase theory reversible 8
  phutbase theory reversible 9 --json")]
pub struct Reversible {
    /// Squares behind the ball, with any contents: a number or a range
    #[arg(default_value = "1..13", value_parser = span)]
    squares: RangeInclusive<u16>,
    /// Show at most K turns that nothing takes back
    #[arg(long, value_name = "K", default_value_t = 3)]
    limit: usize,
}

impl Reversible {
    pub fn run(&self, runner: Runner<'_>) -> Result<(), CommandError> {
        let squares = within("squares", &self.squares, 1, reversible::MAX_SQUARES)?;
        runner.check(&mut reversible::Reversible { limit: self.limit }, squares)
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

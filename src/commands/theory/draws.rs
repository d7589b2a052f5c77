//! `phutbase theory first-draw` and `decided`: boards beyond the tables.

use super::laws::within;
use super::{Runner, in_range};
use crate::commands::options::span;
use clap::Args;
use phutbase_rules::strip::{LONGEST, MAX_LENGTH, MIN_LENGTH};
use phutbase_terminal::output::CommandError;
use phutbase_terminal::output::no_tables;
use phutbase_theory::decided::Shares;
use phutbase_theory::first_draw;
use std::ops::RangeInclusive;

/// Maximum number of boards of a sample, which are held in memory.
const MAX_SAMPLE: usize = 1_000_000;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory first-draw 145
  phutbase theory first-draw 145..152 --trials 500
  phutbase theory first-draw 145 --json --limit 20")]
pub struct FirstDraw {
    /// Lengths beyond the longest table: a number or a range
    #[arg(value_parser = span)]
    lengths: RangeInclusive<u16>,
    /// Search K random boards of those that satisfy all conditions
    #[arg(long, value_name = "K", default_value_t = 2000)]
    trials: usize,
    /// Set the seed of the sample
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Show at most K boards that are left
    #[arg(long, value_name = "K", default_value_t = 3)]
    limit: usize,
}

impl FirstDraw {
    pub fn run(&self, runner: Runner<'_>) -> Result<(), CommandError> {
        in_range("trials", self.trials, 0, MAX_SAMPLE)?;
        let tables = runner.common.tables()?;
        let longest = (tables.longest_strips(false)).ok_or_else(|| no_tables(&tables))?;
        let lengths = within("lengths", &self.lengths, longest + 1, MAX_LENGTH)?;
        let mut claim = first_draw::FirstDraw {
            tables: &tables,
            sets: &tables.ask_strips(longest, None, |table| table.sets(longest))?,
            trials: self.trials,
            seed: self.seed,
            limit: self.limit,
        };
        runner.check(&mut claim, lengths)
    }
}

/// Maximum number of squares of all boards of a length together, which bounds the memory.
const MAX_SQUARES: usize = 1 << 31;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory decided                145, 160, 256, 512 and 1000 squares
  phutbase theory decided 160 --trials 20000
  phutbase theory decided 2000 4000 --json")]
pub struct Decided {
    /// Lengths of strips, up to 10,000,000 squares
    #[arg(default_values_t = [145, 160, 256, 512, 1000])]
    lengths: Vec<usize>,
    /// Decide K random boards of each length
    #[arg(long, value_name = "K", default_value_t = 2000)]
    trials: usize,
    /// Set the seed; the same seed gives the same boards
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
}

impl Decided {
    pub fn run(&self, runner: Runner<'_>) -> Result<(), CommandError> {
        let tables = runner.common.tables()?;
        for &length in &self.lengths {
            in_range("lengths", length, MIN_LENGTH, LONGEST)?;
            in_range("trials", self.trials, 1, MAX_SQUARES / length)?;
        }
        let mut shares = Shares {
            tables: &tables,
            trials: self.trials,
            seed: self.seed,
        };
        runner.check(&mut shares, self.lengths.iter().copied())
    }
}

//! `phutbase theory oddish`, `generalized` and `monotonicity`: claims of the literature,
//! on every position of a size.

use super::{Runner, not_for, strips};
use clap::Args;
use phutbase_machine::space::memory_limit;
use phutbase_rules::Boards;
use phutbase_terminal::{CommandError, in_range, memory_size};
use phutbase_theory::generalized::{self, GeneralizedClaim};
use phutbase_theory::monotonicity::Monotone;
use phutbase_theory::oddish::{self, OddishClaims};
use phutbase_theory::values;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory oddish oddish:2..18
  phutbase theory oddish oddish:2..120 --solved-squares 0   by sets
  phutbase theory oddish oddish:16 --json")]
pub struct Oddish {
    /// Boards of Oddish Phutball
    #[arg(default_value = "oddish:2..18")]
    boards: Boards,
    /// Solve every position up to this many squares; larger boards are checked by sets of positions
    #[arg(long, value_name = "M", default_value_t = 14, value_parser = in_range::<0, {oddish::MAX_SOLVED_SQUARES}>)]
    solved_squares: usize,
    /// Check GN Lemma 2 up to this many squares
    #[arg(long, value_name = "M", default_value_t = 18, value_parser = in_range::<0, {oddish::MAX_LEMMA_SQUARES}>)]
    lemma_squares: usize,
    /// Play out the strategy of the proof up to this many squares
    #[arg(long, value_name = "M", default_value_t = 14, value_parser = in_range::<0, {oddish::MAX_STRATEGY_SQUARES}>)]
    strategy_squares: usize,
    /// Use at most this much memory [default: what is free]
    #[arg(long, value_name = "SIZE", value_parser = memory_size)]
    memory: Option<u64>,
}

impl Oddish {
    pub fn run(&self, runner: Runner<'_>) -> Result<(), CommandError> {
        let Boards::Oddish(squares) = &self.boards else {
            return Err(not_for(
                "theory oddish",
                &self.boards,
                "boards such as oddish:2..18",
            ));
        };
        let mut claims = OddishClaims {
            solved_squares: self.solved_squares,
            lemma_squares: self.lemma_squares,
            strategy_squares: self.strategy_squares,
        };
        runner
            .within(memory_limit(self.memory)?)
            .check(&mut claims, squares.clone())
    }
}

/// Maximum length whose mismatches are explained.
const MAX_CAUSES: usize = 22;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory generalized 3..16   mismatches and their causes
  phutbase theory generalized 3..40   only counts beyond 16
  phutbase theory generalized 9 --limit 10 --json")]
pub struct GeneralizedPotential {
    /// Strips
    #[arg(default_value = "3..16")]
    boards: Boards,
    /// Show examples and the cause of every mismatch, up to length N
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = in_range::<0, MAX_CAUSES>)]
    causes_length: usize,
    /// Show at most K examples of each kind
    #[arg(long, value_name = "K", default_value_t = 3)]
    limit: usize,
}

impl GeneralizedPotential {
    pub fn run(&self, runner: Runner<'_>) -> Result<(), CommandError> {
        let lengths = strips("theory generalized", &self.boards, generalized::MAX_LENGTH)?;
        let mut claim = GeneralizedClaim {
            tables: &runner.common.tables()?,
            causes_length: self.causes_length,
            limit: self.limit,
        };
        runner.check(&mut claim, lengths)
    }
}

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase theory monotonicity                strips of 3 to 12 squares
  phutbase theory monotonicity 10 --limit 5   more counterexamples
  phutbase theory monotonicity 3..18 --json")]
pub struct Monotonicity {
    /// Strips
    #[arg(default_value = "3..12")]
    boards: Boards,
    /// Show, and prove by the rules alone, at most K counterexamples of each kind and length
    #[arg(long, value_name = "K", default_value_t = 2)]
    limit: usize,
}

impl Monotonicity {
    pub fn run(&self, runner: Runner<'_>) -> Result<(), CommandError> {
        let lengths = strips("theory monotonicity", &self.boards, values::MAX_LENGTH)?;
        let tables = runner.common.tables()?;
        runner.check(&mut Monotone::new(&tables, self.limit), lengths)
    }
}

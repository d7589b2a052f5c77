//! `phutbase obstruction`: nimbers of boards, rows and sums.

mod moves;
mod nimber;
mod row;
mod slices;
mod table;

use super::Common;
use super::output::CommandError;
use clap::{Args, Subcommand};
use phutbase::answer::obstruction::solver_with;
use phutbase::games::obstruction::Sum;
use phutbase::nimber::Nimber;
use phutbase::solve::nimbers::{Limits, Solver, Stopped};
use phutbase::table::nimbers::{NimberTable, nimbers_path};

/// Obstruction: mark a free square none of whose up to eight neighbours is marked; who cannot move loses.
///
/// A board is written 6x6 (rows x columns, no marks), or as its rows from top to bottom, split by '/', with '.' for a
/// square without a mark and 'x' for a mark: ..x/.../x.. Boards side by side are joined by '+': 1x2 + 1x7; a number is a
/// row of that length: 1+2+3. Squares are named r1c1 (row 1 from the top, column 1 from the left).
#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    question: Question,
}

#[derive(Subcommand)]
enum Question {
    /// The nimber of a board, who wins, and the components it falls into; boards in the table are looked up
    Nimber(nimber::Arguments),
    /// Rows 1 x n (Dawson's chess): the nimbers, and their period with its proof
    Row(row::Arguments),
    /// Every winning move, and what it leaves
    Move(moves::Arguments),
    /// The nimbers of all boards up to a size, as far as the time goes
    Table(table::Arguments),
}

/// What a search may use.
#[derive(Args, Clone)]
struct Memory {
    /// Memory for remembered regions; at the bound the smallest are forgotten, which costs time only
    #[arg(long, value_name = "GiB", default_value_t = 2.0)]
    memory: f64,
}

pub fn run(arguments: &Arguments, common: &Common) -> Result<(), CommandError> {
    match &arguments.question {
        Question::Nimber(arguments) => nimber::run(arguments, common),
        Question::Row(arguments) => row::run(arguments, common),
        Question::Move(arguments) => moves::run(arguments, common),
        Question::Table(arguments) => table::run(arguments, common),
    }
}

impl Memory {
    fn bytes(&self) -> Result<u64, CommandError> {
        if self.memory > 0.0 && self.memory.is_finite() {
            Ok((self.memory * f64::from(1 << 30)) as u64)
        } else {
            Err(CommandError::Usage(format!(
                "--memory {}: give a positive number of GiB",
                self.memory
            )))
        }
    }

    /// A solver that knows the boards of the table already, if there is one.
    fn solver(&self, common: &Common) -> Result<(Solver, NimberTable), CommandError> {
        let table = NimberTable::read(&nimbers_path(&common.tables))?;
        Ok((solver_with(&table, self.bytes()?), table))
    }
}

fn parse(text: &str) -> Result<Sum, CommandError> {
    text.parse()
        .map_err(|error| CommandError::Usage(format!("board '{text}': {error}")))
}

/// `nimber 0: the second player wins`
fn sentence(nimber: Nimber) -> String {
    format!("nimber {nimber}: the {} player wins", nimber.winner())
}

/// Without limits a search is never stopped; if it were, that would be a failure like another.
fn unlimited<T>(answer: impl FnOnce(Limits) -> Result<T, Stopped>) -> Result<T, CommandError> {
    answer(Limits::default()).map_err(|stopped| CommandError::Failure(stopped.to_string()))
}

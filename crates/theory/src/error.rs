//! Errors of the checks of claims.

use phutbase_base::fault;
use phutbase_base::job::Stopped;
use phutbase_sets::graph::TooLarge;
use phutbase_solve::SolveError;
use phutbase_tables::TableError;

#[derive(Debug, thiserror::Error)]
pub enum TheoryError {
    /// The solver refused the length or ran out of memory.
    #[error(transparent)]
    Solve(#[from] SolveError),
    #[error(transparent)]
    Table(#[from] TableError),
    #[error("{squares} squares: only boards of 2 to {most} squares are supported")]
    Squares { squares: usize, most: usize },
    #[error(transparent)]
    Diagram(#[from] TooLarge),
    /// Values disagree, or an example cannot be proved.
    #[error("{0}")]
    Wrong(String),
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

fault! { TheoryError {
    TheoryError::Solve(error) => Of(error),
    TheoryError::Table(error) => Of(error),
    TheoryError::Squares { .. } => Usage,
    TheoryError::Diagram(error) => Of(error),
    TheoryError::Wrong(_) => Failure,
    TheoryError::Stopped(error) => Of(error),
} }

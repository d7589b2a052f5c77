//! Errors of the checks of claims.

use phutbase_base::job::Stopped;
use phutbase_diagram::graph::TooLarge;
use phutbase_diagram::halves::Unbuilt;
use phutbase_strips::symbolic::SymbolicError;

#[derive(Debug, thiserror::Error)]
pub enum TheoryError {
    /// The symbolic engine rejected the length or ran out of memory.
    #[error(transparent)]
    Symbolic(#[from] SymbolicError),
    #[error("{squares} squares: only boards of 2 to {most} squares are supported")]
    Squares { squares: usize, most: usize },
    /// No exact potential explains the values.
    #[error("{0}")]
    Unexplained(String),
    #[error(transparent)]
    Diagram(#[from] TooLarge),
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl From<Unbuilt> for TheoryError {
    fn from(unbuilt: Unbuilt) -> TheoryError {
        match unbuilt {
            Unbuilt::TooLarge(too_large) => too_large.into(),
            Unbuilt::Stopped(stopped) => stopped.into(),
        }
    }
}

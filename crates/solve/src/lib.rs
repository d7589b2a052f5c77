//! From the rules of one-dimensional Phutball to a table.
//!
//! * [`reference`](mod@reference) — the definition: retrograde analysis of any game, slow and obvious;
//! * [`bits`] — every board of a length, a bit each;
//! * [`plies`] — depths as sets of boards, ply by ply;
//! * [`levels`] — the backward turns that wins need, from the boards that the solution wins;
//! * [`generate`] — the tables of strips and pitches: planned, solved, resumed, written; those of
//!   winners come from the solution.
//!
//! The engines share the rules. [`turns`] has them as a table for sets, [`readings`] the sets, and
//! [`checkpoint`] the files in which plies and levels are kept between two steps.

pub mod bits;
pub mod checkpoint;
pub mod generate;
pub mod levels;
pub mod plies;
pub mod readings;
pub mod reference;
pub mod turns;

use phutbase_base::fault::{Fault, Kind};
use phutbase_base::job::Stopped;
use phutbase_files::error::ResumeError;
use phutbase_rules::strip::{MAX_LENGTH, MIN_LENGTH};

/// Why a length could not be solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    #[error("lengths {MIN_LENGTH} to {MAX_LENGTH} can be solved, not {0}")]
    Length(usize),
    /// The sets, or the results of one step, exceed the memory limit.
    #[error(
        "length {length}: the sets take {bytes} bytes, and each reading of them may take a quarter of the limit of {limit} bytes"
    )]
    Memory {
        length: usize,
        /// Bytes held.
        bytes: u64,
        limit: u64,
    },
    /// A ply removes boards, so the checkpoint holds sets of other work.
    #[error(
        "length {length}: ply {ply} removes boards; the sets of the checkpoint are not those of a solver"
    )]
    Shrinks { length: usize, ply: usize },
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl Fault for SolveError {
    fn kind(&self) -> Kind<'_> {
        match self {
            SolveError::Length(_) => Kind::Usage,
            SolveError::Memory { .. } | SolveError::Shrinks { .. } => Kind::System,
            SolveError::Stopped(error) => Kind::Of(error),
        }
    }

    fn message(&self) -> String {
        match self {
            SolveError::Memory { .. } => format!("{self}; allow more with --memory"),
            _ => self.to_string(),
        }
    }
}

/// Why work could not resume from a checkpoint.
pub type CheckpointError = ResumeError<SolveError>;

/// Refuses what is no length of a strip.
fn check_length(length: usize) -> Result<(), SolveError> {
    if (MIN_LENGTH..=MAX_LENGTH).contains(&length) {
        Ok(())
    } else {
        Err(SolveError::Length(length))
    }
}

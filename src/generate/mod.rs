//! From boards to their table: plan, solve, write; interruptible and resumable.
//!
//! * [`strip`] — the table of the strips up to a length, from the first ply or level or from the last checkpoint, to the finished file;
//! * [`pitch`] — the same for a pitch; [`frames`], [`gather`] — its table, packed by all processes that share the work;
//! * [`plan`] — what a pitch or an enumeration will take, before anything is allocated;
//! * [`witness`] — a table held against the dense engine, which enumerates every board;
//! * [`slices`] — time shared out between questions.
//!
//! Only whole tables have a table's name. A run that is killed leaves at most a checkpoint and an unnamed
//! or `.partial` file behind; the next run resumes from the one and removes the other.

#[doc(hidden)]
pub mod frames;
#[doc(hidden)]
pub mod gather;
pub mod pitch;
pub mod plan;
pub mod slices;
pub mod strip;
pub mod witness;

use crate::games::boards::Boards;
use crate::solve::pitch::PitchSolveError;
use crate::solve::pitch::checkpoint::SaveError;
use crate::solve::ranks::Elsewhere;
use crate::solve::symbolic::SymbolicError;
use crate::solve::symbolic::counters::Counters;
use crate::table::container::VERSION;
use crate::table::error::{ResumeError, TableError};
pub use crate::table::lock::TablesLock;
use plan::{Plan, PlanError};
use std::ops::ControlFlow;
use std::time::Duration;
pub use strip::{Request, generate};

/// How much work may be lost, unless a [`Request`] says otherwise.
pub const CHECKPOINT_EVERY: Duration = Duration::from_secs(30);
/// A run that is told to stop saves a checkpoint if this much work would be lost without it.
const WORTH_SAVING: Duration = Duration::from_secs(1);

/// Why a table could not be made.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// It does not fit.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The engine for pitches failed.
    #[error(transparent)]
    Pitch(#[from] PitchSolveError),
    /// The file could not be written or read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The symbolic engine failed.
    #[error(transparent)]
    Symbolic(#[from] SymbolicError),
    /// Another of the processes that share the work cannot go on.
    #[error(transparent)]
    Elsewhere(#[from] Elsewhere),
    /// The observer asked to stop.
    #[error("interrupted after {place} of {}; run the same command again to go on{}", boards.words(), if *saved { " from there" } else { "" })]
    Interrupted {
        /// What was in progress.
        boards: Boards,
        /// The last complete step, in words.
        place: String,
        /// Whether a checkpoint holds it.
        saved: bool,
    },
}

impl<E: std::error::Error> From<ResumeError<E>> for GenerateError
where
    GenerateError: From<E>,
{
    fn from(error: ResumeError<E>) -> GenerateError {
        match error {
            ResumeError::File(error) => error.into(),
            ResumeError::Engine(error) => error.into(),
        }
    }
}

impl From<SaveError> for GenerateError {
    fn from(error: SaveError) -> GenerateError {
        match error {
            SaveError::Table(error) => error.into(),
            SaveError::Elsewhere(error) => error.into(),
        }
    }
}

/// What an observer is told.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// Work on a pitch is about to begin; nothing is allocated yet.
    Begin(&'a Plan),
    /// It goes on from a checkpoint.
    Resumed {
        /// Plies found there.
        plies: usize,
    },
    /// A ply of a pitch is complete.
    Ply {
        /// Its number, from 1.
        ply: usize,
        /// Positions decided so far, of [`Plan::positions`].
        decided: u64,
    },
    /// The symbolic engine is about to begin a length.
    BeginDiagrams {
        /// Bytes that it may hold at most; what it will need is not known beforehand.
        memory: u64,
    },
    /// The symbolic engine goes on from a checkpoint.
    ResumedDiagrams {
        /// What is being done, in words.
        place: &'a str,
    },
    /// The symbolic engine has done a step.
    Diagrams(&'a strip::Live),
    /// The symbolic engine has found all values, at this cost.
    Counted(&'a Counters),
    /// All values are known; the table is being written.
    Writing,
}

/// Hears of every step, and may break off.
pub type Observer<'a> = dyn FnMut(Event<'_>) -> ControlFlow<()> + 'a;

/// How a table came to be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was there and whole.
    Present,
    /// It was made.
    Written,
    /// A damaged or older one was there; it was made again.
    Replaced,
}

/// Whether a table takes the place of a file that cannot be used: not of something that is no table, nor of what the system refuses to
/// show, nor of a newer program's.
fn replaced(error: TableError) -> Result<Outcome, TableError> {
    match error {
        TableError::NotATable { .. } | TableError::Io { .. } => Err(error),
        TableError::Version { found, .. } if found > VERSION => Err(error),
        _ => Ok(Outcome::Replaced),
    }
}

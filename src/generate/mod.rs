//! Makes tables: plans, solves and writes them; interruptible and resumable.
//!
//! Only complete tables have a table's name. A killed run leaves at most a checkpoint and an
//! unnamed or `.partial` file; the next run resumes from the former and removes the latter.

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
use crate::ranks::{RankError, SharedError};
use crate::solve::pitch::PitchSolveError;
use crate::solve::symbolic::SymbolicError;
use crate::solve::symbolic::counters::Counters;
use crate::table::container::VERSION;
use crate::table::error::{ResumeError, TableError};
use crate::table::id::TableId;
pub use crate::table::lock::TablesLock;
use plan::{Plan, PlanError};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;
pub use strip::{Request, generate};

/// Default of `checkpoint_every`: the work that may be lost.
pub const CHECKPOINT_EVERY: Duration = Duration::from_secs(30);
/// An interrupted run saves a checkpoint if it would otherwise lose this much work.
const WORTH_SAVING: Duration = Duration::from_secs(1);

/// Why a table was not made.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error(transparent)]
    Pitch(#[from] PitchSolveError),
    #[error(transparent)]
    Table(#[from] TableError),
    #[error(transparent)]
    Symbolic(#[from] SymbolicError),
    #[error(transparent)]
    OtherRank(#[from] RankError),
    #[error("interrupted after {place} of {}; {}", boards.words(), if *saved { "progress is saved: run the same command again to resume" } else { "nothing was saved" })]
    Interrupted {
        boards: Boards,
        /// The last complete step.
        place: String,
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

impl From<SharedError<TableError>> for GenerateError {
    fn from(error: SharedError<TableError>) -> GenerateError {
        match error {
            SharedError::Local(error) => error.into(),
            SharedError::Remote(error) => error.into(),
        }
    }
}

/// A step of a run, reported to the observer.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// Work on a pitch is about to begin; nothing is allocated yet.
    Begin(&'a Plan),
    /// The symbolic engine is about to begin a length.
    BeginDiagrams {
        /// Memory limit in bytes; the actual need is unknown.
        memory: u64,
    },
    /// Work resumes after this step, from a checkpoint.
    Resumed(&'a str),
    Step {
        /// The ply, or the level and its finished ball squares, with the memory used.
        place: &'a str,
        /// On a pitch, the positions decided so far, of [`Plan::positions`].
        decided: u64,
    },
    /// The symbolic engine has found all values; its counters.
    Counted(&'a Counters),
    /// All values are known; the table is being written.
    Writing,
}

/// Receives every step; may stop the run.
pub type Observer<'a> = dyn FnMut(Event<'_>) -> ControlFlow<()> + 'a;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Present,
    Written,
    /// The table replaced a damaged or older one.
    Replaced,
}

fn interrupted(boards: Boards, place: String, saved: bool) -> GenerateError {
    GenerateError::Interrupted { boards, place, saved }
}

/// Returns whether an intact table exists or a file is to be replaced; `check` opens and checks the
/// file. Files that are not tables, cannot be read or come from a newer version are kept.
fn presence(
    file: &Path,
    expected: TableId,
    check: impl FnOnce(&Path) -> Result<TableId, TableError>,
) -> Result<Outcome, TableError> {
    if !file.exists() {
        return Ok(Outcome::Written);
    }
    let keeps = |error: &TableError| match error {
        TableError::Version { found, .. } => *found > VERSION,
        error => matches!(error, TableError::NotATable(_) | TableError::Io { .. }),
    };
    match check(file) {
        Ok(found) if found == expected => Ok(Outcome::Present),
        Err(error) if keeps(&error) => Err(error),
        _ => Ok(Outcome::Replaced),
    }
}

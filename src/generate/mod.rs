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

use crate::job::{Job, Stopped};
use crate::ranks::{RankError, SharedError, Team};
use crate::solve::pitch::PitchSolveError;
use crate::solve::symbolic::SymbolicError;
use crate::table::container::VERSION;
use crate::table::error::{ResumeError, TableError, expect_same};
use crate::table::id::TableId;
pub use crate::table::lock::TablesLock;
use plan::PlanError;
use std::path::Path;
use std::time::{Duration, Instant};
pub use strip::{Request, generate};

/// Default of `checkpoint_every`: the work that may be lost.
pub const CHECKPOINT_EVERY: Duration = Duration::from_secs(30);
/// An interrupted run saves a checkpoint if it would otherwise lose this much work.
const WORTH_SAVING: Duration = Duration::from_secs(1);
/// The time between checkpoints is at least this multiple of the time taken by the last one.
const CHECKPOINT_SPACING: u32 = 20;

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
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl GenerateError {
    fn is_stopped(&self) -> bool {
        matches!(
            self,
            GenerateError::Stopped(_)
                | GenerateError::Symbolic(SymbolicError::Stopped(_))
                | GenerateError::Pitch(PitchSolveError::Stopped(_))
        )
    }
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Present,
    Written,
    /// The table replaced a damaged or older one.
    Replaced,
}

/// A solver that works in steps.
trait Stepwise {
    /// True if the state after a stopped step is that before it.
    const UNDOES_STOPPED_STEPS: bool;

    /// Takes the next step. Returns whether there are more.
    fn step(&mut self, job: &Job) -> Result<bool, GenerateError>;
    fn save(&self, checkpoint: &Path) -> Result<(), GenerateError>;
    /// Returns the name of the last complete step.
    fn place(&self) -> String;
}

/// Runs a solver to its end and saves checkpoints, if necessary also when the job is stopped.
fn run<S: Stepwise>(
    solver: &mut S,
    (checkpoint, every): (&Path, Duration),
    job: &Job,
    team: &Team,
) -> Result<(), GenerateError> {
    let (mut unsaved, mut saving) = (Instant::now(), Duration::ZERO);
    loop {
        let stepped = solver.step(job);
        let more = match &stepped {
            Ok(more) => *more,
            Err(error) if error.is_stopped() => true,
            Err(_) => return stepped.map(drop),
        };
        if !more {
            return Ok(());
        }
        // The clock of the first process decides.
        let lost = if team.is_first() {
            unsaved.elapsed()
        } else {
            Duration::ZERO
        };
        let mut words = [u64::from(job.check().is_err()), lost.as_nanos() as u64];
        team.combine(&mut words, &|_, a, b| a.max(b));
        let (stop, lost) = (words[0] == 1, Duration::from_nanos(words[1]));
        let wanted = if stop {
            every.min(WORTH_SAVING)
        } else if every.is_zero() {
            // Save after every step.
            every
        } else {
            every.max(CHECKPOINT_SPACING * saving)
        };
        if lost >= wanted && (stepped.is_ok() || S::UNDOES_STOPPED_STEPS) {
            let begun = Instant::now();
            solver.save(checkpoint)?;
            job.save(solver.place());
            unsaved = Instant::now();
            saving = unsaved - begun;
        }
        if stop {
            return Err(Stopped.into());
        }
    }
}

/// Returns whether an intact table exists or a file is to be replaced; `check` opens and checks the
/// file. Files that are not tables, are another table, cannot be read or come from a newer version
/// are kept.
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
        Ok(found) => expect_same(file, "the table", found, expected).map(|()| Outcome::Present),
        Err(error) if keeps(&error) => Err(error),
        _ => Ok(Outcome::Replaced),
    }
}

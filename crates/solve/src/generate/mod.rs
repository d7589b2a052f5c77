//! Makes tables: plans, solves and writes them; interruptible and resumable.
//!
//! Only complete tables have a table's name. A killed run leaves at most a checkpoint and an
//! unnamed or `.partial` file; the next run resumes from the former and removes the latter.

pub mod pitch;
pub mod plan;
pub mod slices;
pub mod strip;
pub mod witness;

use crate::SolveError;
use phutbase_base::fault;
use phutbase_base::job::{Job, Stopped};
use phutbase_files::FileError;
use phutbase_files::container::VERSION;
use phutbase_files::error::{ResumeError, expect_same};
use phutbase_pitches::solver::PitchSolveError;
use phutbase_tables::error::TableError;
use phutbase_tables::id::TableId;
pub use phutbase_tables::lock::TablesLock;
use plan::PlanError;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
pub use strip::Strips;

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
    Strips(#[from] SolveError),
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

fault! { GenerateError {
    GenerateError::Plan(error) => Of(error),
    GenerateError::Pitch(error) => Of(error),
    GenerateError::Table(error) => Of(error),
    GenerateError::Strips(error) => Of(error),
    GenerateError::Stopped(error) => Of(error),
} }

impl GenerateError {
    /// Returns whether the same command can go on later, so that the work is worth saving.
    fn leaves_work(&self) -> bool {
        matches!(
            self,
            GenerateError::Stopped(_)
                | GenerateError::Strips(SolveError::Stopped(_) | SolveError::Memory { .. })
                | GenerateError::Pitch(PitchSolveError::Stopped(_))
        )
    }
}

impl From<FileError> for GenerateError {
    fn from(error: FileError) -> GenerateError {
        GenerateError::Table(error.into())
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Present,
    Written,
    /// The table replaced a damaged or older one.
    Replaced,
}

/// A table to make, and its directory.
#[derive(Clone, Debug)]
pub struct Request<W> {
    pub work: W,
    pub tables: PathBuf,
    /// A checkpoint is saved when it would preserve this much work.
    pub checkpoint_every: Duration,
}

/// The boards of a table, and their values.
pub trait Work: Sized {
    fn id(&self) -> TableId;

    /// Returns the file name of a checkpoint, without the dot that hides it and the ending.
    fn checkpoint(&self) -> String;

    /// Opens a table and checks all its frames; returns its id.
    fn check(file: &Path) -> Result<TableId, TableError>;

    /// Makes the table.
    fn make(request: &Request<Self>, lock: Option<&TablesLock>, job: &Job) -> Result<(), GenerateError>;
}

impl<W: Work> Request<W> {
    /// Requests a table in a directory, with a checkpoint every [`CHECKPOINT_EVERY`].
    pub fn new(work: W, tables: &Path) -> Request<W> {
        Request {
            work,
            tables: tables.to_path_buf(),
            checkpoint_every: CHECKPOINT_EVERY,
        }
    }

    pub fn path(&self) -> PathBuf {
        self.tables.join(self.work.id().to_string())
    }

    pub fn checkpoint(&self) -> PathBuf {
        self.tables
            .join(format!(".{}.checkpoint", self.work.checkpoint()))
    }

    /// Returns whether an intact table exists or a file is to be replaced. Files that are not tables,
    /// are another table, cannot be read or come from a newer version are kept.
    pub fn outcome(&self) -> Result<Outcome, TableError> {
        let file = self.path();
        if !file.exists() {
            return Ok(Outcome::Written);
        }
        let keeps = |error: &TableError| match error {
            TableError::File(FileError::Version { found, .. }) => *found > VERSION,
            error => matches!(
                error,
                TableError::File(FileError::NotATable(_) | FileError::Io { .. })
            ),
        };
        match W::check(&file) {
            Ok(found) => {
                expect_same(&file, "the table", found, self.work.id())?;
                Ok(Outcome::Present)
            }
            Err(error) if keeps(&error) => Err(error),
            _ => Ok(Outcome::Replaced),
        }
    }

    /// Removes the checkpoint of a complete table. If this fails, the next run does it.
    pub fn forget_checkpoint(&self) {
        phutbase_pitches::solver::checkpoint::remove(&self.checkpoint());
    }

    /// Removes a checkpoint left by a run that was killed after its table was complete.
    pub fn forget_outdated_checkpoint(&self) {
        let modified = |file: PathBuf| file.metadata().and_then(|file| file.modified());
        if let (Ok(saved), Ok(written)) = (modified(self.checkpoint()), modified(self.path()))
            && saved <= written
        {
            self.forget_checkpoint();
        }
    }
}

/// Makes one table, unless an intact one exists.
///
/// A stopped job saves a checkpoint if enough work would be lost. The caller holds the
/// [`TablesLock`] if others may write there. On errors existing files are unchanged, and no partial
/// table is left.
pub fn generate<W: Work>(
    request: &Request<W>,
    lock: Option<&TablesLock>,
    job: &Job,
) -> Result<Outcome, GenerateError> {
    let outcome = request.outcome()?;
    if outcome == Outcome::Present {
        request.forget_outdated_checkpoint();
        return Ok(outcome);
    }
    W::make(request, lock, job)?;
    request.forget_checkpoint();
    Ok(outcome)
}

/// An engine that works in steps.
trait Engine: Sized {
    /// Arguments of a new solver.
    type Setup;
    /// True if the state after a stopped step is that before it.
    const UNDOES_STOPPED_STEPS: bool;

    fn begin(setup: &Self::Setup, job: &Job) -> Result<Self, GenerateError>;
    /// Resumes from a checkpoint.
    fn resume(setup: &Self::Setup, checkpoint: &Path, job: &Job) -> Result<Self, GenerateError>;
    /// Takes the next step. Returns whether there are more.
    fn step(&mut self, job: &Job) -> Result<bool, GenerateError>;
    fn save(&mut self, checkpoint: &Path) -> Result<(), GenerateError>;
    /// Returns the name of the last complete step.
    fn place(&self) -> String;
}

/// The step that a checkpoint holds, until it is read.
pub const CHECKPOINT: &str = "the last checkpoint";

/// Runs a solver from its checkpoint or its beginning to its end. Saves checkpoints, if necessary
/// also when the job is stopped.
fn solve<S: Engine, W: Work>(setup: &S::Setup, request: &Request<W>, job: &Job) -> Result<S, GenerateError> {
    let checkpoint = request.checkpoint();
    let mut solver = if checkpoint.exists() {
        job.save(CHECKPOINT);
        let solver = S::resume(setup, &checkpoint, job)?;
        job.check()?;
        job.resume(solver.place());
        solver
    } else {
        S::begin(setup, job)?
    };
    let (mut unsaved, mut saving) = (Instant::now(), Duration::ZERO);
    loop {
        let stepped = solver.step(job);
        let more = match &stepped {
            Ok(more) => *more,
            Err(error) if error.leaves_work() => true,
            Err(_) => return stepped.map(|_| solver),
        };
        if !more {
            return Ok(solver);
        }
        let stop = stepped.is_err() || job.check().is_err();
        let is_due = unsaved.elapsed() >= due_after(request.checkpoint_every, saving, stop);
        if is_due && (stepped.is_ok() || S::UNDOES_STOPPED_STEPS) {
            let begun = Instant::now();
            solver.save(&checkpoint)?;
            job.save(solver.place());
            unsaved = Instant::now();
            saving = unsaved - begun;
        }
        job.check()?;
        stepped?;
    }
}

/// Returns the amount of unsaved work that is worth a checkpoint. `saving` is the time that the
/// last one took; `stop` is true if the work stops now.
pub fn due_after(every: Duration, saving: Duration, stop: bool) -> Duration {
    if stop {
        every.min(WORTH_SAVING)
    } else if every.is_zero() {
        // Save after every step.
        every
    } else {
        every.max(CHECKPOINT_SPACING * saving)
    }
}

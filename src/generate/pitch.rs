//! From a size of pitch to its table file: plan, solve, write; interruptible between plies, and resumable.

use super::plan::{free_memory, human_bytes};
use super::{CHECKPOINT_EVERY, Outcome, TablesLock, WORTH_SAVING};
use crate::disk::available_space;
use crate::games::pitch::{Shape, positions};
use crate::solve::pitch::{MAX_PITCH_POINTS, Needs, PitchSolveError, PitchSolver, Setup};
use crate::table::error::{ResumeError, TableError};
use crate::table::pitch::PitchTable;
use crate::table::pitch::writer::{PitchSource, write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What is to be made, and where.
#[derive(Clone, Debug)]
pub struct PitchRequest {
    /// What is to be solved, and where the work is kept.
    pub setup: Setup,
    /// The directory of tables.
    pub tables: PathBuf,
    /// Memory that may be used, in bytes; `None` for what the system has free.
    pub memory: Option<u64>,
    /// A checkpoint is saved when this much work would be lost without it.
    pub checkpoint_every: Duration,
}

impl PitchRequest {
    /// A table in a directory, solved in the memory that the system has free.
    pub fn new(shape: Shape, tables: &Path) -> PitchRequest {
        PitchRequest {
            setup: Setup::in_memory(shape, true),
            tables: tables.to_path_buf(),
            memory: None,
            checkpoint_every: CHECKPOINT_EVERY,
        }
    }

    /// The file of the checkpoint while the pitch is in progress.
    pub fn checkpoint(&self) -> PathBuf {
        let Setup {
            shape, with_depths, ..
        } = self.setup;
        let what = if with_depths { "dtw" } else { "wdl" };
        self.tables.join(format!(".pitch-{shape}-{what}.checkpoint"))
    }
}

/// Packed sets and depths are at least so many times smaller.
const PACKED: u64 = 8;

/// What a pitch will take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PitchPlan {
    /// The size of the pitch.
    pub shape: Shape,
    /// Positions with Alfred to move.
    pub positions: u128,
    /// Bytes of memory.
    pub memory: u64,
    /// Bytes in the directory of tables: the table, and checkpoints; several times what was measured. Where that is not enough,
    /// the run ends with an error and the last checkpoint is still there.
    pub disk: u64,
    /// Bytes in the scratch directory.
    pub scratch: u64,
}

/// Why a pitch table could not be made.
#[derive(Debug, thiserror::Error)]
pub enum PitchGenerateError {
    /// Larger than the engine takes on.
    #[error(
        "a {shape} pitch has {} points and {positions} positions, {} of depths alone: the engine solves pitches of up to {MAX_PITCH_POINTS} points",
        shape.points(), human_size(*positions)
    )]
    TooLarge {
        /// The shape asked for.
        shape: Shape,
        /// Positions with Alfred to move.
        positions: u128,
    },
    /// Not enough memory.
    #[error("a {shape} pitch needs {} of memory and {} may be used: {}", human_bytes(*needed), human_bytes(*available), if *limited { "allow more with --memory, or keep the sets on a disk with --scratch DIR" } else { "keep the sets on a disk with --scratch DIR, or choose a smaller pitch" })]
    Memory {
        /// The shape.
        shape: Shape,
        /// Bytes needed.
        needed: u64,
        /// Bytes that may be used.
        available: u64,
        /// Whether the user set the limit.
        limited: bool,
    },
    /// Not enough disk.
    #[error("{what} of a {shape} pitch may need {} in '{}' and {} are free: free some, or choose another directory", human_bytes(*needed), directory.display(), human_bytes(*available))]
    Disk {
        /// What is put there.
        what: &'static str,
        /// The shape.
        shape: Shape,
        /// Where.
        directory: PathBuf,
        /// Bytes needed at most.
        needed: u64,
        /// Bytes free.
        available: u64,
    },
    /// The engine failed.
    #[error(transparent)]
    Solve(#[from] PitchSolveError),
    /// The file could not be written or read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The observer asked to stop.
    #[error("interrupted after ply {ply} of the {shape} pitch; run the same command again to go on{}", if *saved { " from there" } else { "" })]
    Interrupted {
        /// The shape in progress.
        shape: Shape,
        /// The last complete ply.
        ply: usize,
        /// Whether a checkpoint holds it.
        saved: bool,
    },
}

impl From<ResumeError<PitchSolveError>> for PitchGenerateError {
    fn from(error: ResumeError<PitchSolveError>) -> PitchGenerateError {
        match error {
            ResumeError::File(error) => error.into(),
            ResumeError::Engine(error) => error.into(),
        }
    }
}

/// A size in bytes for people, of more than any memory as well.
fn human_size(bytes: u128) -> String {
    u64::try_from(bytes).map_or("more than any memory holds".to_string(), human_bytes)
}

/// What an observer is told.
#[derive(Clone, Copy, Debug)]
pub enum PitchEvent<'a> {
    /// Work is about to begin; nothing is allocated yet.
    Begin(&'a PitchPlan),
    /// Work goes on from a checkpoint.
    Resumed {
        /// The plies found there.
        plies: usize,
    },
    /// A ply is complete.
    Ply {
        /// Its number, from 1.
        ply: usize,
        /// Positions decided so far.
        decided: u64,
    },
    /// All values are known; the table is being written.
    Writing,
}

impl PitchPlan {
    /// What a pitch will take.
    ///
    /// # Errors
    /// [`PitchGenerateError::TooLarge`].
    pub fn new(setup: &Setup) -> Result<PitchPlan, PitchGenerateError> {
        let shape = setup.shape;
        let positions = positions(shape).unwrap_or(u128::MAX);
        let needs = Needs::new(shape).map_err(|_| PitchGenerateError::TooLarge { shape, positions })?;
        let depths = if setup.with_depths { needs.depths } else { 0 };
        let stores = needs.sets + depths;
        // Packed eight times as small, where a fiftieth is what was measured (8 x 3; docs/PITCH.md): room is asked for that will do,
        // not for the worst. The next checkpoint is written before the last is let go.
        let checkpoints = 2 * stores / PACKED;
        let table = depths / PACKED + 4096;
        // Writing keeps some blocks at a time, raw and compressed.
        const WRITING: u64 = 256 << 20;
        let in_memory = if setup.scratch.is_none() { stores } else { 0 };
        Ok(PitchPlan {
            shape,
            positions,
            memory: in_memory + WRITING.min(stores),
            disk: checkpoints + if setup.with_depths { table } else { 0 },
            scratch: stores - in_memory,
        })
    }

    /// Whether there is room for it.
    ///
    /// # Errors
    /// [`PitchGenerateError::Memory`], [`PitchGenerateError::Disk`].
    pub fn check(&self, request: &PitchRequest) -> Result<(), PitchGenerateError> {
        let available = request.memory.unwrap_or_else(free_memory);
        if self.memory > available {
            return Err(PitchGenerateError::Memory {
                shape: self.shape,
                needed: self.memory,
                available,
                limited: request.memory.is_some(),
            });
        }
        self.check_disk("table and checkpoints", &request.tables, self.disk)?;
        match &request.setup.scratch {
            Some(directory) => self.check_disk("the sets", directory, self.scratch),
            None => Ok(()),
        }
    }

    fn check_disk(
        &self,
        what: &'static str,
        directory: &Path,
        needed: u64,
    ) -> Result<(), PitchGenerateError> {
        let available = available_space(directory);
        if needed <= available {
            return Ok(());
        }
        Err(PitchGenerateError::Disk {
            what,
            shape: self.shape,
            directory: directory.to_path_buf(),
            needed,
            available,
        })
    }
}

/// A finished solver as the source of a table.
struct Solved<'a>(&'a PitchSolver);

impl PitchSource for Solved<'_> {
    fn shape(&self) -> Shape {
        self.0.layout().shape()
    }

    fn engine(&self) -> &str {
        "pitch"
    }

    fn order(&self) -> &[usize] {
        self.0.layout().order()
    }

    fn copy(&self, start: u64, into: &mut [u8]) {
        let depths = self.0.depths().expect("a table is made of a solver with depths");
        depths.copy(start, into);
    }
}

/// Makes one table, unless it is there and whole.
///
/// `observer` hears of every step; by breaking off it stops the run after the ply in progress. The caller holds the
/// [`TablesLock`].
///
/// # Errors
/// [`PitchGenerateError`]. Nothing that was there before is lost, and no table is left half-written.
///
/// # Panics
/// If the request is without depths.
pub fn generate_pitch(
    request: &PitchRequest,
    lock: &TablesLock,
    observer: &mut dyn FnMut(PitchEvent<'_>) -> ControlFlow<()>,
) -> Result<Outcome, PitchGenerateError> {
    assert!(request.setup.with_depths, "a table has depths");
    let outcome = match PitchTable::open(&request.tables, request.setup.shape) {
        Ok(table) => match table.check_blocks() {
            Ok(()) => return Ok(Outcome::Present),
            Err(_) => Outcome::Replaced,
        },
        Err(TableError::MissingPitch { .. }) => Outcome::Written,
        // What is no table, or a newer program's, is not ours to replace, nor is what the system refuses to show.
        Err(
            error @ (TableError::NewerVersion { .. } | TableError::NotATable { .. } | TableError::Io { .. }),
        ) => return Err(error.into()),
        Err(_) => Outcome::Replaced,
    };
    let solver = solve_pitch(request, lock, observer)?;
    // Nothing is lost by writing what is known, and an interruption now would lose it all.
    let _ = observer(PitchEvent::Writing);
    write(&Solved(&solver), &request.tables)?;
    forget_checkpoint(request);
    Ok(outcome)
}

/// Solves a pitch and leaves no table: the solver knows who wins, and the depths if they are asked for. Its checkpoint is
/// there until [`forget_checkpoint`].
///
/// # Errors
/// As [`generate_pitch`].
pub fn solve_pitch(
    request: &PitchRequest,
    _lock: &TablesLock,
    observer: &mut dyn FnMut(PitchEvent<'_>) -> ControlFlow<()>,
) -> Result<PitchSolver, PitchGenerateError> {
    let plan = PitchPlan::new(&request.setup)?;
    plan.check(request)?;
    if observer(PitchEvent::Begin(&plan)).is_break() {
        return Err(PitchGenerateError::Interrupted {
            shape: plan.shape,
            ply: 0,
            saved: false,
        });
    }
    solve_with_checkpoints(request, observer)
}

/// Removes the checkpoint of a pitch that is done.
pub fn forget_checkpoint(request: &PitchRequest) {
    // One that cannot be removed harms nobody: it only says how far the work had come.
    let _ = std::fs::remove_file(request.checkpoint());
}

/// Solves from the last checkpoint on, if there is one, and saves new ones.
fn solve_with_checkpoints(
    request: &PitchRequest,
    observer: &mut dyn FnMut(PitchEvent<'_>) -> ControlFlow<()>,
) -> Result<PitchSolver, PitchGenerateError> {
    let shape = request.setup.shape;
    let mut solver = begin(request, observer)?;
    let mut saved_at = Instant::now();
    while solver.step()? > 0 {
        let ply = solver.counts().len();
        let decided = solver.counts().iter().sum();
        let stop = observer(PitchEvent::Ply { ply, decided }).is_break();
        let lost = saved_at.elapsed();
        let saved = lost >= request.checkpoint_every || (stop && lost >= WORTH_SAVING);
        if saved {
            solver.save(&request.checkpoint())?;
            saved_at = Instant::now();
        }
        if stop {
            return Err(PitchGenerateError::Interrupted { shape, ply, saved });
        }
    }
    Ok(solver)
}

fn begin(
    request: &PitchRequest,
    observer: &mut dyn FnMut(PitchEvent<'_>) -> ControlFlow<()>,
) -> Result<PitchSolver, PitchGenerateError> {
    let checkpoint = request.checkpoint();
    if !checkpoint.exists() {
        return Ok(PitchSolver::begin(&request.setup)?);
    }
    let solver = PitchSolver::resume(&request.setup, &checkpoint)?;
    // Only a ply can be interrupted, so this is no place to ask.
    let plies = solver.counts().len();
    let _ = observer(PitchEvent::Resumed { plies });
    Ok(solver)
}

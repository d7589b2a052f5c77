//! From a size of pitch to its table file: plan, solve, write; interruptible between plies, and resumable.

use super::plan::{free_memory, human_bytes};
use super::{Outcome, TablesLock, WORTH_SAVING};
use crate::disk::sync_directory;
use crate::games::pitch::{Shape, positions};
use crate::solve::pitch::checkpoint::PitchCheckpointError;
use crate::solve::pitch::{MAX_PITCH_POINTS, Needs, PitchSolveError, Solver};
use crate::table::error::TableError;
use crate::table::pitch::writer::{PitchSource, write};
use crate::table::pitch::{PitchTable, PitchTableError};
use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What is to be made, and where.
#[derive(Clone, Debug)]
pub struct PitchRequest {
    /// The size of the pitch.
    pub shape: Shape,
    /// The directory of tables.
    pub tables: PathBuf,
    /// Memory that may be used, in bytes; `None` for what the system has free.
    pub memory: Option<u64>,
    /// A checkpoint is saved when this much work would be lost without it.
    pub checkpoint_every: Duration,
}

impl PitchRequest {
    /// The file of the checkpoint while the pitch is in progress.
    pub fn checkpoint(&self) -> PathBuf {
        self.tables.join(format!(".pitch-{}.checkpoint", self.shape))
    }
}

/// What a pitch will take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PitchPlan {
    /// The size of the pitch.
    pub shape: Shape,
    /// Positions with Alfred to move.
    pub positions: u128,
    /// Bytes of memory.
    pub memory: u64,
    /// Bytes of disk, at most.
    pub disk: u64,
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
    #[error("a {shape} pitch needs {} of memory and {} may be used: {}", human_bytes(*needed), human_bytes(*available), if *limited { "allow more with --memory" } else { "free some memory, or choose a smaller pitch" })]
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
    #[error("the table of a {shape} pitch may need {} in '{}' and {} are free: free some, or choose another directory", human_bytes(*needed), directory.display(), human_bytes(*available))]
    Disk {
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
    Table(#[from] PitchTableError),
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
    /// A checkpoint cannot be saved or used.
    #[error("{}: {error}: delete it and run the same command again", file.display())]
    Checkpoint {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        error: PitchCheckpointError,
    },
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
    /// What a shape will take, with its depths or only with who wins.
    ///
    /// # Errors
    /// [`PitchGenerateError::TooLarge`].
    pub fn new(shape: Shape, with_depths: bool) -> Result<PitchPlan, PitchGenerateError> {
        let positions = positions(shape).unwrap_or(u128::MAX);
        let needs = Needs::new(shape).map_err(|_| PitchGenerateError::TooLarge { shape, positions })?;
        // Writing keeps some blocks at a time, raw and compressed.
        const WRITING: u64 = 256 << 20;
        let depths = if with_depths {
            needs.depths + WRITING.min(needs.depths)
        } else {
            0
        };
        Ok(PitchPlan {
            shape,
            positions,
            memory: needs.sets + depths,
            disk: if with_depths { most_disk(&needs) } else { 0 },
        })
    }

    /// Whether there is room for it.
    ///
    /// # Errors
    /// [`PitchGenerateError::Memory`], [`PitchGenerateError::Disk`].
    pub fn check(&self, memory: Option<u64>, tables: &Path) -> Result<(), PitchGenerateError> {
        let available = memory.unwrap_or_else(free_memory);
        if self.memory > available {
            return Err(PitchGenerateError::Memory {
                shape: self.shape,
                needed: self.memory,
                available,
                limited: memory.is_some(),
            });
        }
        // A directory that is not there yet will be made; what counts is the disk that it will be on.
        let there = tables.ancestors().find(|part| part.exists());
        let there = there
            .filter(|part| !part.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        // If the system does not tell, writing will.
        let available = fs4::available_space(there).unwrap_or(u64::MAX);
        if self.disk > available {
            return Err(PitchGenerateError::Disk {
                shape: self.shape,
                directory: tables.to_path_buf(),
                needed: self.disk,
                available,
            });
        }
        Ok(())
    }
}

/// The table at its largest, and two checkpoints: the next is written before the last is let go.
fn most_disk(needs: &Needs) -> u64 {
    let table = needs.depths + needs.depths / 64 + 4096;
    table + 2 * (needs.sets + needs.depths)
}

/// A finished solver as the source of a table.
struct Solved<'a>(&'a Solver);

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
        if let Some(depths) = self.0.depths() {
            depths.copy(start, into);
        }
    }
}

/// Makes one table, unless it is there and whole.
///
/// `observer` hears of every step; by breaking off it stops the run after the ply in progress. The caller holds the
/// [`TablesLock`].
///
/// # Errors
/// [`PitchGenerateError`]. Nothing that was there before is lost, and no table is left half-written.
pub fn generate_pitch(
    request: &PitchRequest,
    _lock: &TablesLock,
    observer: &mut dyn FnMut(PitchEvent<'_>) -> ControlFlow<()>,
) -> Result<Outcome, PitchGenerateError> {
    let shape = request.shape;
    let outcome = match PitchTable::open(&request.tables, shape) {
        Ok(table) => match (0..table.blocks()).try_for_each(|block| table.block(block).map(drop)) {
            Ok(()) => return Ok(Outcome::Present),
            Err(_) => Outcome::Replaced,
        },
        Err(PitchTableError::Missing { .. }) => Outcome::Written,
        // A newer program's table is not ours to replace, nor is what the system refuses to show.
        Err(error @ PitchTableError::Table(TableError::NewerVersion { .. } | TableError::Io { .. })) => {
            return Err(error.into());
        }
        Err(_) => Outcome::Replaced,
    };
    let plan = PitchPlan::new(shape, true)?;
    plan.check(request.memory, &request.tables)?;
    if observer(PitchEvent::Begin(&plan)).is_break() {
        return Err(PitchGenerateError::Interrupted {
            shape,
            ply: 0,
            saved: false,
        });
    }
    let solver = solve_with_checkpoints(request, observer)?;
    // Nothing is lost by writing what is known, and an interruption now would lose it all.
    let _ = observer(PitchEvent::Writing);
    write(&Solved(&solver), &request.tables).map_err(PitchTableError::from)?;
    // A checkpoint that cannot be removed harms nobody: a table that is there is not solved again.
    let _ = std::fs::remove_file(request.checkpoint());
    Ok(outcome)
}

/// Solves a shape in memory.
///
/// # Errors
/// [`PitchGenerateError::Solve`], [`PitchGenerateError::Interrupted`].
pub fn solve(
    shape: Shape,
    with_depths: bool,
    observer: &mut dyn FnMut(PitchEvent<'_>) -> ControlFlow<()>,
) -> Result<Solver, PitchGenerateError> {
    let mut solver = Solver::new(shape, with_depths)?;
    while solver.step()? > 0 {
        let ply = solver.counts().len();
        let decided = solver.counts().iter().sum();
        if observer(PitchEvent::Ply { ply, decided }).is_break() {
            return Err(PitchGenerateError::Interrupted {
                shape,
                ply,
                saved: false,
            });
        }
    }
    Ok(solver)
}

/// Solves from the last checkpoint on, if there is one, and saves new ones.
fn solve_with_checkpoints(
    request: &PitchRequest,
    observer: &mut dyn FnMut(PitchEvent<'_>) -> ControlFlow<()>,
) -> Result<Solver, PitchGenerateError> {
    let shape = request.shape;
    let mut solver = begin(request, observer)?;
    let mut saved_at = Instant::now();
    while solver.step()? > 0 {
        let ply = solver.counts().len();
        let decided = solver.counts().iter().sum();
        let stop = observer(PitchEvent::Ply { ply, decided }).is_break();
        let lost = saved_at.elapsed();
        let saved = lost >= request.checkpoint_every || (stop && lost >= WORTH_SAVING);
        if saved {
            save(request, &solver)?;
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
) -> Result<Solver, PitchGenerateError> {
    let file = request.checkpoint();
    let wrong = |error| PitchGenerateError::Checkpoint {
        file: file.clone(),
        error,
    };
    match File::open(&file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Solver::new(request.shape, true)?),
        Err(error) => Err(wrong(error.into())),
        Ok(open) => {
            let mut reader = BufReader::with_capacity(1 << 20, open);
            let solver = Solver::resume(request.shape, true, &mut reader).map_err(wrong)?;
            // Only a ply can be interrupted, so this is no place to ask.
            let plies = solver.counts().len();
            let _ = observer(PitchEvent::Resumed { plies });
            Ok(solver)
        }
    }
}

/// Writes a checkpoint under a temporary name and renames it, so that the last one is there until the next is whole.
fn save(request: &PitchRequest, solver: &Solver) -> Result<(), PitchGenerateError> {
    let file = request.checkpoint();
    let written = || {
        let mut builder = tempfile::Builder::new();
        let unfinished = builder
            .prefix(".pitch-")
            .suffix(".partial")
            .tempfile_in(&request.tables)?;
        let mut out = BufWriter::with_capacity(1 << 20, unfinished.as_file());
        solver.save(&mut out)?;
        drop(out);
        unfinished.as_file().sync_all()?;
        unfinished.persist(&file).map_err(|error| error.error)?;
        sync_directory(&request.tables)
    };
    written().map_err(|error: std::io::Error| PitchGenerateError::Checkpoint {
        file: request.checkpoint(),
        error: error.into(),
    })
}

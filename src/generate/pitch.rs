//! From a size of pitch to its table file: plan, solve, write; interruptible between plies.

use super::plan::{free_memory, human_bytes};
use super::{Outcome, TablesLock};
use crate::games::pitch::{Shape, positions};
use crate::solve::pitch::{MAX_PITCH_POINTS, Needs, PitchSolveError, Solver};
use crate::table::error::TableError;
use crate::table::pitch::writer::{PitchSource, write};
use crate::table::pitch::{PitchTable, PitchTableError};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// What is to be made, and where.
#[derive(Clone, Debug)]
pub struct PitchRequest {
    /// The size of the pitch.
    pub shape: Shape,
    /// The directory of tables.
    pub tables: PathBuf,
    /// Memory that may be used, in bytes; `None` for what the system has free.
    pub memory: Option<u64>,
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
    #[error("interrupted after ply {ply} of the {shape} pitch; nothing was written")]
    Interrupted {
        /// The shape in progress.
        shape: Shape,
        /// The last complete ply.
        ply: usize,
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
            disk: if with_depths {
                needs.depths + needs.depths / 64 + 4096
            } else {
                0
            },
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
        return Err(PitchGenerateError::Interrupted { shape, ply: 0 });
    }
    let solver = solve(shape, true, observer)?;
    // Nothing is lost by writing what is known, and an interruption now would lose it all.
    let _ = observer(PitchEvent::Writing);
    write(&Solved(&solver), &request.tables).map_err(PitchTableError::from)?;
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
            return Err(PitchGenerateError::Interrupted { shape, ply });
        }
    }
    Ok(solver)
}

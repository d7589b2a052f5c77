//! Makes the table of the strips up to a length.
//!
//! Sets grow ply by ply, or level by level, and end as the roots of the table.

use super::plan::{check_winners_memory, symbolic_limits};
use super::{CHECKPOINT_EVERY, GenerateError, Outcome, Stepwise, TablesLock, presence};
use crate::job::{Job, Need};
use crate::ranks::Team;
use crate::solve::symbolic::counters::Counters;
use crate::solve::symbolic::store::{Id, Store};
use crate::solve::symbolic::{DepthSolver, LevelSolver, SymbolicLimits};
use crate::table::strip::write::write;
use crate::table::{FrameCache, Metric, StripTable, TableError, TableId};
use num_bigint::BigUint;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct Request {
    pub length: usize,
    pub metric: Metric,
    pub tables: PathBuf,
    /// A checkpoint is saved when it would preserve this much work.
    pub checkpoint_every: Duration,
}

impl Request {
    /// Requests a table in `tables/`, with a checkpoint every [`CHECKPOINT_EVERY`].
    pub fn new(length: usize, metric: Metric) -> Request {
        Request {
            length,
            metric,
            tables: PathBuf::from("tables"),
            checkpoint_every: CHECKPOINT_EVERY,
        }
    }

    pub fn id(&self) -> TableId {
        TableId::Strip(self.metric, self.length)
    }

    pub fn path(&self) -> PathBuf {
        self.tables.join(self.id().to_string())
    }

    /// Returns whether an intact table exists.
    pub fn outcome(&self) -> Result<Outcome, TableError> {
        presence(&self.path(), self.id(), |file| {
            let table = StripTable::open(file, &FrameCache::new(0))?;
            table.check_frames()?;
            Ok(TableId::Strip(table.metric(), table.length()))
        })
    }

    pub fn checkpoint(&self) -> PathBuf {
        let (length, metric) = (self.length, self.metric);
        self.tables.join(format!(".strip-{length}-{metric}.checkpoint"))
    }
}

/// Makes one table, unless an intact one exists. Returns the counters of the engine if it ran.
///
/// A stopped job saves a checkpoint if enough work would be lost. The caller holds the
/// [`TablesLock`], without which only an existing table can be kept. On errors existing files are
/// unchanged, and no partial table is left.
pub fn generate(
    request: &Request,
    _lock: Option<&TablesLock>,
    job: &Job,
) -> Result<(Outcome, Option<Counters>), GenerateError> {
    let outcome = request.outcome()?;
    if outcome == Outcome::Present {
        if is_outdated(&request.checkpoint(), &request.path()) {
            // A leftover is harmless.
            let _ = std::fs::remove_file(request.checkpoint());
        }
        return Ok((outcome, None));
    }
    let counters = match request.metric {
        Metric::Dtw => make::<DepthSolver>(request, job),
        Metric::Wdl => {
            check_winners_memory(request.length, job.memory())?;
            make::<LevelSolver>(request, job)
        }
    }?;
    Ok((outcome, Some(counters)))
}

/// Returns whether a checkpoint was left by a run that was killed after its table was complete.
pub(super) fn is_outdated(checkpoint: &Path, table: &Path) -> bool {
    let modified = |file: &Path| file.metadata().and_then(|file| file.modified());
    matches!((modified(checkpoint), modified(table)), (Ok(saved), Ok(written)) if saved <= written)
}

/// An engine for strips.
trait Solve: Stepwise + Sized {
    fn begin(length: usize, limits: SymbolicLimits) -> Result<Self, GenerateError>;
    fn resume(length: usize, limits: SymbolicLimits, saved: &Path) -> Result<Self, GenerateError>;
    fn counters(&self) -> Counters;
    fn finish<T>(&mut self, write: impl FnOnce(&Store, &[Id]) -> T) -> T;
}

impl Stepwise for DepthSolver {
    const UNDOES_STOPPED_STEPS: bool = true;

    fn step(&mut self, job: &Job) -> Result<bool, GenerateError> {
        Ok(DepthSolver::step(self, job)? != BigUint::ZERO)
    }

    fn save(&self, checkpoint: &Path) -> Result<(), GenerateError> {
        Ok(DepthSolver::save(self, checkpoint)?)
    }

    fn place(&self) -> String {
        DepthSolver::place(self)
    }
}

impl Solve for DepthSolver {
    fn begin(length: usize, limits: SymbolicLimits) -> Result<Self, GenerateError> {
        Ok(DepthSolver::new(length, limits)?.sharing(rayon::current_num_threads())?)
    }

    fn resume(length: usize, limits: SymbolicLimits, saved: &Path) -> Result<Self, GenerateError> {
        Ok(DepthSolver::resume(length, limits, saved)?.sharing(rayon::current_num_threads())?)
    }

    fn counters(&self) -> Counters {
        self.store().counters()
    }

    fn finish<T>(&mut self, write: impl FnOnce(&Store, &[Id]) -> T) -> T {
        self.forget_results();
        write(self.store(), self.plies())
    }
}

impl Stepwise for LevelSolver {
    const UNDOES_STOPPED_STEPS: bool = true;

    fn step(&mut self, job: &Job) -> Result<bool, GenerateError> {
        Ok(LevelSolver::step(self, job)?)
    }

    fn save(&self, checkpoint: &Path) -> Result<(), GenerateError> {
        Ok(LevelSolver::save(self, checkpoint)?)
    }

    fn place(&self) -> String {
        self.live().place()
    }
}

impl Solve for LevelSolver {
    fn begin(length: usize, limits: SymbolicLimits) -> Result<Self, GenerateError> {
        Ok(LevelSolver::new(length, limits, rayon::current_num_threads())?)
    }

    fn resume(length: usize, limits: SymbolicLimits, saved: &Path) -> Result<Self, GenerateError> {
        let threads = rayon::current_num_threads();
        Ok(LevelSolver::resume(length, limits, threads, saved)?)
    }

    fn counters(&self) -> Counters {
        LevelSolver::counters(self)
    }

    fn finish<T>(&mut self, write: impl FnOnce(&Store, &[Id]) -> T) -> T {
        self.forget_results();
        self.lend(write)
    }
}

/// Solves a length and writes its table.
fn make<S: Solve>(request: &Request, job: &Job) -> Result<Counters, GenerateError> {
    let limits = symbolic_limits(job.memory());
    job.expect(0, "nodes");
    job.need(Need {
        memory: limits.memory,
        is_limit: true,
        ..Need::default()
    });
    let checkpoint = request.checkpoint();
    let mut solver = if checkpoint.exists() {
        let solver = S::resume(request.length, limits, &checkpoint)?;
        job.resume(solver.place());
        solver
    } else {
        S::begin(request.length, limits)?
    };
    let checkpoints = (&*checkpoint, request.checkpoint_every);
    super::run(&mut solver, checkpoints, job, &Team::alone())?;
    let counters = solver.counters();
    // Only writing the file is left, which a request to stop does not end.
    solver.finish(|store, roots| write(store, roots, request.metric, &request.tables))?;
    // The table is complete. If this fails, the next run removes the checkpoint.
    let _ = std::fs::remove_file(&checkpoint);
    Ok(counters)
}

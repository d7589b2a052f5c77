//! Makes the table of the strips up to a length.
//!
//! Sets grow ply by ply, or level by level, and end as the roots of the table.

use super::plan::{PlanError, check_strip_memory, symbolic_limits, won_estimate};
use super::{Engine, GenerateError, Request, TablesLock, Work, solve};
use num_bigint::BigUint;
use phutbase_base::job::{Job, Need};
use phutbase_files::FrameCache;
use phutbase_rules::strip::{MAX_LENGTH, MIN_LENGTH};
use phutbase_sets::won::won;
use phutbase_strips::symbolic::counters::Counters;
use phutbase_strips::symbolic::store::{Id, Store};
use phutbase_strips::symbolic::{DepthSolver, Goal, LevelSolver, SymbolicLimits};
use phutbase_table::strip::write::write;
use phutbase_table::{Metric, StripTable, TableError, TableId};
use std::path::Path;

/// The strips up to a length.
#[derive(Clone, Debug)]
pub struct Strips {
    pub length: usize,
    pub metric: Metric,
}

impl Work for Strips {
    fn id(&self) -> TableId {
        TableId::Strip(self.metric, self.length)
    }

    fn checkpoint(&self) -> String {
        format!("strip-{}-{}", self.length, self.metric)
    }

    fn check(file: &Path) -> Result<TableId, TableError> {
        let table = StripTable::open(file, &FrameCache::new(0))?;
        table.check_frames()?;
        Ok(TableId::Strip(table.metric(), table.length()))
    }

    fn make(
        request: &Request<Strips>,
        _lock: Option<&TablesLock>,
        job: &Job,
    ) -> Result<Option<Counters>, GenerateError> {
        let Strips { length, metric } = request.work;
        check_strip_memory(length, metric, job.memory())?;
        let counters = match metric {
            Metric::Dtw => make::<DepthSolver>(request, job),
            Metric::Levels => make::<LevelSolver>(request, job),
            Metric::Wdl => return make_winners(request, job).map(|()| None),
        };
        counters.map(Some)
    }
}

/// An engine for strips.
trait StripEngine: Engine {
    fn setup(work: &Strips, limits: SymbolicLimits) -> Self::Setup;
    fn counters(&self) -> Counters;
    fn finish<T>(&mut self, write: impl FnOnce(&Store, &[Id]) -> T) -> T;
}

impl Engine for DepthSolver {
    type Setup = (usize, SymbolicLimits);
    const UNDOES_STOPPED_STEPS: bool = true;

    fn begin(&(length, limits): &Self::Setup) -> Result<Self, GenerateError> {
        Ok(DepthSolver::new(length, limits, rayon::current_num_threads())?)
    }

    fn resume(&(length, limits): &Self::Setup, checkpoint: &Path, job: &Job) -> Result<Self, GenerateError> {
        let threads = rayon::current_num_threads();
        Ok(DepthSolver::resume(length, limits, threads, checkpoint, job)?)
    }

    fn step(&mut self, job: &Job) -> Result<bool, GenerateError> {
        Ok(DepthSolver::step(self, job)? != BigUint::ZERO)
    }

    fn save(&mut self, checkpoint: &Path) -> Result<(), GenerateError> {
        Ok(DepthSolver::save(self, checkpoint)?)
    }

    fn place(&self) -> String {
        DepthSolver::place(self)
    }
}

impl StripEngine for DepthSolver {
    fn setup(work: &Strips, limits: SymbolicLimits) -> Self::Setup {
        (work.length, limits)
    }

    fn counters(&self) -> Counters {
        self.store().counters()
    }

    fn finish<T>(&mut self, write: impl FnOnce(&Store, &[Id]) -> T) -> T {
        self.forget_results();
        write(self.store(), self.plies())
    }
}

impl Engine for LevelSolver {
    type Setup = (usize, Goal, SymbolicLimits);
    const UNDOES_STOPPED_STEPS: bool = true;

    fn begin(&(length, goal, limits): &Self::Setup) -> Result<Self, GenerateError> {
        Ok(LevelSolver::new(
            length,
            goal,
            limits,
            rayon::current_num_threads(),
        )?)
    }

    fn resume(
        &(length, goal, limits): &Self::Setup,
        checkpoint: &Path,
        job: &Job,
    ) -> Result<Self, GenerateError> {
        let threads = rayon::current_num_threads();
        Ok(LevelSolver::resume(
            length, goal, limits, threads, checkpoint, job,
        )?)
    }

    fn step(&mut self, job: &Job) -> Result<bool, GenerateError> {
        Ok(LevelSolver::step(self, job)?)
    }

    fn save(&mut self, checkpoint: &Path) -> Result<(), GenerateError> {
        Ok(LevelSolver::save(self, checkpoint)?)
    }

    fn place(&self) -> String {
        self.live().place()
    }
}

impl StripEngine for LevelSolver {
    fn setup(work: &Strips, limits: SymbolicLimits) -> Self::Setup {
        (work.length, Goal::Levels, limits)
    }

    fn counters(&self) -> Counters {
        LevelSolver::counters(self)
    }

    fn finish<T>(&mut self, write: impl FnOnce(&Store, &[Id]) -> T) -> T {
        self.forget_results();
        write(self.store(), &self.roots())
    }
}

/// Solves a length and writes its table.
fn make<S: StripEngine>(request: &Request<Strips>, job: &Job) -> Result<Counters, GenerateError> {
    let limits = symbolic_limits(job.memory());
    job.expect(0, "nodes");
    job.need(Need {
        memory: limits.memory,
        is_limit: true,
        ..Need::default()
    });
    let mut solver: S = solve(&S::setup(&request.work, limits), request, job)?;
    let counters = solver.counters();
    // Only writing the file is left, which a request to stop does not end.
    let _ = job.note("writing the table");
    solver.finish(|store, roots| write(store, roots, request.work.metric, &request.tables))?;
    Ok(counters)
}

/// Writes the table of winners, which the solution knows.
fn make_winners(request: &Request<Strips>, job: &Job) -> Result<(), GenerateError> {
    let length = request.work.length;
    if !(MIN_LENGTH..=MAX_LENGTH).contains(&length) {
        return Err(PlanError::OutOfRange(format!(
            "length {length} is out of range: strips of {MIN_LENGTH} to {MAX_LENGTH} squares have tables"
        ))
        .into());
    }
    job.expect(0, "nodes");
    job.need(Need {
        memory: won_estimate(length),
        ..Need::default()
    });
    let (graph, roots) = won(length, job)?;
    let _ = job.note("writing the table");
    write(&graph, &roots, Metric::Wdl, &request.tables)?;
    Ok(())
}

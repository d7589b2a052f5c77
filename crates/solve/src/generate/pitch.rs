//! Makes the table of a pitch; interruptible between plies, and resumable.

use super::plan::Plan;
use super::{Engine, GenerateError, Request, TablesLock, Work, solve};
use phutbase_base::job::{Job, Need};
use phutbase_pitches::solver::{PitchSolver, Setup};
use phutbase_tables::error::TableError;
use phutbase_tables::pitch::writer::write;
use phutbase_tables::{PitchTable, TableId};
use std::path::Path;

impl Work for Setup {
    fn id(&self) -> TableId {
        TableId::Pitch(self.rules, self.shape)
    }

    fn checkpoint(&self) -> String {
        let what = if self.with_depths { "dtw" } else { "wdl" };
        format!("{}pitch-{}-{what}", self.rules.prefix(), self.shape)
    }

    fn check(file: &Path) -> Result<TableId, TableError> {
        let table = PitchTable::open(file)?;
        table.check_blocks()?;
        Ok(TableId::Pitch(table.rules(), table.shape()))
    }

    fn make(request: &Request<Setup>, lock: Option<&TablesLock>, job: &Job) -> Result<(), GenerateError> {
        assert!(request.work.with_depths, "a table has depths");
        // Only writing the file is left, which a request to stop does not end.
        write(&solve_pitch(request, lock, job)?, &request.tables)?;
        Ok(())
    }
}

/// Solves a pitch without writing a table. The checkpoint remains until it is
/// [forgotten](Request::forget_checkpoint).
pub fn solve_pitch(
    request: &Request<Setup>,
    _lock: Option<&TablesLock>,
    job: &Job,
) -> Result<PitchSolver, GenerateError> {
    let plan = Plan::of_pitch(&request.work)?;
    plan.check_pitch(request, job.memory())?;
    job.expect(plan.positions, "positions");
    job.need(Need {
        memory: plan.memory,
        scratch: plan.scratch,
        disk: plan.disk,
        ..Need::default()
    });
    solve(&request.work, request, job)
}

impl Engine for PitchSolver {
    type Setup = Setup;
    const UNDOES_STOPPED_STEPS: bool = false;

    fn begin(setup: &Setup, _: &Job) -> Result<PitchSolver, GenerateError> {
        Ok(PitchSolver::begin(setup)?)
    }

    fn resume(setup: &Setup, checkpoint: &Path, job: &Job) -> Result<PitchSolver, GenerateError> {
        Ok(PitchSolver::resume(setup, checkpoint, job)?)
    }

    fn step(&mut self, job: &Job) -> Result<bool, GenerateError> {
        Ok(PitchSolver::step(self, job)? > 0)
    }

    fn save(&mut self, checkpoint: &Path) -> Result<(), GenerateError> {
        Ok(PitchSolver::save(self, checkpoint)?)
    }

    fn place(&self) -> String {
        PitchSolver::place(self)
    }
}

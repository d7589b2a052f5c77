//! Makes the table of a pitch; interruptible between plies, and resumable.

use super::gather::write_table;
use super::plan::{Plan, free_memory};
use super::strip::is_outdated;
use super::{CHECKPOINT_EVERY, GenerateError, Outcome, Stepwise, TablesLock, presence, run};
use crate::games::Shape;
use crate::job::{Job, Need};
use crate::solve::pitch::{PitchSolver, Setup, checkpoint};
use crate::table::error::TableError;
use crate::table::{FrameCache, PitchTable, TableId};
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct PitchRequest {
    pub setup: Setup,
    pub tables: PathBuf,
    /// A checkpoint is saved when it would preserve this much work.
    pub checkpoint_every: Duration,
}

impl PitchRequest {
    /// Requests the table of the ordinary game in a directory, using the free memory.
    pub fn new(shape: Shape, tables: &Path) -> PitchRequest {
        PitchRequest {
            setup: Setup::in_memory(shape, true),
            tables: tables.to_path_buf(),
            checkpoint_every: CHECKPOINT_EVERY,
        }
    }

    pub fn id(&self) -> TableId {
        TableId::Pitch(self.setup.rules, self.setup.shape)
    }

    pub fn path(&self) -> PathBuf {
        self.tables.join(self.id().to_string())
    }

    /// Returns whether an intact table exists.
    pub fn outcome(&self) -> Result<Outcome, TableError> {
        presence(&self.path(), self.id(), |file| {
            let table = PitchTable::open(file, &FrameCache::new(0))?;
            table.check_blocks()?;
            Ok(TableId::Pitch(table.rules(), table.shape()))
        })
    }

    pub fn checkpoint(&self) -> PathBuf {
        let Setup {
            shape,
            rules,
            with_depths,
            ..
        } = self.setup;
        let what = if with_depths { "dtw" } else { "wdl" };
        let prefix = rules.prefix();
        self.tables
            .join(format!(".{prefix}pitch-{shape}-{what}.checkpoint"))
    }
}

/// Makes one table, unless an intact one exists.
///
/// A stopped job ends within a ply, or among several processes after it. Collective over the
/// processes that share the work: the first one checks and writes the table, and its caller holds
/// the [`TablesLock`].
/// On errors existing files are unchanged, and no partial table is left.
pub fn generate_pitch(
    request: &PitchRequest,
    lock: Option<&TablesLock>,
    job: &Job,
) -> Result<Outcome, GenerateError> {
    assert!(request.setup.with_depths, "a table has depths");
    let team = &request.setup.team;
    let outcome = if team.is_first() {
        request.outcome()
    } else {
        Ok(Outcome::Written)
    };
    let outcome = team.agree(outcome.map_err(GenerateError::from))?;
    if team.from_first(u64::from(outcome == Outcome::Present)) == 1 {
        if is_outdated(&request.checkpoint(), &request.path()) {
            forget_checkpoint(request);
        }
        return Ok(Outcome::Present);
    }
    let solver = solve_pitch(request, lock, job)?;
    // Only writing the finished table is left, which a request to stop does not end.
    write_pitch(&solver, request)?;
    forget_checkpoint(request);
    Ok(outcome)
}

/// Writes the table of a finished solver. Collective.
pub fn write_pitch(solver: &PitchSolver, request: &PitchRequest) -> Result<(), GenerateError> {
    let written = write_table(solver, &request.tables);
    request.setup.team.agree(written.map_err(GenerateError::from))
}

/// Solves a pitch without writing a table. The checkpoint remains until [`forget_checkpoint`].
pub fn solve_pitch(
    request: &PitchRequest,
    _lock: Option<&TablesLock>,
    job: &Job,
) -> Result<PitchSolver, GenerateError> {
    let team = &request.setup.team;
    let plan = Plan::of_pitch(request)?;
    // Processes on one machine share its memory.
    let share = || free_memory() / team.beside() as u64;
    let memory = match team.count() {
        1 => job.memory(),
        _ => Some(job.memory().unwrap_or_else(share)),
    };
    // An interrupted run left bytes in the directory of tables.
    let left = std::fs::metadata(request.checkpoint()).map_or(0, |file| file.len());
    let checked = plan
        .check_memory(memory)
        .and_then(|()| plan.check_disk(&request.tables, plan.disk.saturating_sub(left)))
        .and_then(|()| match &request.setup.scratch {
            Some(directory) => plan.check_disk(directory, plan.scratch),
            None => Ok(()),
        });
    team.agree(checked.map_err(GenerateError::from))?;
    job.expect(plan.positions, "positions");
    // The greatest need of any process.
    job.need(Need {
        memory: team.greatest(plan.memory),
        scratch: team.greatest(plan.scratch),
        disk: plan.disk,
        ..Need::default()
    });
    let mut solver = begin(request, job)?;
    let checkpoint = request.checkpoint();
    run(&mut solver, (&checkpoint, request.checkpoint_every), job, team)?;
    Ok(solver)
}

pub fn forget_checkpoint(request: &PitchRequest) {
    if request.setup.team.is_first() {
        checkpoint::remove(&request.checkpoint());
    }
}

impl Stepwise for PitchSolver {
    const UNDOES_STOPPED_STEPS: bool = false;

    fn step(&mut self, job: &Job) -> Result<bool, GenerateError> {
        Ok(PitchSolver::step(self, job)? > 0)
    }

    fn save(&self, checkpoint: &Path) -> Result<(), GenerateError> {
        Ok(PitchSolver::save(self, checkpoint)?)
    }

    fn place(&self) -> String {
        format!("ply {}", self.counts().len())
    }
}

fn begin(request: &PitchRequest, job: &Job) -> Result<PitchSolver, GenerateError> {
    let checkpoint = request.checkpoint();
    let team = &request.setup.team;
    if team.from_first(u64::from(checkpoint.exists())) == 0 {
        return team.agree(PitchSolver::begin(&request.setup).map_err(GenerateError::from));
    }
    let solver = PitchSolver::resume(&request.setup, &checkpoint);
    let solver = team.agree(solver.map_err(GenerateError::from))?;
    job.resume(solver.place());
    Ok(solver)
}

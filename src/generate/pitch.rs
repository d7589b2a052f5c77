//! Makes the table of a pitch; interruptible between plies, and resumable.

use super::gather::write_table;
use super::plan::{Plan, free_memory};
use super::strip::is_outdated;
use super::{
    CHECKPOINT_EVERY, Event, GenerateError, Observer, Outcome, TablesLock, WORTH_SAVING, interrupted,
    presence,
};
use crate::games::{Boards, Shape};
use crate::solve::pitch::{PitchSolver, Setup, checkpoint};
use crate::table::{FrameCache, PitchTable, TableId};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[derive(Clone, Debug)]
pub struct PitchRequest {
    pub setup: Setup,
    pub tables: PathBuf,
    /// Memory limit in bytes; `None` for the free memory.
    pub memory: Option<u64>,
    /// A checkpoint is saved when it would preserve this much work.
    pub checkpoint_every: Duration,
}

impl PitchRequest {
    /// Requests the table of the ordinary game in a directory, using the free memory.
    pub fn new(shape: Shape, tables: &Path) -> PitchRequest {
        PitchRequest {
            setup: Setup::in_memory(shape, true),
            tables: tables.to_path_buf(),
            memory: None,
            checkpoint_every: CHECKPOINT_EVERY,
        }
    }

    pub fn id(&self) -> TableId {
        TableId::Pitch(self.setup.rules, self.setup.shape)
    }

    pub fn path(&self) -> PathBuf {
        self.tables.join(self.id().to_string())
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
/// `observer` receives every step and may stop the run after the current ply. Collective over the
/// processes that share the work: the first one checks and writes the table, and its caller holds
/// the [`TablesLock`].
/// On errors existing files are unchanged, and no partial table is left.
pub fn generate_pitch<'a>(
    request: &PitchRequest,
    lock: impl Into<Option<&'a TablesLock>>,
    observer: &mut Observer<'_>,
) -> Result<Outcome, GenerateError> {
    assert!(request.setup.with_depths, "a table has depths");
    let team = &request.setup.team;
    let check = |file: &Path| {
        let table = PitchTable::open(file, &FrameCache::new(0))?;
        table.check_blocks()?;
        Ok(TableId::Pitch(table.rules(), table.shape()))
    };
    let outcome = if team.is_first() {
        presence(&request.path(), request.id(), check)
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
    let solver = solve_pitch(request, lock, observer)?;
    // Ignore a request to stop: only writing the finished table is left.
    let _ = observer(Event::Writing);
    let written = write_table(&solver, &request.tables);
    team.agree(written.map_err(GenerateError::from))?;
    forget_checkpoint(request);
    Ok(outcome)
}

/// Solves a pitch without writing a table. The checkpoint remains until [`forget_checkpoint`].
pub fn solve_pitch<'a>(
    request: &PitchRequest,
    _lock: impl Into<Option<&'a TablesLock>>,
    observer: &mut Observer<'_>,
) -> Result<PitchSolver, GenerateError> {
    let team = &request.setup.team;
    let mut plan = Plan::of_pitch(request)?;
    // Processes on one machine share its memory.
    let share = || free_memory() / team.beside() as u64;
    let memory = match team.count() {
        1 => request.memory,
        _ => Some(request.memory.unwrap_or_else(share)),
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
    // The plan states the greatest need of any process.
    plan.memory = team.greatest(plan.memory);
    plan.scratch = team.greatest(plan.scratch);
    if team.any(observer(Event::Begin(&plan)).is_break()) {
        return Err(interrupted(plan.boards, "ply 0".to_string(), false));
    }
    solve_with_checkpoints(request, observer)
}

pub fn forget_checkpoint(request: &PitchRequest) {
    if request.setup.team.is_first() {
        checkpoint::remove(&request.checkpoint());
    }
}

fn solve_with_checkpoints(
    request: &PitchRequest,
    observer: &mut Observer<'_>,
) -> Result<PitchSolver, GenerateError> {
    let mut solver = begin(request, observer)?;
    let mut saved_at = Instant::now();
    while solver.step()? > 0 {
        let place = ply(&solver);
        let decided = solver.counts().iter().sum();
        let team = &request.setup.team;
        let stop = observer(Event::Step {
            place: &place,
            decided,
        })
        .is_break();
        // The clock of the first process decides.
        let elapsed = if team.is_first() {
            saved_at.elapsed()
        } else {
            Duration::ZERO
        };
        let mut words = [u64::from(stop), elapsed.as_nanos() as u64];
        team.combine(&mut words, &|_, a, b| a.max(b));
        let (stop, lost) = (words[0] == 1, Duration::from_nanos(words[1]));
        let saved = lost >= request.checkpoint_every || (stop && lost >= WORTH_SAVING);
        if saved {
            solver.save(&request.checkpoint())?;
            saved_at = Instant::now();
        }
        if stop {
            return Err(interrupted(Boards::Pitch(request.setup.shape), place, saved));
        }
    }
    Ok(solver)
}

fn ply(solver: &PitchSolver) -> String {
    format!("ply {}", solver.counts().len())
}

fn begin(request: &PitchRequest, observer: &mut Observer<'_>) -> Result<PitchSolver, GenerateError> {
    let checkpoint = request.checkpoint();
    let team = &request.setup.team;
    if team.from_first(u64::from(checkpoint.exists())) == 0 {
        return team.agree(PitchSolver::begin(&request.setup).map_err(GenerateError::from));
    }
    let solver = PitchSolver::resume(&request.setup, &checkpoint);
    let solver = team.agree(solver.map_err(GenerateError::from))?;
    // Ignore a request to stop: only plies can be interrupted.
    let _ = observer(Event::Resumed(&ply(&solver)));
    Ok(solver)
}

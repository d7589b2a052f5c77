//! From a size of pitch to its table file: plan, solve, write; interruptible between plies, and resumable.

use super::gather::write_table;
use super::plan::{Means, Plan, free_memory};
use super::{CHECKPOINT_EVERY, Event, GenerateError, Observer, Outcome, TablesLock, WORTH_SAVING, replaced};
use crate::games::boards::Boards;
use crate::games::pitch::Shape;
use crate::solve::pitch::{PitchSolver, Setup, checkpoint};
use crate::table::container::cache::FrameCache;
use crate::table::id::TableId;
use crate::table::pitch::PitchTable;
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
    /// A table of the ordinary game in a directory, solved in the memory that the system has free.
    pub fn new(shape: Shape, tables: &Path) -> PitchRequest {
        PitchRequest {
            setup: Setup::in_memory(shape, true),
            tables: tables.to_path_buf(),
            memory: None,
            checkpoint_every: CHECKPOINT_EVERY,
        }
    }

    /// The file of the table.
    pub fn path(&self) -> PathBuf {
        let id = TableId::Pitch(self.setup.rules, self.setup.shape);
        self.tables.join(id.to_string())
    }

    /// The file of the checkpoint while the pitch is in progress.
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

/// Makes one table, unless it is there and whole.
///
/// `observer` hears of every step; by breaking off it stops the run after the ply in progress. Where several processes share the work,
/// all make the same call; only the first looks at tables and writes one, and its caller holds the [`TablesLock`].
///
/// # Errors
/// [`GenerateError`]. Nothing that was there before is lost, and no table is left half-written.
///
/// # Panics
/// If the request is without depths.
pub fn generate_pitch<'a>(
    request: &PitchRequest,
    lock: impl Into<Option<&'a TablesLock>>,
    observer: &mut Observer<'_>,
) -> Result<Outcome, GenerateError> {
    assert!(request.setup.with_depths, "a table has depths");
    let team = &request.setup.team;
    let outcome = team.agree(match team.is_first() {
        true => presence(request),
        false => Ok(Outcome::Written),
    })?;
    if team.told_by_first(u64::from(outcome == Outcome::Present)) == 1 {
        return Ok(Outcome::Present);
    }
    let solver = solve_pitch(request, lock, observer)?;
    // Nothing is lost by writing what is known, and an interruption now would lose it all.
    let _ = observer(Event::Writing);
    let written = write_table(&solver, &request.tables);
    team.agree(written.map_err(GenerateError::from))?;
    forget_checkpoint(request);
    Ok(outcome)
}

/// Whether the table is there already, or is to be written.
fn presence(request: &PitchRequest) -> Result<Outcome, GenerateError> {
    let path = request.path();
    if !path.exists() {
        return Ok(Outcome::Written);
    }
    let checked = PitchTable::open(&path, &FrameCache::new(0)).and_then(|table| {
        table.check_blocks()?;
        let asked = (request.setup.rules, request.setup.shape);
        Ok(match (table.rules(), table.shape()) == asked {
            true => Outcome::Present,
            false => Outcome::Replaced,
        })
    });
    Ok(checked.or_else(replaced)?)
}

/// Solves a pitch and leaves no table: the solver knows who wins, and the depths if they are asked for. Its checkpoint is
/// there until [`forget_checkpoint`].
pub fn solve_pitch<'a>(
    request: &PitchRequest,
    _lock: impl Into<Option<&'a TablesLock>>,
    observer: &mut Observer<'_>,
) -> Result<PitchSolver, GenerateError> {
    let team = &request.setup.team;
    let mut plan = Plan::of_pitch(request)?;
    // Those that share a machine share what it has.
    let share = || free_memory() / team.beside() as u64;
    let checked = plan.check(Means {
        memory: match team.count() {
            1 => request.memory,
            _ => Some(request.memory.unwrap_or_else(share)),
        },
        tables: &request.tables,
        scratch: request.setup.scratch.as_deref(),
        there: std::fs::metadata(request.checkpoint()).map_or(0, |file| file.len()),
    });
    team.agree(checked.map_err(GenerateError::from))?;
    // What is said is the most that one of them needs.
    plan.memory = team.greatest(plan.memory);
    plan.scratch = team.greatest(plan.scratch);
    if team.any(observer(Event::Begin(&plan)).is_break()) {
        return Err(interrupted(request, 0, false));
    }
    solve_with_checkpoints(request, observer)
}

/// Removes the checkpoint of a pitch that is done.
pub fn forget_checkpoint(request: &PitchRequest) {
    if request.setup.team.is_first() {
        checkpoint::remove(&request.checkpoint());
    }
}

/// Solves from the last checkpoint on, if there is one, and saves new ones.
fn solve_with_checkpoints(
    request: &PitchRequest,
    observer: &mut Observer<'_>,
) -> Result<PitchSolver, GenerateError> {
    let mut solver = begin(request, observer)?;
    let mut saved_at = Instant::now();
    while solver.step()? > 0 {
        let ply = solver.counts().len();
        let decided = solver.counts().iter().sum();
        let team = &request.setup.team;
        let stop = observer(Event::Ply { ply, decided }).is_break();
        // The clock of the first process counts.
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
            return Err(interrupted(request, ply, saved));
        }
    }
    request.setup.team.note(solver.moved());
    Ok(solver)
}

fn interrupted(request: &PitchRequest, ply: usize, saved: bool) -> GenerateError {
    GenerateError::Interrupted {
        boards: Boards::Pitch(request.setup.shape),
        place: format!("ply {ply}"),
        saved,
    }
}

fn begin(request: &PitchRequest, observer: &mut Observer<'_>) -> Result<PitchSolver, GenerateError> {
    let checkpoint = request.checkpoint();
    let team = &request.setup.team;
    if team.told_by_first(u64::from(checkpoint.exists())) == 0 {
        return team.agree(PitchSolver::begin(&request.setup).map_err(GenerateError::from));
    }
    let solver = PitchSolver::resume(&request.setup, &checkpoint);
    let solver = team.agree(solver.map_err(GenerateError::from))?;
    // Only a ply can be interrupted, so this is no place to ask.
    let plies = solver.counts().len();
    let _ = observer(Event::Resumed { plies });
    Ok(solver)
}

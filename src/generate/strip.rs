//! Makes the table of the strips up to a length.
//!
//! Sets grow ply by ply, or level by level, and end as the roots of the table.

use super::plan::{human_bytes, symbolic_limits};
use super::{
    CHECKPOINT_EVERY, Event, GenerateError, Observer, Outcome, TablesLock, WORTH_SAVING, interrupted,
    presence,
};
use crate::games::boards::Boards;
use crate::solve::symbolic::counters::Counters;
use crate::solve::symbolic::store::{Id, Store};
use crate::solve::symbolic::{CheckpointError, DepthSolver, LevelSolver, SymbolicError, SymbolicLimits};
use crate::table::strip::write::write;
use crate::table::{FrameCache, Metric, StripTable, TableId};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[derive(Clone, Debug)]
pub struct Request {
    pub length: usize,
    pub metric: Metric,
    pub tables: PathBuf,
    /// Memory limit in bytes; `None` for the free memory.
    pub memory: Option<u64>,
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
            memory: None,
            checkpoint_every: CHECKPOINT_EVERY,
        }
    }

    pub fn id(&self) -> TableId {
        TableId::Strip(self.metric, self.length)
    }

    pub fn path(&self) -> PathBuf {
        self.tables.join(self.id().to_string())
    }

    pub fn checkpoint(&self) -> PathBuf {
        let (length, metric) = (self.length, self.metric);
        self.tables.join(format!(".strip-{length}-{metric}.checkpoint"))
    }
}

/// Makes one table, unless an intact one exists.
///
/// `observer` receives every step and may stop the run, which saves a checkpoint if enough work
/// would be lost. The caller holds the [`TablesLock`].
/// On errors existing files are unchanged, and no partial table is left.
pub fn generate(
    request: &Request,
    _lock: &TablesLock,
    observer: &mut Observer<'_>,
) -> Result<Outcome, GenerateError> {
    let outcome = presence(&request.path(), request.id(), |file| {
        let table = StripTable::open(file, &FrameCache::new(0))?;
        table.check_frames()?;
        Ok(TableId::Strip(table.metric(), table.length()))
    })?;
    if outcome == Outcome::Present {
        if is_outdated(&request.checkpoint(), &request.path()) {
            // A leftover is harmless.
            let _ = std::fs::remove_file(request.checkpoint());
        }
        return Ok(outcome);
    }
    match request.metric {
        Metric::Dtw => run::<DepthSolver>(request, observer),
        Metric::Wdl => run::<LevelSolver>(request, observer),
    }?;
    Ok(outcome)
}

/// Returns whether a checkpoint was left by a run that was killed after its table was complete.
pub(super) fn is_outdated(checkpoint: &Path, table: &Path) -> bool {
    let modified = |file: &Path| file.metadata().and_then(|file| file.modified());
    matches!((modified(checkpoint), modified(table)), (Ok(saved), Ok(written)) if saved <= written)
}

/// The time between checkpoints is at least this multiple of the time taken by the last one.
const CHECKPOINT_SPACING: u32 = 20;

trait Solve: Sized {
    /// Resumes from a checkpoint if there is one.
    fn start(request: &Request, limits: SymbolicLimits, saved: Option<&Path>) -> Result<Self, GenerateError>;
    fn work(&mut self, watch: &mut Watch<'_, Self>) -> Result<ControlFlow<()>, SymbolicError>;
    fn save(&self, file: &Path) -> Result<(), CheckpointError>;
    /// Returns the ply, or the level and its finished ball squares; the nodes in memory and the
    /// bytes held.
    fn progress(&self) -> (String, usize, u64);
    fn counters(&self) -> Counters;
    fn finish<T>(&self, write: impl FnOnce(&Store, &[Id]) -> T) -> T;
}

/// Polled periodically; may stop the work.
type Watch<'a, S> = dyn FnMut(&S) -> ControlFlow<()> + 'a;

impl Solve for DepthSolver {
    fn start(request: &Request, limits: SymbolicLimits, saved: Option<&Path>) -> Result<Self, GenerateError> {
        let solver = match saved {
            Some(file) => DepthSolver::resume(request.length, limits, file)?,
            None => DepthSolver::new(request.length, limits)?,
        };
        Ok(solver.sharing(rayon::current_num_threads())?)
    }

    fn work(&mut self, watch: &mut Watch<'_, Self>) -> Result<ControlFlow<()>, SymbolicError> {
        self.run(watch)
    }

    fn save(&self, file: &Path) -> Result<(), CheckpointError> {
        DepthSolver::save(self, file)
    }

    fn progress(&self) -> (String, usize, u64) {
        let (ply, store) = (self.counts().len(), self.store());
        (format!("ply {ply}"), store.nodes(), store.bytes())
    }

    fn counters(&self) -> Counters {
        self.store().counters()
    }

    fn finish<T>(&self, write: impl FnOnce(&Store, &[Id]) -> T) -> T {
        write(self.store(), self.plies())
    }
}

impl Solve for LevelSolver {
    fn start(request: &Request, limits: SymbolicLimits, saved: Option<&Path>) -> Result<Self, GenerateError> {
        let threads = rayon::current_num_threads();
        if let Some(file) = saved {
            return Ok(LevelSolver::resume(request.length, limits, threads, file)?);
        }
        Ok(LevelSolver::new(request.length, limits, threads)?)
    }

    fn work(&mut self, watch: &mut Watch<'_, Self>) -> Result<ControlFlow<()>, SymbolicError> {
        self.run(watch)
    }

    fn save(&self, file: &Path) -> Result<(), CheckpointError> {
        LevelSolver::save(self, file)
    }

    fn progress(&self) -> (String, usize, u64) {
        (self.live().place(), self.live().nodes, self.live().bytes)
    }

    fn counters(&self) -> Counters {
        LevelSolver::counters(self)
    }

    fn finish<T>(&self, write: impl FnOnce(&Store, &[Id]) -> T) -> T {
        self.lend(write)
    }
}

fn run<S: Solve>(request: &Request, observer: &mut Observer<'_>) -> Result<(), GenerateError> {
    let limits = symbolic_limits(request.memory);
    let checkpoint = request.checkpoint();
    let boards = Boards::strip(request.length);
    let memory = limits.memory;
    let begun = observer(Event::BeginDiagrams { memory });
    if begun.is_break() {
        return Err(interrupted(boards, "the start".to_string(), checkpoint.exists()));
    }
    let saved = Some(&*checkpoint).filter(|file| file.exists());
    let mut solver = S::start(request, limits, saved)?;
    if saved.is_some() {
        // Ignore a request to stop: the first step below polls again.
        let _ = observer(Event::Resumed(&solver.progress().0));
    }
    let mut unsaved = Instant::now();
    let (mut saved, mut saving) = (Ok(false), Duration::ZERO);
    let mut stop = ControlFlow::Continue(());
    let ended = solver.work(&mut |solver| {
        // The solver polls until its threads have stopped.
        if stop.is_break() {
            return stop;
        }
        let (place, nodes, bytes) = solver.progress();
        let place = format!("{place}, {nodes} nodes, {}", human_bytes(bytes));
        let decided = 0;
        stop = observer(Event::Step {
            place: &place,
            decided,
        });
        let wanted = match stop {
            // An interval of zero saves after every step; otherwise limit the share of time spent
            // on saving.
            ControlFlow::Continue(()) if request.checkpoint_every.is_zero() => Duration::ZERO,
            ControlFlow::Continue(()) => request.checkpoint_every.max(CHECKPOINT_SPACING * saving),
            ControlFlow::Break(()) => request.checkpoint_every.min(WORTH_SAVING),
        };
        let begun = Instant::now();
        if begun - unsaved >= wanted {
            saved = solver.save(&checkpoint).map(|()| true);
            unsaved = Instant::now();
            saving = unsaved - begun;
            if saved.is_err() {
                stop = ControlFlow::Break(());
            }
        } else {
            saved = Ok(false);
        }
        stop
    })?;
    if ended.is_break() {
        return Err(interrupted(boards, solver.progress().0, saved?));
    }
    // Ignore a request to stop: only writing the file is left.
    let _ = observer(Event::Counted(&solver.counters()));
    let _ = observer(Event::Writing);
    solver.finish(|store, roots| write(store, roots, request.metric, &request.tables))?;
    // The table is complete. If this fails, the next run removes the checkpoint.
    let _ = std::fs::remove_file(&checkpoint);
    Ok(())
}

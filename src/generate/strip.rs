//! The table of the strips up to a length: sets grow ply by ply, or level by level from a shorter strip's, and end as the roots of the table.

use super::plan::symbolic_limits;
use super::{CHECKPOINT_EVERY, Event, GenerateError, Observer, Outcome, TablesLock, WORTH_SAVING, replaced};
use crate::games::boards::Boards;
use crate::games::rules::Rules;
use crate::games::strip::MIN_LENGTH;
use crate::solve::symbolic::counters::Counters;
use crate::solve::symbolic::store::{Id, Store};
use crate::solve::symbolic::{CheckpointError, DepthSolver, LevelSolver, SymbolicError, SymbolicLimits};
use crate::table::Metric;
use crate::table::container::cache::FrameCache;
use crate::table::error::TableError;
use crate::table::id::TableId;
use crate::table::places::Places;
use crate::table::strip::StripTable;
use crate::table::strip::write::{Source, write};
use crate::table::tablebase::Tablebase;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What is to be made, and where.
#[derive(Clone, Debug)]
pub struct Request {
    /// The number of squares of the longest strips.
    pub length: usize,
    /// The rules by which it is played.
    pub rules: Rules,
    /// The metric.
    pub metric: Metric,
    /// The directory of tables.
    pub tables: PathBuf,
    /// Where shorter strips are looked for, from which the levels start; `None` for the directory of tables alone.
    pub shorter: Option<Places>,
    /// Memory that may be used, in bytes; `None` for what the system has free.
    pub memory: Option<u64>,
    /// A checkpoint is saved when this much work would be lost without it.
    pub checkpoint_every: Duration,
}

impl Request {
    /// A table of the ordinary game in `tables/`, with a checkpoint every [`CHECKPOINT_EVERY`].
    pub fn new(length: usize, metric: Metric) -> Request {
        Request {
            length,
            rules: Rules::Ordinary,
            metric,
            tables: PathBuf::from("tables"),
            shorter: None,
            memory: None,
            checkpoint_every: CHECKPOINT_EVERY,
        }
    }

    /// The table that is asked for.
    pub fn id(&self) -> TableId {
        TableId::Strip(self.rules, self.metric, self.length)
    }

    /// The file of the table.
    pub fn path(&self) -> PathBuf {
        self.tables.join(self.id().to_string())
    }

    /// The file of the checkpoint while the work is in progress.
    pub fn checkpoint(&self) -> PathBuf {
        let (prefix, length, metric) = (self.rules.prefix(), self.length, self.metric);
        self.tables
            .join(format!(".{prefix}strip-{length}-{metric}.checkpoint"))
    }
}

/// Makes one table, unless it is there and whole.
///
/// `observer` hears of every step; by breaking off it stops the run, with a checkpoint if the
/// run has taken long enough to want one. The caller holds the [`TablesLock`].
///
/// # Errors
/// [`GenerateError`]. Nothing that was there before is lost, and no table is left half-written.
pub fn generate(
    request: &Request,
    _lock: &TablesLock,
    observer: &mut Observer<'_>,
) -> Result<Outcome, GenerateError> {
    let outcome = presence(request)?;
    if outcome == Outcome::Present {
        remove_outdated(request);
        return Ok(outcome);
    }
    match request.metric {
        Metric::Dtw => run::<DepthSolver>(request, observer),
        Metric::Wdl => run::<LevelSolver>(request, observer),
    }?;
    Ok(outcome)
}

/// Whether the table is there already, or how it will come to be.
fn presence(request: &Request) -> Result<Outcome, TableError> {
    let path = request.path();
    if !path.exists() {
        return Ok(Outcome::Written);
    }
    let checked = StripTable::open(&path, &FrameCache::new(0)).and_then(|table| {
        table.check_frames()?;
        let found = TableId::Strip(table.rules(), table.metric(), table.length());
        Ok(match found == request.id() {
            true => Outcome::Present,
            false => Outcome::Replaced,
        })
    });
    checked.or_else(replaced)
}

/// Removes a checkpoint that a run left which was killed when its table was whole.
fn remove_outdated(request: &Request) {
    let modified = |file| std::fs::metadata(file).and_then(|file| file.modified());
    let checkpoint = request.checkpoint();
    if let (Ok(saved), Ok(written)) = (modified(&checkpoint), modified(&request.path()))
        && saved <= written
    {
        // A leftover that cannot be removed does no harm.
        let _ = std::fs::remove_file(checkpoint);
    }
}

/// How far a run is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Live {
    /// Where it is, in words: the ply, or the level and the ball squares done in it.
    pub place: String,
    /// Nodes in memory.
    pub nodes: usize,
    /// Bytes held.
    pub bytes: u64,
}

/// Strips of so many squares take a second or two, so nobody is asked meanwhile whether to go on.
const SOON_DONE: usize = 40;

/// A checkpoint is saved after so many times the time that the last one took, at least.
const SAVING: u32 = 20;

/// What both solvers do, seen from here.
trait Solve: Sized {
    /// Begins a length.
    fn begin(request: &Request, limits: SymbolicLimits) -> Result<Self, GenerateError>;
    fn resume(request: &Request, limits: SymbolicLimits, file: &Path) -> Result<Self, CheckpointError>;
    /// Works until all is done, or `watch` says to stop.
    fn work(&mut self, watch: &mut Watch<'_, Self>) -> Result<ControlFlow<()>, GenerateError>;
    fn save(&self, file: &Path) -> Result<(), CheckpointError>;
    fn live(&self) -> Live;
    /// What the work has cost.
    fn counters(&self) -> Counters;
    /// Hands over the roots of the table.
    fn finish<T>(&self, write: impl FnOnce(&Store, &[Id]) -> T) -> T;
}

/// Runs a solver whose watch may fail: the failure ends the work and is returned.
fn kept_error<S>(
    watch: &mut Watch<'_, S>,
    run: impl FnOnce(&mut dyn FnMut(&S) -> ControlFlow<()>) -> Result<ControlFlow<()>, SymbolicError>,
) -> Result<ControlFlow<()>, GenerateError> {
    let mut failure = None;
    let ended = run(&mut |solver| {
        watch(solver).unwrap_or_else(|error| {
            failure = Some(error);
            ControlFlow::Break(())
        })
    })?;
    failure.map_or(Ok(ended), |error| Err(error.into()))
}

/// Asked now and then whether to go on; a checkpoint that cannot be saved ends the work.
type Watch<'a, S> = dyn FnMut(&S) -> Result<ControlFlow<()>, CheckpointError> + 'a;

impl Solve for DepthSolver {
    fn begin(request: &Request, limits: SymbolicLimits) -> Result<DepthSolver, GenerateError> {
        let solver = DepthSolver::new(request.length, limits)?.under(request.rules);
        Ok(solver.sharing(rayon::current_num_threads())?)
    }

    fn resume(
        request: &Request,
        limits: SymbolicLimits,
        file: &Path,
    ) -> Result<DepthSolver, CheckpointError> {
        let solver = DepthSolver::resume(request.length, request.rules, limits, file)?;
        (solver.sharing(rayon::current_num_threads())).map_err(CheckpointError::Engine)
    }

    fn work(&mut self, watch: &mut Watch<'_, Self>) -> Result<ControlFlow<()>, GenerateError> {
        kept_error(watch, |watch| self.run(watch))
    }

    fn save(&self, file: &Path) -> Result<(), CheckpointError> {
        DepthSolver::save(self, file)
    }

    fn live(&self) -> Live {
        Live {
            place: format!("ply {}", self.counts().len()),
            nodes: self.store().nodes(),
            bytes: self.store().bytes(),
        }
    }

    fn counters(&self) -> Counters {
        self.store().counters()
    }

    fn finish<T>(&self, write: impl FnOnce(&Store, &[Id]) -> T) -> T {
        write(self.store(), self.plies())
    }
}

impl Solve for LevelSolver {
    fn begin(request: &Request, limits: SymbolicLimits) -> Result<LevelSolver, GenerateError> {
        let solver = LevelSolver::new(request.length, limits, rayon::current_num_threads())?;
        let mut solver = solver.under(request.rules);
        // The longest shorter strips in any table, a longer one's too: a wrong guess costs time, never truth. A damaged table in a place that
        // the user named is an error.
        let places = (request.shorter.clone()).unwrap_or_else(|| Places::only(&request.tables));
        let tables = Tablebase::search_with(request.rules, places, |_| {})?;
        for length in (MIN_LENGTH..request.length).rev() {
            match tables.ask_levels(length, |table| table.sets(length)) {
                Ok(sets) => {
                    solver.guess(&sets, sets.level(0))?;
                    return Ok(solver);
                }
                Err(error) if error.is_damage() => return Err(error.into()),
                Err(_) => {}
            }
        }
        let warm = solver.warm_up(SOON_DONE, &mut |_| ControlFlow::Continue(()))?;
        debug_assert!(warm.is_continue(), "nobody says to stop");
        Ok(solver)
    }

    fn resume(
        request: &Request,
        limits: SymbolicLimits,
        file: &Path,
    ) -> Result<LevelSolver, CheckpointError> {
        LevelSolver::resume(
            request.length,
            request.rules,
            limits,
            rayon::current_num_threads(),
            file,
        )
    }

    fn work(&mut self, watch: &mut Watch<'_, Self>) -> Result<ControlFlow<()>, GenerateError> {
        kept_error(watch, |watch| self.run(watch))
    }

    fn save(&self, file: &Path) -> Result<(), CheckpointError> {
        LevelSolver::save(self, file)
    }

    fn live(&self) -> Live {
        let live = LevelSolver::live(self);
        Live {
            place: live.place(),
            nodes: live.nodes,
            bytes: live.bytes,
        }
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
    let memory = limits.memory;
    let begun = observer(Event::BeginDiagrams { memory });
    if begun.is_break() {
        return Err(interrupted(request, "the start".to_string(), checkpoint.exists()));
    }
    let mut solver = if checkpoint.exists() {
        let solver = S::resume(request, limits, &checkpoint)?;
        // Told to stop or not, the first step below finds out.
        let _ = observer(Event::ResumedDiagrams {
            place: &solver.live().place,
        });
        solver
    } else {
        S::begin(request, limits)?
    };
    let mut unsaved = Instant::now();
    let (mut saved, mut saving) = (false, Duration::ZERO);
    let ended = solver.work(&mut |solver| {
        let stop = observer(Event::Diagrams(&solver.live()));
        let wanted = match stop {
            // Who wants every step saved gets that; else most of the time is for the work.
            ControlFlow::Continue(()) if request.checkpoint_every.is_zero() => Duration::ZERO,
            ControlFlow::Continue(()) => request.checkpoint_every.max(SAVING * saving),
            ControlFlow::Break(()) => request.checkpoint_every.min(WORTH_SAVING),
        };
        saved = unsaved.elapsed() >= wanted;
        if saved {
            let begun = Instant::now();
            solver.save(&checkpoint)?;
            unsaved = Instant::now();
            saving = unsaved - begun;
        }
        Ok(stop)
    })?;
    if ended.is_break() {
        return Err(interrupted(request, solver.live().place, saved));
    }
    // Nothing is lost by not stopping here: what is left is to write the file.
    let _ = observer(Event::Counted(&solver.counters()));
    let _ = observer(Event::Writing);
    solver.finish(|store, roots| {
        let source = Source {
            diagram: store,
            roots,
            rules: request.rules,
            metric: request.metric,
        };
        write(&source, &request.tables)
    })?;
    // The table is whole; if this fails, the next run tries again.
    let _ = std::fs::remove_file(&checkpoint);
    Ok(())
}

fn interrupted(request: &Request, place: String, saved: bool) -> GenerateError {
    GenerateError::Interrupted {
        boards: Boards::strip(request.length),
        place,
        saved,
    }
}

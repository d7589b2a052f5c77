//! A length by the symbolic engine: sets grow ply by ply, or level by level from a shorter strip's, and end as the roots of a
//! diagram table.

use super::plan::symbolic_limits;
use super::{Event, GenerateError, Observer, Request, WORTH_SAVING};
use crate::games::boards::Boards;
use crate::games::strip::MIN_LENGTH;
use crate::solve::symbolic::store::{Id, Store};
use crate::solve::symbolic::{CheckpointError, DepthSolver, LevelSolver, SymbolicLimits};
use crate::table::Metric;
use crate::table::any::Table;
use crate::table::diagram::write::{Source, write};
use crate::table::directory::Tablebase;
use crate::table::places::Places;
use num_bigint::BigUint;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

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
    /// Hands over the roots of the table.
    fn finish<T>(&self, write: impl FnOnce(&Store, &[Id]) -> T) -> T;
}

/// Asked now and then whether to go on; a checkpoint that cannot be saved ends the work.
type Watch<'a, S> = dyn FnMut(&S) -> Result<ControlFlow<()>, CheckpointError> + 'a;

impl Solve for DepthSolver {
    fn begin(request: &Request, limits: SymbolicLimits) -> Result<DepthSolver, GenerateError> {
        Ok(DepthSolver::new(request.length, limits)?.under(request.rules))
    }

    fn resume(
        request: &Request,
        limits: SymbolicLimits,
        file: &Path,
    ) -> Result<DepthSolver, CheckpointError> {
        DepthSolver::resume(request.length, request.rules, limits, file)
    }

    fn work(&mut self, watch: &mut Watch<'_, Self>) -> Result<ControlFlow<()>, GenerateError> {
        while self.step()? != BigUint::ZERO {
            if watch(self)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
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

    fn finish<T>(&self, write: impl FnOnce(&Store, &[Id]) -> T) -> T {
        write(self.store(), self.plies())
    }
}

impl Solve for LevelSolver {
    fn begin(request: &Request, limits: SymbolicLimits) -> Result<LevelSolver, GenerateError> {
        let solver = LevelSolver::new(request.length, limits, rayon::current_num_threads())?;
        let mut solver = solver.under(request.rules);
        // The longest shorter strip there is. A damaged table is an error: what it says may not be used without a word.
        let places = (request.shorter.clone()).unwrap_or_else(|| Places::only(&request.tables));
        let tables = Tablebase::search_under(request.rules, places)?;
        for length in (MIN_LENGTH..request.length).rev() {
            if let Some(Table::Diagram(table)) = tables.table(length, Metric::Wdl)?
                && let &[left_to_move, right_to_move, ..] = table.roots()
            {
                solver.guess(&table.nodes(), [left_to_move, right_to_move])?;
                return Ok(solver);
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
        let mut failure = None;
        let ended = self.run(&mut |solver| {
            watch(solver).unwrap_or_else(|error| {
                failure = Some(error);
                ControlFlow::Break(())
            })
        })?;
        match failure {
            Some(error) => Err(error.into()),
            None => Ok(ended),
        }
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

    fn finish<T>(&self, write: impl FnOnce(&Store, &[Id]) -> T) -> T {
        self.lend(write)
    }
}

/// The file of the checkpoint while a length is in progress.
pub(super) fn checkpoint(request: &Request) -> PathBuf {
    let prefix = request.rules.prefix();
    let name = format!(".{prefix}strip-{}-{}.checkpoint", request.length, request.metric);
    request.tables.join(name)
}

/// Solves the length and writes its table, in the diagram layout.
pub(super) fn make(request: &Request, observer: &mut Observer<'_>) -> Result<(), GenerateError> {
    match request.metric {
        Metric::Dtw => run::<DepthSolver>(request, observer),
        Metric::Wdl => run::<LevelSolver>(request, observer),
    }
}

fn run<S: Solve>(request: &Request, observer: &mut Observer<'_>) -> Result<(), GenerateError> {
    let limits = symbolic_limits(request.memory);
    let checkpoint = checkpoint(request);
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

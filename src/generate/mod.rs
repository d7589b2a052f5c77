//! From a length to its table file: plan, solve, write; interruptible and resumable.
//!
//! * [`plan`] — what it will take, before anything is allocated; [`estimate`](mod@estimate) — how long;
//! * [`generate`] — one length, from the first ply or from the last checkpoint, to the finished file;
//! * [`symbolic`] — the same with the symbolic engine;
//! * [`pitch`] — the same for a pitch; [`frames`], [`gather`] — its table, packed by all processes that share the work;
//! * [`share`](mod@share), [`in_order`](mod@in_order), [`slices`] — which engine solves which length, several at a time, and time shared out.
//!
//! Nothing but whole tables ever has a table's name. A run that is killed leaves at most a checkpoint and an unnamed
//! or `.partial` file behind; the next run goes on from the one and removes the other.

pub mod estimate;
#[doc(hidden)]
pub mod frames;
#[doc(hidden)]
pub mod gather;
pub mod in_order;
pub mod pitch;
pub mod plan;
pub mod share;
pub mod slices;
mod source;
pub mod symbolic;

use crate::diagram::graph::Graph;
use crate::games::boards::Boards;
use crate::games::rules::Rules;
use crate::outcome::words;
use crate::solve::dense::{DenseError, DenseSolver};
use crate::solve::pitch::PitchSolveError;
use crate::solve::pitch::checkpoint::SaveError;
use crate::solve::ranks::Elsewhere;
use crate::solve::symbolic::SymbolicError;
use crate::table::any::Table;
use crate::table::diagram::convert::from_dense;
use crate::table::diagram::write as diagram_file;
use crate::table::error::{ResumeError, TableError};
pub use crate::table::lock::TablesLock;
use crate::table::places::Places;
use crate::table::{Layout, Metric, table_path, writer};
use plan::{Means, Plan, PlanError};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How much work may be lost, unless a [`Request`] says otherwise.
pub const CHECKPOINT_EVERY: Duration = Duration::from_secs(30);
/// A run that is told to stop saves a checkpoint if this much work would be lost without it.
const WORTH_SAVING: Duration = Duration::from_secs(1);

/// Why a table could not be made.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// It does not fit.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The engine failed.
    #[error(transparent)]
    Dense(#[from] DenseError),
    /// The engine for pitches failed.
    #[error(transparent)]
    Pitch(#[from] PitchSolveError),
    /// The file could not be written or read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The symbolic engine failed.
    #[error(transparent)]
    Symbolic(#[from] SymbolicError),
    /// The request asks for what does not go together.
    #[error("{0}")]
    Request(&'static str),
    /// Another of the processes that share the work cannot go on.
    #[error(transparent)]
    Elsewhere(#[from] Elsewhere),
    /// The observer asked to stop.
    #[error("interrupted after {place} of {}; run the same command again to go on{}", boards.words(), if *saved { " from there" } else { "" })]
    Interrupted {
        /// What was in progress.
        boards: Boards,
        /// The last complete step, in words.
        place: String,
        /// Whether a checkpoint holds it.
        saved: bool,
    },
}

impl<E: std::error::Error> From<ResumeError<E>> for GenerateError
where
    GenerateError: From<E>,
{
    fn from(error: ResumeError<E>) -> GenerateError {
        match error {
            ResumeError::File(error) => error.into(),
            ResumeError::Engine(error) => error.into(),
        }
    }
}

impl From<SaveError> for GenerateError {
    fn from(error: SaveError) -> GenerateError {
        match error {
            SaveError::Table(error) => error.into(),
            SaveError::Elsewhere(error) => error.into(),
        }
    }
}

/// What finds the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Every position, in blocks.
    Dense,
    /// Sets of positions, as diagrams.
    Symbolic,
}

words!(Engine: Dense = "dense", Symbolic = "symbolic");

/// What is to be made, and where.
#[derive(Clone, Debug)]
pub struct Request {
    /// The number of squares.
    pub length: usize,
    /// Whose jumps go where.
    pub rules: Rules,
    /// The metric.
    pub metric: Metric,
    /// What finds the values.
    pub engine: Engine,
    /// How they are to be stored. With `None` the dense engine writes the dense layout, and a table of either layout
    /// that is there already will do. The symbolic engine writes diagrams only.
    pub layout: Option<Layout>,
    /// The directory of tables.
    pub tables: PathBuf,
    /// Where shorter strips are looked for, from which the symbolic engine starts; `None` for the directory of tables alone.
    pub shorter: Option<Places>,
    /// Memory that may be used, in bytes; `None` for what the system has free.
    pub memory: Option<u64>,
    /// Where the planes are kept instead of memory.
    pub scratch: Option<PathBuf>,
    /// A checkpoint is saved when this much work would be lost without it.
    pub checkpoint_every: Duration,
}

impl Request {
    /// A table of the ordinary game in `tables/`, solved in memory, with a checkpoint every [`CHECKPOINT_EVERY`].
    pub fn new(length: usize, metric: Metric) -> Request {
        Request {
            length,
            rules: Rules::Ordinary,
            metric,
            engine: Engine::Dense,
            layout: None,
            tables: PathBuf::from("tables"),
            shorter: None,
            memory: None,
            scratch: None,
            checkpoint_every: CHECKPOINT_EVERY,
        }
    }

    /// The file of the checkpoint while the length is in progress. Either metric can go on from one of the dense engine.
    pub fn checkpoint(&self) -> PathBuf {
        match self.engine {
            Engine::Dense => {
                let name = format!(".{}strip-{}.checkpoint", self.rules.prefix(), self.length);
                self.tables.join(name)
            }
            Engine::Symbolic => symbolic::checkpoint(self),
        }
    }

    /// Whether the parts of the request go together. [`generate`] asks too; asked before, nothing is held or made for a request that is
    /// refused.
    ///
    /// # Errors
    /// [`GenerateError::Request`].
    pub fn check(&self) -> Result<(), GenerateError> {
        let fault = match self.engine {
            Engine::Symbolic if self.layout == Some(Layout::Dense) => {
                "the symbolic engine knows no single positions: it writes the diagram layout only"
            }
            Engine::Symbolic if self.scratch.is_some() => {
                "the symbolic engine keeps no planes: leave the scratch directory out"
            }
            Engine::Dense if self.layout == Some(Layout::Diagram) && self.metric == Metric::Wdl => {
                "a wdl table in the diagram layout holds levels of forward play, which the symbolic engine finds: ask for that engine"
            }
            _ => return Ok(()),
        };
        Err(GenerateError::Request(fault))
    }
}

/// What an observer is told.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// Work is about to begin; nothing is allocated yet.
    Begin(&'a Plan),
    /// It goes on from a checkpoint.
    Resumed {
        /// Plies found there.
        plies: usize,
    },
    /// A ply is complete.
    Ply {
        /// Its number, from 1.
        ply: usize,
        /// Positions decided so far, of [`Plan::positions`].
        decided: u64,
    },
    /// The symbolic engine is about to begin a length.
    BeginDiagrams {
        /// Bytes that it may hold at most; what it will need is not known beforehand.
        memory: u64,
    },
    /// The symbolic engine goes on from a checkpoint.
    ResumedDiagrams {
        /// What is being done, in words.
        place: &'a str,
    },
    /// The symbolic engine has done a step.
    Diagrams(&'a symbolic::Live),
    /// All values are known; the table is being written.
    Writing,
}

/// Hears of every step, and may break off.
pub type Observer<'a> = dyn FnMut(Event<'_>) -> ControlFlow<()> + 'a;

/// How a table came to be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was there and whole.
    Present,
    /// It was made.
    Written,
    /// One was there but damaged; it was made anew.
    Replaced,
    /// One was there in another layout; it was made anew.
    Rewritten,
}

/// Makes one table, unless it is there and whole.
///
/// `observer` hears of every step; by breaking off it stops the run after the ply in progress, with a checkpoint if the
/// run has taken long enough to want one. The caller holds the [`TablesLock`].
///
/// # Errors
/// [`GenerateError`]. Nothing that was there before is lost, and no table is left half-written.
pub fn generate(
    request: &Request,
    _lock: &TablesLock,
    observer: &mut Observer<'_>,
) -> Result<Outcome, GenerateError> {
    request.check()?;
    let path = table_path(&request.tables, request.rules, request.length, request.metric);
    let outcome = presence(&path, request)?;
    if outcome == Outcome::Present {
        remove_outdated(&request.checkpoint(), &path);
        return Ok(outcome);
    }
    match request.engine {
        Engine::Dense => make_dense(request, observer)?,
        Engine::Symbolic => symbolic::make(request, observer)?,
    }
    Ok(outcome)
}

/// Solves a length with the dense engine and writes its table.
fn make_dense(request: &Request, observer: &mut Observer<'_>) -> Result<(), GenerateError> {
    let plan = Plan::new(request)?;
    let checkpoint = request.checkpoint();
    let scratch = request.scratch.as_deref();
    plan.check(Means {
        memory: request.memory,
        tables: &request.tables,
        scratch,
        there: std::fs::metadata(&checkpoint).map_or(0, |file| file.len()),
    })?;
    let resume = checkpoint.exists();
    let mut run = Run {
        request,
        checkpoint,
        saved: None,
        observer,
    };
    run.tell(Event::Begin(&plan), 0)?;
    let solver = match resume {
        true => DenseSolver::resume(&run.checkpoint, scratch)?,
        false => DenseSolver::new(request.length, scratch)?.under(request.rules),
    };
    run.finish(solver)
}

/// Whether a table is there already, or how it will come to be.
fn presence(path: &Path, request: &Request) -> Result<Outcome, TableError> {
    if !path.exists() {
        return Ok(Outcome::Written);
    }
    let checked = Table::open(path).and_then(|table| {
        table.check_bytes()?;
        let header = table.header();
        let asked = (request.rules, request.length, request.metric);
        Ok(if (header.rules, header.length, header.metric) != asked {
            Outcome::Replaced
        } else if request.layout.is_some_and(|layout| layout != table.layout()) {
            Outcome::Rewritten
        } else {
            Outcome::Present
        })
    });
    checked.or_else(replaced)
}

/// What is wrong with a file decides whether a table takes its place: what is no table, or a newer program's, is not ours to replace, nor is
/// what the system refuses to show.
fn replaced(error: TableError) -> Result<Outcome, TableError> {
    match error {
        TableError::NewerVersion { .. } | TableError::NotATable { .. } | TableError::Io { .. } => Err(error),
        _ => Ok(Outcome::Replaced),
    }
}

/// Removes a checkpoint that a run left which was killed when its table was whole. One saved after the table belongs to
/// the other metric.
fn remove_outdated(checkpoint: &Path, table: &Path) {
    let modified = |file| std::fs::metadata(file).and_then(|file| file.modified());
    if let (Ok(saved), Ok(written)) = (modified(checkpoint), modified(table))
        && saved <= written
    {
        // A leftover that cannot be removed harms nobody.
        let _ = std::fs::remove_file(checkpoint);
    }
}

/// One length in progress.
struct Run<'a> {
    request: &'a Request,
    checkpoint: PathBuf,
    /// The ply that the checkpoint holds, once that is known.
    saved: Option<usize>,
    observer: &'a mut Observer<'a>,
}

impl Run<'_> {
    /// Tells the observer, who may break off after `ply` plies.
    fn tell(&mut self, event: Event<'_>, ply: usize) -> Result<(), GenerateError> {
        match (self.observer)(event) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(self.interrupted(ply)),
        }
    }

    fn interrupted(&self, ply: usize) -> GenerateError {
        GenerateError::Interrupted {
            boards: Boards::strip(self.request.length),
            place: format!("ply {ply}"),
            saved: self.saved == Some(ply),
        }
    }

    fn finish(mut self, mut solver: DenseSolver) -> Result<(), GenerateError> {
        self.check_checkpoint(&solver)?;
        let plies = solver.counts().len();
        if plies > 0 {
            self.saved = Some(plies);
            self.tell(Event::Resumed { plies }, plies)?;
        }
        self.solve(&mut solver)?;
        self.tell(Event::Writing, solver.counts().len())?;
        let source = source::Solved(&solver);
        match self.request.layout.unwrap_or(Layout::Dense) {
            Layout::Dense => writer::write(&source, self.request.metric, &self.request.tables)?,
            Layout::Diagram => self.write_diagrams(&source)?,
        };
        // The table is whole; if this fails, the next run tries again.
        let _ = std::fs::remove_file(&self.checkpoint);
        Ok(())
    }

    /// Writes the values as the symbolic engine would.
    fn write_diagrams(&self, source: &dyn writer::DenseSource) -> Result<PathBuf, TableError> {
        let metric = self.request.metric;
        let graph = Graph::new(self.request.length);
        let (graph, roots) = from_dense(graph, source, metric).map_err(|_| {
            TableError::TooLarge(table_path(
                &self.request.tables,
                self.request.rules,
                self.request.length,
                metric,
            ))
        })?;
        let source = diagram_file::Source {
            diagram: &graph,
            roots: &roots,
            rules: self.request.rules,
            metric,
        };
        diagram_file::write(&source, &self.request.tables)
    }

    /// Refuses a checkpoint of another length or under other rules under this one's name.
    fn check_checkpoint(&self, solver: &DenseSolver) -> Result<(), TableError> {
        let (length, rules) = (solver.layout().length(), solver.rules());
        TableError::unless_same(&self.checkpoint, "the set of rules", rules, self.request.rules)?;
        TableError::unless_same(&self.checkpoint, "the length", length, self.request.length)
    }

    fn solve(&mut self, solver: &mut DenseSolver) -> Result<(), GenerateError> {
        let mut unsaved = Instant::now();
        let mut decided: u64 = solver.counts().iter().sum();
        while solver.counts().last() != Some(&0) {
            decided += solver.step()?;
            let ply = solver.counts().len();
            let stop = (self.observer)(Event::Ply { ply, decided }).is_break();
            let wanted = match stop {
                false => self.request.checkpoint_every,
                true => self.request.checkpoint_every.min(WORTH_SAVING),
            };
            if unsaved.elapsed() >= wanted {
                solver.save(&self.checkpoint)?;
                self.saved = Some(ply);
                unsaved = Instant::now();
            }
            if stop {
                return Err(self.interrupted(ply));
            }
        }
        Ok(())
    }
}

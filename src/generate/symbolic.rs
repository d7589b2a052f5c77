//! A length by the symbolic engine: sets grow step by step, and end as the roots of a diagram table.

use super::plan::free_memory;
use super::{Event, GenerateError, Request, WORTH_SAVING};
use crate::games::boards::Boards;
use crate::solve::symbolic::store::{Id, Store};
use crate::solve::symbolic::{CheckpointError, DepthSolver, Limits, Progress, SymbolicError, WinnerSolver};
use crate::table::Metric;
use crate::table::diagram::write::{Source, write};
use num_bigint::BigUint;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// How far a run is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Live {
    /// Where it is, in words: the ply, or ball squares and sweep.
    pub place: String,
    /// Nodes in memory.
    pub nodes: usize,
    /// Bytes held.
    pub bytes: u64,
}

/// What both solvers do, seen from here.
trait Steps: Sized {
    fn begin(length: usize, limits: Limits) -> Result<Self, SymbolicError>;
    fn resume(length: usize, limits: Limits, file: &Path) -> Result<Self, CheckpointError>;
    /// Does a step and says whether another is needed.
    fn advance(&mut self) -> Result<bool, SymbolicError>;
    fn save(&self, file: &Path) -> Result<(), CheckpointError>;
    fn store(&self) -> &Store;
    fn place(&self) -> String;
    /// The roots of the table.
    fn roots(&self, certificate: bool) -> Vec<Id>;
}

impl Steps for DepthSolver {
    fn begin(length: usize, limits: Limits) -> Result<DepthSolver, SymbolicError> {
        DepthSolver::new(length, limits)
    }

    fn resume(length: usize, limits: Limits, file: &Path) -> Result<DepthSolver, CheckpointError> {
        DepthSolver::resume(length, limits, file)
    }

    fn advance(&mut self) -> Result<bool, SymbolicError> {
        Ok(self.step()? != BigUint::ZERO)
    }

    fn save(&self, file: &Path) -> Result<(), CheckpointError> {
        DepthSolver::save(self, file)
    }

    fn store(&self) -> &Store {
        DepthSolver::store(self)
    }

    fn place(&self) -> String {
        format!("ply {}", self.counts().len())
    }

    fn roots(&self, _certificate: bool) -> Vec<Id> {
        self.plies().to_vec()
    }
}

impl Steps for WinnerSolver {
    fn begin(length: usize, limits: Limits) -> Result<WinnerSolver, SymbolicError> {
        WinnerSolver::new(length, limits)
    }

    fn resume(length: usize, limits: Limits, file: &Path) -> Result<WinnerSolver, CheckpointError> {
        WinnerSolver::resume(length, limits, file)
    }

    fn advance(&mut self) -> Result<bool, SymbolicError> {
        Ok(self.step()? != Progress::Done)
    }

    fn save(&self, file: &Path) -> Result<(), CheckpointError> {
        WinnerSolver::save(self, file)
    }

    fn store(&self) -> &Store {
        WinnerSolver::store(self)
    }

    fn place(&self) -> String {
        let last = self.store().length() - 2;
        format!(
            "sweep {} over ball squares {} to {last}",
            self.sweeps() + 1,
            self.zone()
        )
    }

    fn roots(&self, certificate: bool) -> Vec<Id> {
        let rounds = self.rounds();
        let from = if certificate {
            0
        } else {
            rounds.len().saturating_sub(2)
        };
        match (certificate, &rounds[..]) {
            // A single round is told from a table without a certificate by an empty one before it.
            (true, &[a, r]) => vec![Id::BOTTOM, Id::BOTTOM, a, r],
            _ => rounds[from..].to_vec(),
        }
    }
}

/// The file of the checkpoint while a length is in progress.
pub(super) fn checkpoint(request: &Request) -> PathBuf {
    let name = format!(".strip-{}-{}.checkpoint", request.length, request.metric);
    request.tables.join(name)
}

/// Solves the length and writes its table, in the diagram layout.
pub(super) fn make(
    request: &Request,
    observer: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
) -> Result<(), GenerateError> {
    match request.metric {
        Metric::Dtw => run::<DepthSolver>(request, observer),
        Metric::Wdl => run::<WinnerSolver>(request, observer),
    }
}

fn run<S: Steps>(
    request: &Request,
    observer: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
) -> Result<(), GenerateError> {
    let limits = Limits {
        memory: request.memory.unwrap_or_else(free_memory),
        ..Limits::default()
    };
    let checkpoint = checkpoint(request);
    let begun = observer(Event::BeginDiagrams {
        length: request.length,
        memory: limits.memory,
    });
    if begun.is_break() {
        return Err(interrupted(request, "the start".to_string(), checkpoint.exists()));
    }
    let mut solver = if checkpoint.exists() {
        let solver = S::resume(request.length, limits, &checkpoint)?;
        // Told to stop or not, the first step below finds out.
        let _ = observer(Event::ResumedDiagrams {
            place: &solver.place(),
        });
        solver
    } else {
        S::begin(request.length, limits)?
    };
    let mut unsaved = Instant::now();
    while solver.advance()? {
        let live = Live {
            place: solver.place(),
            nodes: solver.store().nodes(),
            bytes: solver.store().bytes(),
        };
        let stop = observer(Event::Diagrams(&live)).is_break();
        let wanted = match stop {
            false => request.checkpoint_every,
            true => request.checkpoint_every.min(WORTH_SAVING),
        };
        let save = unsaved.elapsed() >= wanted;
        if save {
            solver.save(&checkpoint)?;
            unsaved = Instant::now();
        }
        if stop {
            return Err(interrupted(request, live.place, save));
        }
    }
    // Nothing is lost by not stopping here: what is left is to write the file.
    let _ = observer(Event::Writing);
    let source = Source {
        diagram: solver.store(),
        roots: &solver.roots(request.certificate),
        metric: request.metric,
    };
    write(&source, &request.tables)?;
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

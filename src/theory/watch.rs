//! Control of long computations: stopping, progress and errors.

use crate::diagram::graph::TooLarge;
use crate::generate::plan::{human_bytes, symbolic_limits};
use crate::solve::symbolic::{LevelSolver, SymbolicError, SymbolicLimits};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Debug, thiserror::Error)]
pub enum TheoryError {
    /// The symbolic engine rejected the length or ran out of memory.
    #[error(transparent)]
    Symbolic(#[from] SymbolicError),
    #[error("{squares} squares: only boards of 2 to {most} squares are supported")]
    Squares { squares: usize, most: usize },
    #[error(transparent)]
    Diagram(#[from] TooLarge),
    #[error("interrupted at length {0}")]
    Interrupted(usize),
}

/// A stop flag, a progress report and a memory limit.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    pub stop: &'a AtomicBool,
    pub say: &'a (dyn Fn(String) + Sync),
    /// Memory limit in bytes; `None` for the free memory.
    pub memory: Option<u64>,
}

impl Watch<'_> {
    pub fn check(&self, length: usize) -> Result<(), TheoryError> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(TheoryError::Interrupted(length));
        }
        Ok(())
    }

    pub fn limits(&self) -> SymbolicLimits {
        symbolic_limits(self.memory)
    }
}

/// Returns a solver with the winners on the strips of one length.
pub fn solve_levels(length: usize, watch: Watch<'_>) -> Result<LevelSolver, TheoryError> {
    let threads = rayon::current_num_threads();
    let mut solver = LevelSolver::new(length, watch.limits(), threads)?;
    let ended = solver.run(&mut |solver| {
        let live = solver.live();
        (watch.say)(format!(
            "{} squares, {}, {} nodes, {}",
            solver.length(),
            live.place(),
            live.nodes,
            human_bytes(live.bytes)
        ));
        match watch.check(length) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    })?;
    if ended.is_break() {
        watch.check(length)?;
    }
    Ok(solver)
}

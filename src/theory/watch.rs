//! Long computations: how they are stopped, what they report, and why they fail.

use crate::diagram::graph::TooLarge;
use crate::games::rules::Rules;
use crate::generate::plan::{human_bytes, symbolic_limits};
use crate::solve::symbolic::{LevelSolver, Levels, SymbolicError, SymbolicLimits};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

/// Errors of long computations.
#[derive(Debug, thiserror::Error)]
pub enum TheoryError {
    /// The symbolic engine refused the length, or memory.
    #[error(transparent)]
    Symbolic(#[from] SymbolicError),
    /// A board of a size that is not examined so.
    #[error("{squares} squares: this is done on boards of 2 to {most} squares")]
    Squares {
        /// The size.
        squares: usize,
        /// The largest.
        most: usize,
    },
    /// A diagram outgrew its numbers.
    #[error(transparent)]
    Diagram(#[from] TooLarge),
    /// The observer asked to stop.
    #[error("interrupted at length {0}")]
    Interrupted(usize),
}

/// A stop flag, a progress report and a memory limit.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Set to stop the computation.
    pub stop: &'a AtomicBool,
    /// Reports progress.
    pub say: &'a (dyn Fn(String) + Sync),
    /// Memory that may be used, in bytes; `None` for what the system has free.
    pub memory: Option<u64>,
}

impl Watch<'_> {
    /// Checks the stop flag.
    pub fn check(&self, length: usize) -> Result<(), TheoryError> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(TheoryError::Interrupted(length));
        }
        Ok(())
    }

    /// The limits of the symbolic engine.
    pub fn limits(&self) -> SymbolicLimits {
        symbolic_limits(self.memory)
    }
}

/// A solver that has found who wins on the strips of one length, from those of a shorter one if they are there.
///
/// # Errors
/// [`TheoryError::Symbolic`] if the length is out of range or does not fit, [`TheoryError::Interrupted`].
pub fn solve_levels(
    length: usize,
    rules: Rules,
    shorter: Option<&Levels>,
    watch: Watch<'_>,
) -> Result<LevelSolver, TheoryError> {
    let threads = rayon::current_num_threads();
    let mut solver = LevelSolver::new(length, watch.limits(), threads)?.under(rules);
    let ended = solver.run_from(shorter, &mut |solver| {
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

/// A watch that never stops and reports nothing; all free memory may be used.
pub fn unwatched() -> Watch<'static> {
    static NEVER: AtomicBool = AtomicBool::new(false);
    Watch {
        stop: &NEVER,
        say: &|_| {},
        memory: None,
    }
}

//! The threads of a solver, and its progress.

use super::levels::Goal;
use super::store::Halt;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Stack size of a thread: while it waits for a task it may run others, each as deep as a strip is
/// long.
const STACK: usize = 16 << 20;

/// Returns a pool of this many threads.
pub(super) fn pool(threads: usize) -> Result<ThreadPool, Halt> {
    let builder = ThreadPoolBuilder::new()
        .num_threads(threads.max(1))
        .stack_size(STACK);
    builder.build().map_err(|_| Halt::Refused)
}

/// The progress of a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Live {
    pub goal: Goal,
    /// The current level, or stage of the work on winners.
    pub level: usize,
    /// The current sweep of the level, from 1; 0 before the guess.
    pub sweep: usize,
    /// The last finished ball square; 0 before the first.
    pub ball: usize,
}

impl Live {
    /// Names the last complete step.
    pub fn place(&self) -> String {
        match *self {
            Live { sweep: 0, .. } => "the start".to_string(),
            Live {
                level: 0, ball: 0, ..
            } => "the guess of level 0".to_string(),
            Live { level, ball: 0, .. } => self.goal.stage(level - 1),
            Live {
                level, sweep, ball, ..
            } => {
                format!("{}, sweep {sweep}, ball square {ball}", self.goal.stage(level))
            }
        }
    }
}

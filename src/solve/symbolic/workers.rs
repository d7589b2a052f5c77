//! The threads of a solver, and the watch on its progress.

use super::store::Halt;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Interval between polls of the watch.
const WATCH_INTERVAL: Duration = Duration::from_millis(50);
/// Stack size of a thread: while it waits for a task it may run others, each as deep as a strip is
/// long.
const STACK: usize = 16 << 20;

/// Returns a pool of this many threads.
pub(super) fn pool(threads: usize) -> Result<Arc<ThreadPool>, Halt> {
    let builder = ThreadPoolBuilder::new()
        .num_threads(threads.max(1))
        .stack_size(STACK);
    builder.build().map(Arc::new).map_err(|_| Halt::Refused)
}

/// The progress of a solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Live {
    /// The current level.
    pub level: usize,
    /// Sweeps over the zones in all earlier levels.
    pub sweeps_before: usize,
    /// Zones recomputed in this level, in all sweeps.
    pub recomputed: usize,
    /// Number of zones.
    pub zones: usize,
    /// Recomputed zones that changed.
    pub changed: usize,
    /// The last finished ball square; 0 before the first.
    pub ball: usize,
    /// Nodes in memory.
    pub nodes: usize,
    /// Bytes held.
    pub bytes: u64,
}

impl Live {
    /// Returns the current sweep, from 1.
    pub fn sweep(&self) -> usize {
        self.recomputed / self.zones.max(1) + 1
    }

    /// Describes level, sweep and ball square.
    pub fn place(&self) -> String {
        let sweep = format!("level {}, sweep {}", self.level, self.sweep());
        match self.ball {
            0 => sweep,
            ball => format!("{sweep}, ball square {ball}"),
        }
    }
}

/// A solver whose work is watched.
pub(super) struct Watched<'a, S> {
    watch: &'a mut dyn FnMut(&S) -> ControlFlow<()>,
    /// Time of the next poll.
    due: Instant,
    /// Raised when the watch stops the work.
    pub stop: Arc<AtomicBool>,
}

impl<'a, S: Sync> Watched<'a, S> {
    /// Creates a watch; the first poll is due after one interval.
    pub fn new(watch: &'a mut dyn FnMut(&S) -> ControlFlow<()>) -> Watched<'a, S> {
        let (due, stop) = (Instant::now() + WATCH_INTERVAL, Arc::default());
        Watched { watch, due, stop }
    }

    /// Polls the watch if it is due. Returns whether the work must stop.
    pub fn poll(&mut self, solver: &S) -> bool {
        if Instant::now() >= self.due {
            return self.poll_now(solver);
        }
        self.stop.load(Ordering::Relaxed)
    }

    /// Polls the watch. Returns whether the work must stop.
    pub fn poll_now(&mut self, solver: &S) -> bool {
        if (self.watch)(solver).is_break() {
            self.stop.store(true, Ordering::Relaxed);
        }
        self.due = Instant::now() + WATCH_INTERVAL;
        self.stop.load(Ordering::Relaxed)
    }

    /// Runs an operation in a pool while watching.
    pub fn during<T: Send>(
        &mut self,
        pool: &ThreadPool,
        solver: &S,
        work: impl FnOnce(&S) -> Result<T, Halt> + Send,
    ) -> Result<T, Halt> {
        let (sender, results) = channel();
        let mut result = None;
        pool.in_place_scope(|scope| {
            // The receiver gets the result, or a disconnect after a panic, which the scope
            // propagates.
            scope.spawn(move |_| drop(sender.send(work(solver))));
            while result.is_none() {
                match results.recv_timeout(self.due.saturating_duration_since(Instant::now())) {
                    Ok(found) => result = Some(found),
                    Err(RecvTimeoutError::Timeout) => drop(self.poll(solver)),
                    Err(RecvTimeoutError::Disconnected) => break,
                }
            }
        });
        result.expect("the scope propagates panics")
    }
}

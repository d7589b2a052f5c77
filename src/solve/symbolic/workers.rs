//! The threads of a solver: they work while another thread watches.

use super::store::Halt;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How often the work is watched.
const WATCH_INTERVAL: Duration = Duration::from_millis(50);
/// Stack of a thread: while it waits for one piece of work it may do others, each as deep as a strip is long.
const STACK: usize = 16 << 20;

/// A pool of this many threads.
pub(super) fn pool(threads: usize) -> Result<Arc<ThreadPool>, Halt> {
    let builder = ThreadPoolBuilder::new()
        .num_threads(threads.max(1))
        .stack_size(STACK);
    builder.build().map(Arc::new).map_err(|_| Halt::Refused)
}

/// A solver that is watched while it works.
pub(super) struct Watched<'a, S> {
    watch: &'a mut dyn FnMut(&S) -> ControlFlow<()>,
    /// When to look next.
    due: Instant,
    /// Goes up when the watch breaks off.
    pub stop: Arc<AtomicBool>,
}

impl<'a, S: Sync> Watched<'a, S> {
    /// Nothing has been seen yet; the first look is due in a moment.
    pub fn new(watch: &'a mut dyn FnMut(&S) -> ControlFlow<()>) -> Watched<'a, S> {
        let (due, stop) = (Instant::now() + WATCH_INTERVAL, Arc::default());
        Watched { watch, due, stop }
    }

    /// Looks if it is time, and says whether the work must stop.
    pub fn look(&mut self, solver: &S) -> bool {
        if Instant::now() >= self.due {
            return self.look_now(solver);
        }
        self.stop.load(Ordering::Relaxed)
    }

    /// Looks, and says whether the work must stop.
    pub fn look_now(&mut self, solver: &S) -> bool {
        if (self.watch)(solver).is_break() {
            self.stop.store(true, Ordering::Relaxed);
        }
        self.due = Instant::now() + WATCH_INTERVAL;
        self.stop.load(Ordering::Relaxed)
    }

    /// Works in a pool, watched.
    pub fn during<T: Send>(
        &mut self,
        pool: &ThreadPool,
        solver: &S,
        work: impl FnOnce(&S) -> Result<T, Halt> + Send,
    ) -> Result<T, Halt> {
        let (sender, results) = channel();
        let mut result = None;
        pool.in_place_scope(|scope| {
            // The receiver waits for the result, or for a panic, which the scope passes on.
            scope.spawn(move |_| drop(sender.send(work(solver))));
            while result.is_none() {
                match results.recv_timeout(self.due.saturating_duration_since(Instant::now())) {
                    Ok(found) => result = Some(found),
                    Err(RecvTimeoutError::Timeout) => drop(self.look(solver)),
                    Err(RecvTimeoutError::Disconnected) => break,
                }
            }
        });
        result.expect("the scope passes a panic on")
    }
}

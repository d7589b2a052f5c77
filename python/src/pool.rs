//! The thread pool. Threads do not survive a fork, so each process creates its own pool.

use crate::errors::{limit, of_ask};
use phutbase::answer::sources::AskError;
use phutbase::solve::nimbers::NimberLimits;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Interval between checks for Ctrl-C.
const SIGNALS: Duration = Duration::from_millis(100);

/// The pool and the id of the process that created it.
static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// Runs work in this process's pool.
pub fn run<T: Send>(work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let pool = {
        let mut held = POOL.lock().unwrap_or_else(PoisonError::into_inner);
        let process = std::process::id();
        match held.take() {
            Some((maker, pool)) if maker == process => held.insert((process, pool)).1.clone(),
            of_parent => {
                // Dropping it would wait for threads that do not exist in this process.
                std::mem::forget(of_parent);
                let pool = ThreadPoolBuilder::new().build();
                let pool = pool.map_err(|error| limit(format!("cannot start threads: {error}")))?;
                held.insert((process, Arc::new(pool))).1.clone()
            }
        }
    };
    Ok(pool.install(work))
}

/// Runs work in this process's pool without holding the interpreter's lock.
pub fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> PyResult<T> + Send) -> PyResult<T> {
    py.detach(|| run(work))?
}

/// Answers a question while other Python threads run. Signals, such as Ctrl-C, stop the search.
pub fn interruptible<T: Send>(
    py: Python<'_>,
    ask: impl FnOnce(NimberLimits<'_>) -> Result<T, AskError> + Send,
) -> PyResult<T> {
    let stop = AtomicBool::new(false);
    let limits = NimberLimits {
        stop: Some(&stop),
        deadline: None,
    };
    let mut signalled = None;
    let found = thread::scope(|scope| {
        let waiting = thread::current();
        let worker = scope.spawn(move || {
            let found = run(|| ask(limits));
            waiting.unpark();
            found
        });
        while !worker.is_finished() {
            py.detach(|| thread::park_timeout(SIGNALS));
            if let Err(signal) = py.check_signals() {
                stop.store(true, Ordering::Relaxed);
                signalled = Some(signal);
            }
        }
        (worker.join()).unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })?;
    found.map_err(|error| signalled.unwrap_or_else(|| of_ask(error)))
}

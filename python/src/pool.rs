//! The thread pool. Threads do not survive a fork, so each process creates its own pool.

use crate::errors::limit;
use phutbase_base::job::Job;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::fmt::Display;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Interval between checks for Ctrl-C.
const SIGNALS: Duration = Duration::from_millis(50);

/// The pool and the id of the process that created it.
static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// Runs work in this process's pool. The caller must not hold the interpreter's lock: the work before
/// its own may wait for it.
fn run<T: Send>(work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let pool = {
        let mut held = POOL.lock().unwrap_or_else(PoisonError::into_inner);
        let process = std::process::id();
        match held.take() {
            Some((maker, pool)) if maker == process => held.insert((process, pool)).1.clone(),
            of_parent => {
                // Dropping it would wait for threads that do not exist in this process.
                std::mem::forget(of_parent);
                let pool = ThreadPoolBuilder::new().build();
                held.insert((process, Arc::new(pool.map_err(no_thread)?)))
                    .1
                    .clone()
            }
        }
    };
    Ok(pool.install(work))
}

/// Runs work in this process's pool while other Python threads run. A signal, such as Ctrl-C, stops
/// the job; the exception of its handler is raised.
pub fn interruptible<T: Send>(py: Python<'_>, work: impl FnOnce(&Job) -> PyResult<T> + Send) -> PyResult<T> {
    in_thread(py, |job| run(|| work(job))?)
}

/// Runs work in a thread of its own while other Python threads run, and raises the exceptions of
/// signals.
pub fn in_thread<T: Send>(py: Python<'_>, work: impl FnOnce(&Job) -> PyResult<T> + Send) -> PyResult<T> {
    let job = Job::default();
    let mut signalled = None;
    let found = thread::scope(|scope| {
        let (waiting, job) = (thread::current(), &job);
        let worker = thread::Builder::new().spawn_scoped(scope, move || {
            let found = work(job);
            waiting.unpark();
            found
        });
        let worker = worker.map_err(no_thread)?;
        while !worker.is_finished() {
            py.detach(|| thread::park_timeout(SIGNALS));
            if let Err(signal) = py.check_signals() {
                job.stop();
                signalled = Some(signal);
            }
        }
        (worker.join()).unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    signalled.map_or(found, Err)
}

fn no_thread(error: impl Display) -> PyErr {
    limit(format!("cannot start threads: {error}"))
}

//! The threads of the program.

use super::output::CommandError;
#[cfg(unix)]
use signal_hook::{consts::SIGABRT, flag};
#[cfg(unix)]
use std::sync::Arc;
use std::thread::available_parallelism;

/// Starts the worker threads: as many as asked for, at most one per core.
pub fn start(asked: Option<u16>) -> Result<(), CommandError> {
    let cores = available_parallelism().map_or(1, usize::from);
    let variable = || std::env::var("RAYON_NUM_THREADS").ok()?.parse().ok();
    let asked = asked
        .map(usize::from)
        .or_else(variable)
        .filter(|&threads| threads > 0);
    let threads = asked.unwrap_or(cores).min(cores);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build_global().map_err(|error| refused(&error))
}

pub fn refused(error: &dyn std::error::Error) -> CommandError {
    CommandError::System(format!("cannot start a thread: {error}"))
}

/// Exits with code 3 on an abort: when an allocation fails, the runtime prints its size and aborts.
#[cfg(unix)]
pub fn exit_on_abort() {
    // Ignore errors: without the handler an abort ends the program by a signal.
    flag::register_conditional_shutdown(SIGABRT, 3, Arc::new(true.into())).ok();
}

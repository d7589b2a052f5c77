//! The programs at a terminal: options, output, progress and signals.
//!
//! * [`common`], [`options`] — options of several verbs, validated when they are parsed;
//! * [`output`] — results, errors and exit codes;
//! * [`out_file`] — `--out FILE`; [`tables`] — tables that are made and verified;
//! * [`monitor`] — progress, interruptions and the last sentence of a run;
//! * [`threads`], `signals` — threads, and signals that the parent ignored.

pub mod common;
pub mod monitor;
pub mod options;
pub mod out_file;
pub mod output;
#[cfg(unix)]
mod signals;
pub mod tables;
pub mod threads;

pub use common::{GlobalOptions, refusal};
pub use options::{ByRules, Resources, in_range, memory_size, time, word};
pub use out_file::{OutFile, write_file};
pub use output::{CommandError, cannot_read, expect_none, is_verbose, json_line, log_line, no_tables, print};
pub use output::{print_result, shown, silence, stdout, stdout_is_lost};
use std::process::ExitCode;
pub use tables::{TableCheck, lock, print_counts, print_made, print_made_pitch, verify_pitch, wrong};

/// Runs a program and returns its exit code. A signal that ends the program calls `at_end` first.
pub fn main(at_end: fn(), run: impl FnOnce() -> Result<(), CommandError>) -> ExitCode {
    phutbase_machine::allocator::catch_refused_signal_stacks();
    #[cfg(not(unix))]
    monitor::handle_signals(at_end);
    #[cfg(unix)]
    signals::keep_ignored(|| {
        monitor::handle_signals(at_end);
        threads::exit_on_abort();
    });
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => error.report_at_end(),
    }
}

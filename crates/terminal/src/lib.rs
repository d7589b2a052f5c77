//! The programs at a terminal: options, output, progress and signals.
//!
//! * [`common`], [`options`] — options of several verbs, validated when they are parsed;
//! * [`output`] — results, errors and exit codes; [`way_out`] — advice in errors of tables;
//! * [`out_file`] — `--out FILE`;
//! * [`monitor`] — progress, interruptions and the last sentence of a run;
//! * [`threads`], `signals` — threads, and signals that the parent ignored.

pub mod common;
pub mod monitor;
pub mod options;
pub mod out_file;
pub mod output;
#[cfg(unix)]
pub mod signals;
pub mod threads;
pub mod way_out;

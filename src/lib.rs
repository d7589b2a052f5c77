//! phutbase: exact values for Phutball in one and two dimensions, Oddish Phutball and Obstruction,
//! by exhaustive, checkable computation.
//!
//! The modules, in reading order:
//!
//! * [`outcome`] — shared types: side, value, depth; [`nimber`] — values of impartial games;
//!   [`bits`] — patterns without the bit of the ball; [`job`] — a long run: progress, stop, deadline.
//! * [`game`] — the interface between games and solvers.
//! * [`games`] — the rules: the strip, Oddish Phutball, the pitch, Obstruction; and the notation of
//!   boards and positions shared by commands, routes and engines.
//! * [`diagram`] — sets of boards as decision diagrams.
//! * [`table`] — values on disk; [`disk`] — atomic files.
//! * [`queries`] — questions about many positions of a table; [`random`] — random numbers.
//! * [`decide`] — strips of any length, by theorems, tables and a search.
//! * [`answer`] — answers as JSON, for `--json`, the server and the Python package.
//! * [`solve`] — the engines; without further features only [`solve::nimbers`], for Obstruction.
//!
//! A program that reads tables needs no feature. The feature `answers` adds [`answer`], [`decide`],
//! [`random`] and more queries, and `wins` the turns of a pitch that win at once. The feature `cli`
//! adds the modules that make, check and show tables:
//!
//! * the rest of [`solve`]: the slow reference, the bit-parallel dense engine, the symbolic engine
//!   for long strips, pitches, threats.
//! * `memory` — the allocator, and the error of a program that runs out of memory.
//! * `generate` — making tables; `verify` — deriving every stored value from its successors.
//! * `cluster` — pitches in several processes (with MPI: feature `mpi`).
//! * `theory` — claims of the papers, and the exact potential, compared with exact values.
//! * `export` — all values of a length or a pitch in formats of other programs.
//! * `report` — the atlas: claims, curves and counts.
//! * `engine` — playing, with and without tables, and testing other programs that play.
//! * `server` — the HTTP API and the web page (feature `serve`).
//! * `commands` — the command line, one file per command.

// Allowed where files or memory are mapped, for the allocator, for functions compiled for vector
// instructions that not every processor has, for a prefetch, and for calls of the system.
#![deny(unsafe_code)]
// The reader's common types document everything; other modules what names and types do not say.
#![cfg_attr(not(feature = "answers"), deny(missing_docs))]

#[cfg(feature = "answers")]
pub mod answer;
pub mod bits;
#[cfg(feature = "cli")]
pub mod cluster;
#[cfg(feature = "cli")]
pub mod commands;
pub mod count;
#[cfg(feature = "answers")]
pub mod decide;
pub mod diagram;
pub mod disk;
#[cfg(feature = "cli")]
pub mod engine;
#[cfg(feature = "cli")]
pub mod export;
pub mod game;
pub mod games;
#[cfg(feature = "cli")]
pub mod generate;
pub mod job;
#[cfg(feature = "cli")]
pub mod memory;
pub mod nimber;
pub mod outcome;
pub mod queries;
#[cfg(feature = "answers")]
pub mod random;
#[cfg(feature = "cli")]
pub mod report;
#[cfg(feature = "serve")]
pub mod server;
pub mod solve;
pub mod table;
#[cfg(feature = "cli")]
pub mod theory;
#[cfg(feature = "cli")]
pub mod verify;

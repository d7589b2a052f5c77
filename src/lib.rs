//! phutbase: exact values for Phutball in one and two dimensions, Oddish Phutball and Obstruction, by exhaustive, checkable
//! computation.
//!
//! The rooms, in reading order:
//!
//! * [`outcome`] — the words that every room shares: side, value, depth; [`nimber`] — values of impartial games; [`bits`] — patterns
//!   without the bit of the ball.
//! * [`game`] — what a solver needs to know about a game.
//! * [`games`] — the rules: the strip, Oddish Phutball, the pitch, Obstruction; and the grammar of boards and positions that verbs,
//!   routes and engines share.
//! * [`diagram`] — sets of boards as decision diagrams, to be read.
//! * [`table`] — values on disk; [`disk`] — files that are whole or not there.
//! * [`solve`] — of the engines the one that has no tables to ask: [`solve::nimbers`], Obstruction.
//!
//! These are all that a program needs which asks tables. What makes, checks and shows them is behind the feature `cli`:
//!
//! * the rest of [`solve`] — from rules to values: the slow reference, the bit-parallel dense engine, the symbolic engine for lengths past any
//!   array, pitches, threats, nimbers.
//! * `generate` — from boards to their tables; `verify` — every stored value again from its successors.
//! * `theory` — what the papers claim, and the exact potential, held against exact values.
//! * `export` — every value of a length or of a pitch in files that other programs read.
//! * `report` — the atlas: claims, curves and counts for people.
//! * `answer` — answers as JSON, for `--json` and for the server.
//! * `engine` — playing, by the tables and beyond them, and checking other programs that play.
//! * `server` — the HTTP API and the page in the browser (feature `serve`).
//! * `commands` — the program, a file for each verb.

#![deny(missing_docs)]

#[cfg(feature = "cli")]
pub mod answer;
pub mod bits;
#[cfg(feature = "cli")]
pub mod commands;
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
pub mod nimber;
pub mod outcome;
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

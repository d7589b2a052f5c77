//! phutbase: exact values for one-dimensional Phutball, by exhaustive, checkable computation.
//!
//! The modules, in reading order:
//!
//! * [`outcome`] — the words that every module shares: side, value, depth.
//! * [`nimber`] — values of impartial games.
//! * [`bits`] — patterns without the bit of the ball.
//! * [`game`] — what a solver needs to know about a game.
//! * [`games`] — the rules: the strip, Oddish Phutball, the pitch, Obstruction.
//! * [`diagram`] — sets of boards as decision diagrams, to be read.
//! * [`solve`] — from rules to values: the slow reference, the bit-parallel dense engine, the symbolic engine
//!   for lengths past any array.
//! * [`table`] — values on disk; [`generate`] makes them, [`verify`] checks them.
//! * [`theory`] — what the papers claim, and the exact potential, held against exact values.
//! * [`report`] — the atlas: claims, curves and counts for people.
//! * [`answer`] — answers as JSON, for `--json` and for the server.
//! * `server` — the HTTP API and the page in the browser (feature `serve`).
//! * [`engine`] — playing, by the tables and beyond them, and checking other programs that play.

#![deny(missing_docs)]

pub mod answer;
pub mod bits;
pub mod certificate;
pub mod diagram;
pub mod disk;
pub mod engine;
pub mod game;
pub mod games;
pub mod generate;
pub mod nimber;
pub mod outcome;
pub mod report;
#[cfg(feature = "serve")]
pub mod server;
pub mod solve;
pub mod table;
pub mod theory;
pub mod verify;

//! phutbase: exact values for one-dimensional Phutball, by exhaustive, checkable computation.
//!
//! The modules, in reading order:
//!
//! * [`outcome`] — the words that every module shares: side, value, depth.
//! * [`nimber`] — values of impartial games.
//! * [`game`] — what a solver needs to know about a game.
//! * [`games`] — the rules: the strip, the pitch.
//! * [`solve`] — from rules to values: the slow reference, the bit-parallel dense engine, the symbolic engine
//!   for lengths past any array.
//! * [`certificate`] — strategies on a pitch written down, so that anybody can check them.

#![deny(missing_docs)]

pub mod certificate;
pub mod disk;
pub mod game;
pub mod games;
pub mod generate;
pub mod nimber;
pub mod outcome;
pub mod solve;
pub mod table;
pub mod theory;
pub mod verify;

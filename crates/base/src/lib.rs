//! The common ground of phutbase: sides, values and depths, long runs, and files.
//!
//! * [`outcome`] — side, value, depth; [`nimber`] — values of impartial games;
//! * [`game`] — the interface between games and solvers;
//! * [`job`] — a long run: progress, stop, deadline; [`mod@fault`] — errors that end a program;
//! * [`disk`] — files replaced as a whole; [`random`] — random numbers;
//! * [`bits`] — patterns without the bit of the ball;
//! * [`count`], [`digits`] — numbers in JSON and in sentences; [`object`](object!) — objects in JSON.

#![deny(missing_docs)]

pub mod bits;
pub mod count;
pub mod digits;
pub mod disk;
pub mod fault;
pub mod game;
pub mod job;
pub mod nimber;
mod object;
pub mod outcome;
pub mod random;

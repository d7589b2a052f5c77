//! All tests in one program. `games` tests the rules, `solve` the engines, `decide` the questions about
//! boards of any length, `cli` the program; other modules have the name of their crate or module.

mod answer;
mod bits;
mod cli;
mod cluster;
mod common;
mod decide;
mod diagram;
mod engine;
mod games;
mod generate;
mod modules;
mod nimber;
mod outcome;
mod prelude;
mod random;
mod report;
#[cfg(feature = "serve")]
mod server;
mod solve;
mod table;
mod theory;
mod verify;

//! All tests, one program: a room here tests the room of the same name in `src`.

mod answer;
mod bits;
mod cli;
mod common;
mod diagram;
mod engine;
mod games;
mod generate;
mod nimber;
mod outcome;
mod report;
#[cfg(feature = "serve")]
mod server;
mod solve;
mod table;
mod theory;
mod verify;

//! All tests in one program. A module here tests the module of the same name in `src`.

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
mod report;
#[cfg(feature = "serve")]
mod server;
mod solve;
mod table;
mod theory;
mod verify;

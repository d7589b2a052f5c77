//! Tests that run the program: `cli` by verb, `theory` its claims, and the files that it writes. Tests of
//! the library are with its crates, as `crates/rules/tests`, those of the server in `tests/serve`.

mod cli;
#[path = "../common/mod.rs"]
mod common;
mod failures;
mod lock;
mod modules;
mod theory;
mod versions;

use common::prelude;

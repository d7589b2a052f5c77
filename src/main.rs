//! The `phutbase` program.

use phutbase_machine::allocator::{Allocator, catch_refused_signal_stacks};
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

fn main() -> ExitCode {
    catch_refused_signal_stacks();
    phutbase::commands::main()
}

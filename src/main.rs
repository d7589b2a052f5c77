//! The `phutbase` program.

use phutbase_machine::allocator::Allocator;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

fn main() -> ExitCode {
    phutbase::commands::main()
}

//! The `phutbase` program: reads the command line and hands it to `commands/`.

mod commands;

use std::process::ExitCode;

fn main() -> ExitCode {
    commands::main()
}

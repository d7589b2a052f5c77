//! The `phutbase` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    phutbase::commands::main()
}

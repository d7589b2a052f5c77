//! What is wrong with a table, with a command that really mends it.
//!
//! The errors of [`table`](crate::table) know no engine, so past the dense engine's reach they would name a command that refuses the
//! length.

use crate::solve::dense::MAX_DENSE_LENGTH;
use crate::table::error::TableError;
use std::path::Path;

/// The error's text, with the command for the engine that reaches the length.
pub fn advice(error: &TableError) -> String {
    match error {
        TableError::Missing { length, directory } if *length > MAX_DENSE_LENGTH => format!(
            "no table for length {length} in '{}'; make it with: {}",
            directory.display(),
            far_command(*length, "wdl", directory)
        ),
        TableError::NoDepths { length, directory } if *length > MAX_DENSE_LENGTH => format!(
            "only a wdl table for length {length} in '{}', which has no depths; they can be made, with much time and memory, with: {}",
            directory.display(),
            far_command(*length, "dtw", directory)
        ),
        error => error.to_string(),
    }
}

/// The command that makes a table past the dense engine's reach.
fn far_command(length: usize, metric: &str, directory: &Path) -> String {
    let tables = match directory == Path::new("tables") {
        true => String::new(),
        false => format!(
            " --tables '{}'",
            directory.display().to_string().replace('\'', r"'\''")
        ),
    };
    format!("phutbase generate --engine symbolic --metric {metric} --length {length}{tables}")
}

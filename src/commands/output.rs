//! What commands print, and how they fail.

use num_bigint::BigUint;
use phutbase::generate::GenerateError;
pub use phutbase::report::text::grouped;
use phutbase::solve::dense::MAX_DENSE_LENGTH;
use phutbase::solve::symbolic::SymbolicError;
use phutbase::table::error::TableError;
use serde::{Serialize, Serializer};
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// Why a command stops.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The user asked for something that makes no sense: exit code 2.
    #[error("{0}")]
    Usage(String),
    /// A check failed or the work could not be done: exit code 1.
    #[error("{0}")]
    Failure(String),
    /// Nobody reads the output any more: not an error.
    #[error("output closed")]
    OutputClosed,
}

impl CommandError {
    /// Prints one line on stderr and returns the exit code.
    pub fn report(&self) -> ExitCode {
        let code = match self {
            CommandError::OutputClosed => return ExitCode::SUCCESS,
            CommandError::Usage(_) => 2,
            CommandError::Failure(_) => 1,
        };
        // If stderr is gone too, the exit code has to do.
        let _ = writeln!(io::stderr(), "phutbase: {}", on_one_line(&self.to_string()));
        ExitCode::from(code)
    }
}

/// A message with its control characters escaped: what it quotes may hold line ends.
fn on_one_line(message: &str) -> String {
    let mut line = String::new();
    for symbol in message.chars() {
        if symbol.is_control() {
            line.extend(symbol.escape_default());
        } else {
            line.push(symbol);
        }
    }
    line
}

impl From<TableError> for CommandError {
    fn from(error: TableError) -> CommandError {
        // The errors themselves would name a command that refuses the length.
        CommandError::Failure(match error {
            TableError::Missing { length, directory } if length > MAX_DENSE_LENGTH => format!(
                "no table for length {length} in '{}'; make it with: {}",
                directory.display(),
                far_command(length, "wdl", &directory)
            ),
            TableError::NoDepths { length, directory } if length > MAX_DENSE_LENGTH => format!(
                "only a wdl table for length {length} in '{}', which has no depths; they can be made, with much time and memory, with: {}",
                directory.display(),
                far_command(length, "dtw", &directory)
            ),
            error => error.to_string(),
        })
    }
}

/// The command that makes a table past the dense engine's reach.
fn far_command(length: usize, metric: &str, directory: &Path) -> String {
    let tables = match directory == Path::new("tables") {
        true => String::new(),
        false => format!(" --tables '{}'", directory.display()),
    };
    format!("phutbase generate --engine symbolic --metric {metric} --length {length}{tables}")
}

impl From<GenerateError> for CommandError {
    fn from(error: GenerateError) -> CommandError {
        match error {
            GenerateError::Request(_) => CommandError::Usage(error.to_string()),
            error => CommandError::Failure(error.to_string()),
        }
    }
}

impl From<SymbolicError> for CommandError {
    fn from(error: SymbolicError) -> CommandError {
        CommandError::Failure(error.to_string())
    }
}

impl From<io::Error> for CommandError {
    fn from(error: io::Error) -> CommandError {
        match error.kind() {
            io::ErrorKind::BrokenPipe => CommandError::OutputClosed,
            _ => CommandError::Failure(format!("cannot write the output: {error}")),
        }
    }
}

/// Lets a command go on whose work is worth doing when nobody reads what it prints any more.
pub fn unless_closed(printed: Result<(), CommandError>) -> Result<(), CommandError> {
    match printed {
        Err(CommandError::OutputClosed) => Ok(()),
        printed => printed,
    }
}

/// The failure of a command that needs tables in a directory that has none.
pub fn no_tables(directory: &Path) -> CommandError {
    let option = match directory == Path::new("tables") {
        true => String::new(),
        false => format!(" --tables '{}'", directory.display()),
    };
    let directory = directory.display();
    CommandError::Failure(format!(
        "no tables in '{directory}'; make some with: phutbase generate{option}"
    ))
}

/// Standard output, buffered by line only where a person or a pipe wants each line at once.
pub fn stdout() -> io::BufWriter<io::StdoutLock<'static>> {
    io::BufWriter::new(io::stdout().lock())
}

/// Writes one JSON object on a line of its own.
pub fn json_line(out: &mut impl Write, object: &impl Serialize) -> Result<(), CommandError> {
    let line = serde_json::to_string(object)
        .map_err(|error| CommandError::Failure(format!("cannot write JSON: {error}")))?;
    writeln!(out, "{line}")?;
    Ok(())
}

/// A count in JSON: a number as far as every reader keeps it exact (2^53), a string beyond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count(pub u128);

impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const EXACT: u128 = 1 << 53;
        match u64::try_from(self.0) {
            Ok(number) if self.0 <= EXACT => serializer.serialize_u64(number),
            _ => serializer.serialize_str(&self.0.to_string()),
        }
    }
}

/// A [`Count`] without an upper limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BigCount(pub BigUint);

impl Serialize for BigCount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match u128::try_from(&self.0) {
            Ok(small) => Count(small).serialize(serializer),
            Err(_) => serializer.serialize_str(&self.0.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_past_2_to_the_53_are_strings() {
        assert_eq!(
            serde_json::to_string(&Count(1 << 53)).unwrap(),
            "9007199254740992"
        );
        assert_eq!(
            serde_json::to_string(&Count((1 << 53) + 1)).unwrap(),
            "\"9007199254740993\""
        );
    }

    #[test]
    fn big_counts_are_written_like_counts() {
        let json = |count: BigUint| serde_json::to_string(&BigCount(count)).unwrap();
        assert_eq!(json(BigUint::from(1u64 << 53)), "9007199254740992");
        assert_eq!(json(BigUint::from(1u8) << 64), "\"18446744073709551616\"");
        let past_128_bits = json(BigUint::from(1u8) << 130);
        assert_eq!(past_128_bits, "\"1361129467683753853853498429727072845824\"");
    }
}

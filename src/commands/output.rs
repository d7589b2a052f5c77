//! What commands print, and how they fail.

pub use super::way_out::{option, with_way_out};
pub use crate::answer::count::{BigCount, Count};
use crate::answer::sources::AskError;
use crate::diagram::graph::TooLarge;
use crate::disk::write_whole;
use crate::generate::GenerateError;
use crate::generate::plan::PlanError;
use crate::generate::witness::WitnessError;
use crate::report::ReportError;
pub use crate::report::text::grouped;
use crate::solve::ranks::{Elsewhere, InCommon};
use crate::solve::symbolic::SymbolicError;
use crate::table::error::TableError;
use crate::table::places::Places;
use crate::theory::watch::TheoryError;
use serde::Serialize;
use std::fmt::Display;
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
    /// A failure in the words of an error.
    pub fn failure(error: impl Display) -> CommandError {
        CommandError::Failure(error.to_string())
    }

    /// Bad usage in the words of an error.
    pub fn usage(error: impl Display) -> CommandError {
        CommandError::Usage(error.to_string())
    }

    /// Prints one line on stderr and returns the exit code.
    pub fn report(&self) -> ExitCode {
        if !matches!(self, CommandError::OutputClosed) {
            // If stderr is gone too, the exit code has to do.
            let _ = writeln!(io::stderr(), "phutbase: {}", on_one_line(&self.to_string()));
        }
        self.exit_code()
    }

    /// The exit code.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            CommandError::OutputClosed => ExitCode::SUCCESS,
            CommandError::Usage(_) => ExitCode::from(2),
            CommandError::Failure(_) => ExitCode::FAILURE,
        }
    }
}

/// A message with its control characters escaped: what it quotes may hold line ends.
fn on_one_line(message: &str) -> String {
    let escaped = |symbol: char| match symbol.is_control() {
        true => symbol.escape_default().to_string(),
        false => symbol.to_string(),
    };
    message.chars().map(escaped).collect()
}

/// Errors that are failures in their own words.
macro_rules! failures {
    ($($error:ty),*) => {
        $(impl From<$error> for CommandError {
            fn from(error: $error) -> CommandError {
                CommandError::failure(error)
            }
        })*
    };
}

failures!(SymbolicError, TheoryError, TooLarge, Elsewhere);
#[cfg(feature = "serve")]
failures!(crate::server::app::StartError);

impl From<TableError> for CommandError {
    fn from(error: TableError) -> CommandError {
        CommandError::Failure(with_way_out(&error))
    }
}

impl From<InCommon<TableError>> for CommandError {
    fn from(error: InCommon<TableError>) -> CommandError {
        match error {
            InCommon::Here(error) => error.into(),
            InCommon::Elsewhere(elsewhere) => elsewhere.into(),
        }
    }
}

impl From<AskError> for CommandError {
    fn from(error: AskError) -> CommandError {
        match error {
            AskError::Table(error) => error.into(),
            error => CommandError::failure(error),
        }
    }
}

impl From<ReportError> for CommandError {
    fn from(error: ReportError) -> CommandError {
        match error {
            ReportError::Table(error) => error.into(),
            error => CommandError::failure(error),
        }
    }
}

impl From<WitnessError> for CommandError {
    fn from(error: WitnessError) -> CommandError {
        match error {
            WitnessError::Table(error) => error.into(),
            error => CommandError::failure(error),
        }
    }
}

impl From<GenerateError> for CommandError {
    fn from(error: GenerateError) -> CommandError {
        match error {
            GenerateError::Plan(PlanError::Pitch(_)) => CommandError::usage(error),
            GenerateError::Table(error) => error.into(),
            error => CommandError::failure(error),
        }
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

/// The failure of a command that needs tables in places that have none.
pub fn no_tables(places: &Places) -> CommandError {
    let option = option(places);
    CommandError::Failure(format!(
        "no tables in {places}; make some with: phutbase generate 24{option}"
    ))
}

/// Writes a line to stderr. Without stderr there is nobody to tell.
pub fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Standard output for an answer: when nobody reads on, the command ends.
pub fn stdout() -> io::BufWriter<io::StdoutLock<'static>> {
    io::BufWriter::new(io::stdout().lock())
}

/// Standard output of a command whose work, or whose verdict in the exit code, matters even if nobody reads what it prints.
pub fn unheeded() -> io::BufWriter<Unheeded<io::StdoutLock<'static>>> {
    io::BufWriter::new(Unheeded(io::stdout().lock()))
}

/// Takes what nobody reads any more, and drops it.
pub struct Unheeded<W>(W);

impl<W: Write> Write for Unheeded<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(bytes.len()),
            written => written,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.0.flush() {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            flushed => flushed,
        }
    }
}

/// Writes a file that a command was asked for.
pub fn write_file(file: &Path, bytes: &[u8]) -> Result<(), CommandError> {
    write_whole(file, bytes).map_err(|error| {
        let file = file.display();
        CommandError::Failure(format!(
            "cannot write '{file}': cannot {}: {}",
            error.doing, error.source
        ))
    })
}

/// Writes one JSON object on a line of its own.
pub fn json_line(out: &mut impl Write, object: &impl Serialize) -> Result<(), CommandError> {
    let line = serde_json::to_string(object)
        .map_err(|error| CommandError::Failure(format!("cannot write JSON: {error}")))?;
    writeln!(out, "{line}")?;
    Ok(())
}

/// Says what was found: as a JSON object on a line of its own, or in words.
pub fn tell<W: Write>(
    mut out: W,
    json: bool,
    found: &impl Serialize,
    words: impl FnOnce(&mut W) -> io::Result<()>,
) -> Result<(), CommandError> {
    match json {
        true => json_line(&mut out, found)?,
        false => words(&mut out)?,
    }
    Ok(out.flush()?)
}

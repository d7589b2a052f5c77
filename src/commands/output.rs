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

/// Why a command stops; each kind has its exit code.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The arguments make no sense: 2.
    #[error("{0}")]
    Usage(String),
    /// A check failed or nothing was found: 1.
    #[error("{0}")]
    Failure(String),
    /// The system refused, memory is short or a file is damaged: 3.
    #[error("{0}")]
    System(String),
    /// A signal stopped the work: 130.
    #[error("{0}")]
    Interrupted(String),
    /// The reader of the output closed it: 0.
    #[error("output closed")]
    OutputClosed,
}

impl CommandError {
    /// A failed check in the words of an error.
    pub fn failure(error: impl Display) -> CommandError {
        CommandError::Failure(error.to_string())
    }

    /// Bad usage in the words of an error.
    pub fn usage(error: impl Display) -> CommandError {
        CommandError::Usage(error.to_string())
    }

    /// A failure of the system in the words of an error.
    pub fn system(error: impl Display) -> CommandError {
        CommandError::System(error.to_string())
    }

    /// An interruption in the words of an error.
    pub fn interrupted(error: impl Display) -> CommandError {
        CommandError::Interrupted(error.to_string())
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
            CommandError::System(_) => ExitCode::from(3),
            CommandError::Interrupted(_) => ExitCode::from(130),
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

impl From<TooLarge> for CommandError {
    fn from(error: TooLarge) -> CommandError {
        CommandError::system(error)
    }
}

impl From<Elsewhere> for CommandError {
    fn from(error: Elsewhere) -> CommandError {
        CommandError::system(error)
    }
}

impl From<SymbolicError> for CommandError {
    fn from(error: SymbolicError) -> CommandError {
        match error {
            SymbolicError::Length(_) => CommandError::usage(error),
            SymbolicError::MemoryLimit { .. } | SymbolicError::Refused { .. } => CommandError::system(error),
        }
    }
}

impl From<PlanError> for CommandError {
    fn from(error: PlanError) -> CommandError {
        match error {
            PlanError::OutOfRange(_) => CommandError::usage(error),
            PlanError::DoesNotFit(_) => CommandError::system(error),
        }
    }
}

impl From<TheoryError> for CommandError {
    fn from(error: TheoryError) -> CommandError {
        match error {
            TheoryError::Symbolic(error) => error.into(),
            TheoryError::Squares { .. } => CommandError::usage(error),
            TheoryError::Diagram(_) => CommandError::system(error),
            TheoryError::Interrupted(_) => CommandError::interrupted(error),
        }
    }
}

#[cfg(feature = "serve")]
impl From<crate::server::app::StartError> for CommandError {
    fn from(error: crate::server::app::StartError) -> CommandError {
        CommandError::system(error)
    }
}

impl From<TableError> for CommandError {
    fn from(error: TableError) -> CommandError {
        let message = with_way_out(&error);
        match error {
            TableError::Missing { .. } => CommandError::Failure(message),
            _ => CommandError::System(message),
        }
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
            AskError::Stopped(_) | AskError::Misere(_) => CommandError::system(error),
        }
    }
}

impl From<ReportError> for CommandError {
    fn from(error: ReportError) -> CommandError {
        match error {
            ReportError::Table(error) => error.into(),
            ReportError::Theory(error) => error.into(),
            ReportError::Pitch(error) => error.into(),
            ReportError::Wrong(_) | ReportError::Nimber(_) => CommandError::failure(error),
        }
    }
}

impl From<WitnessError> for CommandError {
    fn from(error: WitnessError) -> CommandError {
        match error {
            WitnessError::Table(error) => error.into(),
            WitnessError::Plan(error) => error.into(),
            WitnessError::Interrupted(_) => CommandError::interrupted(error),
            WitnessError::Dense(_) | WitnessError::TooLarge(_) => CommandError::system(error),
        }
    }
}

impl From<GenerateError> for CommandError {
    fn from(error: GenerateError) -> CommandError {
        match error {
            GenerateError::Plan(error) => error.into(),
            GenerateError::Table(error) => error.into(),
            GenerateError::Symbolic(error) => error.into(),
            GenerateError::Interrupted { .. } => CommandError::interrupted(error),
            GenerateError::Pitch(_) | GenerateError::Elsewhere(_) => CommandError::system(error),
        }
    }
}

impl From<io::Error> for CommandError {
    fn from(error: io::Error) -> CommandError {
        match error.kind() {
            io::ErrorKind::BrokenPipe => CommandError::OutputClosed,
            _ => CommandError::System(format!("cannot write the output: {error}")),
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

/// Writes a line to stderr; ignores write errors, as stderr may be closed.
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
        CommandError::System(format!(
            "cannot write '{file}': cannot {}: {}",
            error.doing, error.source
        ))
    })
}

/// Writes one JSON object on a line of its own.
pub fn json_line(out: &mut impl Write, object: &impl Serialize) -> Result<(), CommandError> {
    let line = serde_json::to_string(object)
        .map_err(|error| CommandError::System(format!("cannot write JSON: {error}")))?;
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

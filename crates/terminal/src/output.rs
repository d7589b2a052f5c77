//! Output of commands, and their errors.

use super::monitor;
use phutbase_base::fault::{Fault, Kind};
use phutbase_base::outcome::ParseError;
use phutbase_rules::boards::Boards;
use phutbase_tables::advice::options;
use phutbase_tables::{TableId, Tablebase};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};

/// The reason why a command stops; each kind has its exit code.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// Invalid arguments: 2.
    #[error("{0}")]
    Usage(String),
    /// A check failed or nothing was found: 1.
    #[error("{0}")]
    Failure(String),
    /// A sequential test has no result: 4.
    #[error("{0}")]
    Undecided(String),
    /// Refused by the system, short of memory or damaged file: 3.
    #[error("{0}")]
    System(String),
    /// A signal stopped the work: 130.
    #[error("{0}")]
    Interrupted(String),
    /// The reader closed the output: 0.
    #[error("output closed")]
    OutputClosed,
    /// Errors that were printed where they were found, with the exit code.
    #[error("checks failed")]
    Reported(u8),
}

impl CommandError {
    fn of(error: &dyn Fault) -> CommandError {
        match error.kind() {
            Kind::Usage => CommandError::Usage(error.message()),
            Kind::Failure => CommandError::Failure(error.message()),
            Kind::System => CommandError::System(error.message()),
            Kind::Interrupted => monitor::interrupted(),
            Kind::OutputClosed => CommandError::OutputClosed,
            Kind::Of(inner) => CommandError::of(inner),
        }
    }

    pub fn failure(error: impl Display) -> CommandError {
        CommandError::Failure(error.to_string())
    }

    pub fn usage(error: impl Display) -> CommandError {
        CommandError::Usage(error.to_string())
    }

    /// Creates the usage error of a malformed position, quoting its first 200 characters.
    pub fn bad_position(text: &str, error: &ParseError) -> CommandError {
        let shown: String = text.chars().take(200).flat_map(char::escape_debug).collect();
        let instead = match text.parse::<Boards>() {
            Ok(Boards::Oddish(_)) | Err(_) => String::new(),
            Ok(boards) => format!("; for all positions of {boards}: phutbase stats {boards}"),
        };
        CommandError::Usage(format!("position '{shown}': {error}{instead}"))
    }

    pub fn system(error: impl Display) -> CommandError {
        CommandError::System(error.to_string())
    }

    pub fn interrupted(error: impl Display) -> CommandError {
        CommandError::Interrupted(error.to_string())
    }

    /// Writes the last line of the program. A thread that comes second waits until the program ends.
    pub fn report_at_end(&self) -> ExitCode {
        std::mem::forget(STDERR.lock());
        self.report()
    }

    pub fn report(&self) -> ExitCode {
        if !is_silent() && !matches!(self, CommandError::OutputClosed | CommandError::Reported(_)) {
            // If stderr is closed too, only the exit code remains.
            let _ = writeln!(io::stderr(), "phutbase: {}", on_one_line(&self.to_string()));
        }
        self.exit_code()
    }

    pub fn exit_code(&self) -> ExitCode {
        match self {
            CommandError::OutputClosed => ExitCode::SUCCESS,
            CommandError::Usage(_) => ExitCode::from(2),
            CommandError::Failure(_) => ExitCode::FAILURE,
            CommandError::System(_) => ExitCode::from(3),
            CommandError::Undecided(_) => ExitCode::from(4),
            CommandError::Interrupted(_) => ExitCode::from(130),
            CommandError::Reported(code) => ExitCode::from(*code),
        }
    }
}

/// Escapes control characters, in text of another program and in names of files.
pub fn shown(text: &str) -> String {
    let escaped = |symbol: char| {
        if symbol.is_control() {
            symbol.escape_default().to_string()
        } else {
            symbol.to_string()
        }
    };
    text.chars().map(escaped).collect()
}

/// Maximum length of a word in a message, in characters. Arguments may be much longer.
const MAX_WORD: usize = 200;

/// Shortens long words, and escapes control characters: quoted text may contain line ends.
fn on_one_line(message: &str) -> String {
    let words = message
        .split_inclusive(' ')
        .map(|word| match word.char_indices().nth(MAX_WORD) {
            None => Cow::Borrowed(word),
            Some((end, _)) => {
                let last = word
                    .char_indices()
                    .rev()
                    .nth(MAX_WORD / 10)
                    .map_or(0, |(place, _)| place);
                Cow::Owned(format!("{}…{}", &word[..end], &word[last.max(end)..]))
            }
        });
    shown(&words.collect::<String>())
}

impl<E: Fault> From<E> for CommandError {
    fn from(error: E) -> CommandError {
        CommandError::of(&error)
    }
}

pub fn cannot_read(file: &Path, error: &io::Error) -> CommandError {
    CommandError::System(format!("{}: cannot read it: {error}", file.display()))
}

/// The error that there are no tables of Phutball under some rules.
pub fn no_tables(tables: &Tablebase) -> CommandError {
    let (places, rules) = (tables.places(), tables.rules());
    let found = places.tables(&|_| {}).unwrap_or_default();
    let of = |id: &TableId| match id {
        TableId::Nimbers => "of Obstruction (name its boards: obstruction:8x8)".to_string(),
        id => format!("under --rules {}", id.rules()),
    };
    let others: BTreeSet<String> = found.iter().map(|found| of(&found.id)).collect();
    let others = match &Vec::from_iter(others)[..] {
        [] => String::new(),
        others => format!(", only tables {}", others.join(" and ")),
    };
    let (remark, option) = (rules.remark(), options(rules, places));
    CommandError::Failure(format!(
        "no tables of strips or pitches{remark} in {places}{others}; make some with: phutbase generate 24{option}"
    ))
}

/// The options `--quiet` and `--verbose`; set once the command line is parsed.
static LEVEL: OnceLock<(bool, bool)> = OnceLock::new();

/// Sets the verbosity; the first call counts.
pub fn set_level(quiet: bool, verbose: bool) {
    let _ = LEVEL.set((quiet, verbose));
}

/// True in all but one of the processes that share some work.
static SILENT: AtomicBool = AtomicBool::new(false);

/// Ends all output of this process: another one reports the same results, errors and progress.
pub fn silence() {
    SILENT.store(true, Ordering::Relaxed);
}

/// True if another process reports.
pub fn is_silent() -> bool {
    SILENT.load(Ordering::Relaxed)
}

/// True if only errors are written to stderr.
pub fn is_quiet() -> bool {
    is_silent() || LEVEL.get().is_some_and(|level| level.0)
}

pub fn is_verbose() -> bool {
    LEVEL.get().is_some_and(|level| level.1)
}

/// Locked while a line is written to stderr, and from the last line on.
static STDERR: Mutex<()> = Mutex::new(());

/// Writes a line to stderr, unless the last one was written. Errors are ignored: stderr may be closed.
pub fn write_line(line: &str) {
    let _lock = STDERR.lock();
    let _ = writeln!(io::stderr(), "{line}");
}

pub fn log_line(line: &str) {
    if !is_quiet() {
        monitor::suspended(|| write_line(line));
    }
}

/// Standard output; closing it ends the command.
pub fn stdout() -> io::BufWriter<io::StdoutLock<'static>> {
    io::BufWriter::new(io::stdout().lock())
}

/// True if standard output was closed when the program started: the runtime of Rust then
/// opens the null device for reading and writing in its place. False where this is unknown.
pub fn stdout_is_lost() -> bool {
    let of_linux = || {
        let info = std::fs::read_to_string("/proc/self/fdinfo/1").ok()?;
        let flags = info.lines().find_map(|line| line.strip_prefix("flags:"))?;
        let mode = u32::from_str_radix(flags.trim(), 8).ok()? & 3;
        let file = std::fs::read_link("/proc/self/fd/1").ok()?;
        Some(mode == 2 && file == Path::new("/dev/null"))
    };
    of_linux().unwrap_or(false)
}

/// Writes to standard output. Work goes on even if it is closed: the rest of the output is dropped.
pub fn print(
    write: impl FnOnce(&mut io::BufWriter<io::StdoutLock<'_>>) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    let mut out = stdout();
    match write(&mut out).and_then(|()| Ok(out.flush()?)) {
        Err(CommandError::OutputClosed) => Ok(()),
        printed => printed,
    }
}

pub fn json_line(out: &mut impl Write, object: &impl Serialize) -> Result<(), CommandError> {
    let line = serde_json::to_string(object)
        .map_err(|error| CommandError::System(format!("cannot write JSON: {error}")))?;
    writeln!(out, "{line}")?;
    Ok(())
}

/// Prints a result: as a JSON object on one line, or in words. The exit code carries the result
/// even if the output is closed.
pub fn print_result(
    json: bool,
    object: &impl Serialize,
    words: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), CommandError> {
    if is_silent() {
        return Ok(());
    }
    monitor::suspended(|| {
        print(|out| {
            if json {
                return json_line(out, object);
            }
            Ok(words(out)?)
        })
    })
}

/// Ends a command: it fails if its checks found failures, which `words` describes as a list.
pub fn expect_none(
    failures: &[String],
    separator: &str,
    words: impl FnOnce(String) -> CommandError,
) -> Result<(), CommandError> {
    match failures {
        [] => Ok(()),
        _ => Err(words(failures.join(separator))),
    }
}

//! The options of all programs, and errors of command lines.

use super::output::{self, CommandError};
use super::threads;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, Parser};
use phutbase_files::error::io_error;
use phutbase_machine::allocator;
use phutbase_rules::Rules;
use phutbase_tables::error::TableError;
use phutbase_tables::places::TableDirectory;
use phutbase_tables::{SearchPath, Tablebase};
use std::error::Error;
use std::path::{Path, PathBuf};

/// Options of all programs and verbs, before the verb or after it. After it `--tables` replaces the
/// directories named before.
#[derive(Args)]
#[command(next_help_heading = "Global options")]
pub struct GlobalOptions {
    /// Use the tables in this directory and no others (may be repeated) [default: see 'phutbase
    /// tables']
    #[arg(long, value_name = "DIR", global = true)]
    pub tables: Vec<PathBuf>,
    #[arg(
        long,
        value_name = "T",
        global = true,
        value_parser = clap::value_parser!(u16).range(1..=4096),
        help = "Use this many threads, at most one per core [default: RAYON_NUM_THREADS, or one per core]"
    )]
    pub threads: Option<u16>,
    /// Print JSON, one object per line, instead of text
    #[arg(long, global = true)]
    pub json: bool,
    /// Print only errors on standard error
    #[arg(short = 'q', long, global = true)]
    pub quiet: bool,
    /// Also report memory and requests
    #[arg(short, long, global = true)]
    pub verbose: bool,
}

impl GlobalOptions {
    /// Applies the options. `lean` allocates from one arena: slower with many threads, but smaller.
    pub fn apply(&self, lean: bool) -> Result<(), CommandError> {
        if self.quiet && self.verbose {
            return Err(CommandError::usage("'--quiet' cannot be used with '--verbose'"));
        }
        output::set_level(self.quiet, self.verbose);
        if lean || allocator::is_limited() {
            allocator::share_arenas();
        }
        threads::start(self.threads)
    }

    /// With `-v`, prints the directory of the tables, unless the user named it.
    pub fn log_destination(&self) -> Result<(), CommandError> {
        if output::is_verbose() && self.tables.is_empty() {
            output::log_line(&format!("writing to {}", self.destination()?.display()));
        }
        Ok(())
    }

    /// The places of tables: the named directories, or all.
    pub fn places(&self) -> SearchPath {
        match &self.tables[..] {
            [] => SearchPath::all(),
            named => SearchPath::of(named),
        }
    }

    /// Opens the tables under some rules; unusable ones are reported on stderr.
    pub fn tablebase(&self, rules: Rules) -> Result<Tablebase, TableError> {
        Tablebase::search_with(rules, self.places(), warn_skipped)
    }

    pub fn tables(&self) -> Result<Tablebase, TableError> {
        self.tablebase(Rules::Ordinary)
    }

    /// As [`tablebase`](GlobalOptions::tablebase), for verbs that write: makes the first named directory
    /// if it is missing.
    pub fn writable_tables(&self, rules: Rules) -> Result<Tablebase, TableError> {
        let places = self.places();
        let named = places.directories().first().filter(|place| place.role.is_named());
        if let Some(TableDirectory { directory, .. }) = named {
            std::fs::create_dir_all(directory).map_err(io_error(directory, "create the directory"))?;
        }
        self.tablebase(rules)
    }

    pub fn destination(&self) -> Result<PathBuf, CommandError> {
        let places = self.places();
        let destination = places.destination().map(Path::to_path_buf);
        destination.ok_or_else(|| {
            CommandError::usage("the system has no data directory; name one with --tables DIR")
        })
    }
}

/// Reports an unusable table; the next directory is used instead.
pub fn warn_skipped(error: &TableError) {
    output::log_line(&format!("warning: {error}; trying the next directory"));
}

/// Parses the command line of a program.
pub fn parse<T: Parser>() -> Result<T, CommandError> {
    T::try_parse().map_err(refusal)
}

/// Formats errors in values on one line, and leaves others and help to clap.
pub fn refusal(error: clap::Error) -> CommandError {
    if let ErrorKind::ValueValidation | ErrorKind::InvalidValue = error.kind()
        && let Some(ContextValue::String(argument)) = error.get(ContextKind::InvalidArg)
        && let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue)
        && let Some(reason) = reason(&error)
    {
        let name = argument.split([' ', '.']).next().unwrap_or(argument);
        let name = name.trim_matches(['[', ']', '<', '>']).to_lowercase();
        return CommandError::Usage(format!("{name} '{value}': {reason}"));
    }
    let code = error.exit_code();
    // A usage error keeps its exit code even if stderr is closed.
    if !output::is_silent()
        && let Err(error) = error.print()
        && code == 0
    {
        return error.into();
    }
    std::process::exit(code)
}

/// The reason why clap rejects a value.
fn reason(error: &clap::Error) -> Option<String> {
    match (error.source(), error.get(ContextKind::ValidValue)) {
        (Some(reason), _) => Some(reason.to_string()),
        (None, Some(ContextValue::Strings(words))) if words.is_empty() => {
            Some("a value is missing".to_string())
        }
        (None, Some(ContextValue::Strings(words))) => Some(format!("write {}", words.join(" or "))),
        _ => None,
    }
}

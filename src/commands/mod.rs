//! One file per verb: parse, call, print.

mod certify;
mod completions;
mod draws;
mod export;
mod find;
mod generate;
mod interrupt;
mod make;
mod options;
mod output;
mod play;
mod probe;
mod progress;
mod report;
mod sequence;
#[cfg(feature = "serve")]
mod serve;
mod stats;
mod suite;
mod tables;
mod team;
mod test_engine;
mod theory;
mod ugi;
mod verify;
mod way_out;
mod wins;

use crate::games::boards::Boards;
use crate::games::rules::Rules;
use crate::table::error::TableError;
use crate::table::places::Places;
use crate::table::tablebase::Tablebase;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use output::CommandError;
use std::error::Error;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Exact values for Phutball in one and two dimensions, Oddish Phutball and Obstruction, by exhaustive, checkable computation.
///
/// The notation says which game is meant.
///
///   POSITION                         BOARDS
///   o@o.o.o....                      16, 3..24          strips: '.' empty, 'o' stone, '@' ball
///   3/3/2o/1o1/3/@2/3 A              7x3                a pitch: rows, digits for empty points
///   obstruction:..x/.../x..          obstruction:8x8    Obstruction: 'x' a mark; '+' between boards
///   obstruction:torus:5x5            obstruction:hex:4x5    and on other shapes and graphs: see 'phutbase probe --help'
///   oddish:..o^o.                    oddish:2..18       Oddish Phutball: '^' the arrow
///
/// After a blank may stand who is to move: L (the default) or R, on a pitch A (the default) or B.
#[derive(Parser)]
#[command(name = "phutbase", version, max_term_width = 110, verbatim_doc_comment)]
pub struct Cli {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Command,
}

/// What verbs share.
#[derive(Args)]
#[command(next_help_heading = "Global options")]
struct Common {
    /// Directory of tables that is looked in first [default: see 'phutbase tables']
    #[arg(long, value_name = "DIR", global = true)]
    tables: Option<PathBuf>,
    /// Threads to use [default: one per core]
    #[arg(long, value_name = "T", global = true, value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,
    /// Print JSON, one object per line, instead of text
    #[arg(long, global = true)]
    json: bool,
}

impl Common {
    /// Where a question is answered from: every place, the directory that is named first.
    fn places(&self) -> Places {
        Places::all(self.tables.as_deref())
    }

    /// What a verb goes over that is about the tables themselves: the directory that is named and no other, or every place.
    fn places_named(&self) -> Places {
        match &self.tables {
            Some(directory) => Places::only(directory),
            None => Places::all(None),
        }
    }

    /// The tables of some places under some rules; a table that cannot be used and is passed over is reported on stderr.
    fn tablebase(&self, rules: Rules, places: Places) -> Result<Tablebase, TableError> {
        Tablebase::search_with(rules, places, say_skipped)
    }

    /// The tables that answer questions about the ordinary game.
    fn tables(&self) -> Result<Tablebase, TableError> {
        self.tablebase(Rules::Ordinary, self.places())
    }

    /// Where tables are written.
    ///
    /// # Errors
    /// If nobody names a directory and the system knows none.
    fn destination(&self) -> Result<PathBuf, CommandError> {
        let places = self.places();
        let destination = places.destination().map(Path::to_path_buf);
        destination.ok_or_else(|| {
            CommandError::usage(
                "the system names no directory for your data: name one for the tables with --tables DIR",
            )
        })
    }
}

/// Reports a table that cannot be used, where the next place is asked instead.
fn say_skipped(error: &TableError) {
    output::say(&format!("warning: {error}; asking the next place"));
}

/// A verb with its arguments.
trait Verb {
    /// Whether several processes do it together; else the first does it alone.
    fn is_shared(&self) -> bool {
        false
    }

    /// Does it.
    fn run(&self, common: &Common) -> Result<(), CommandError>;
}

#[derive(Subcommand)]
enum Command {
    /// The value of a position and of each of its turns
    Probe(probe::Arguments),
    /// Counts, longest wins and depths of the tables
    Stats(stats::Arguments),
    /// Where tables are looked for, and what is found there
    Tables(tables::Arguments),
    /// Positions of a value, a depth and a pattern: how many, the first ones, random ones
    Find(find::Arguments),
    /// Every value of a length or a pitch as CSV or for NumPy; or the proof of a length
    Export(export::Arguments),
    /// Solve boards and write their tables; what is there already is kept
    Generate(generate::Arguments),
    /// Positions with values and best turns, to test engines in any language
    Suite(suite::Arguments),
    /// Prove that a position on a pitch is a draw or a win, by strategies that can be checked
    Certify(certify::Arguments),
    /// Derive every value of the tables again from its successors, or check a certificate
    Verify(verify::Arguments),
    /// Search boards for draws
    Draws(draws::Arguments),
    /// Theorems, potentials and counterexamples, held against exact values
    Theory(theory::Arguments),
    /// The atlas: claims with verdicts, curves and counts, as one page and as Markdown
    Report(report::Arguments),
    /// An engine that speaks the Universal Game Interface on standard input and output
    Ugi(ugi::Arguments),
    /// Hold another UGI engine against the tables
    TestEngine(test_engine::Arguments),
    /// Play a game at the terminal
    Play(play::Arguments),
    /// The tables over HTTP, and a page in the browser to explore them
    #[cfg(feature = "serve")]
    Serve(serve::Arguments),
    /// Completions for a shell
    #[command(hide = true)]
    Completions(completions::Arguments),
    /// The man page
    #[command(hide = true)]
    Man(completions::ManArguments),
}

/// The verbs as the help lists them.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Ask", &["probe", "find", "stats", "export", "tables"]),
    ("Make", &["generate", "suite", "certify"]),
    ("Check", &["verify", "test-engine"]),
    ("Study", &["draws", "theory", "report"]),
    ("Play", &["play", "serve", "ugi"]),
];

impl Command {
    fn verb(&self) -> &dyn Verb {
        match self {
            Command::Probe(verb) => verb,
            Command::Stats(verb) => verb,
            Command::Tables(verb) => verb,
            Command::Find(verb) => verb,
            Command::Export(verb) => verb,
            Command::Generate(verb) => verb,
            Command::Suite(verb) => verb,
            Command::Certify(verb) => verb,
            Command::Verify(verb) => verb,
            Command::Draws(verb) => verb,
            Command::Theory(verb) => verb,
            Command::Report(verb) => verb,
            Command::Ugi(verb) => verb,
            Command::TestEngine(verb) => verb,
            Command::Play(verb) => verb,
            #[cfg(feature = "serve")]
            Command::Serve(verb) => verb,
            Command::Completions(verb) => verb,
            Command::Man(verb) => verb,
        }
    }
}

/// The command line, with the verbs in groups.
fn command_line() -> clap::Command {
    let mut command = Cli::command();
    command.build();
    let mut verbs = String::new();
    for (title, names) in GROUPS {
        verbs += &format!("{title}:\n");
        for name in names {
            if let Some(verb) = command.find_subcommand(name) {
                let about = verb.get_about().map(ToString::to_string).unwrap_or_default();
                verbs += &format!("  {name:<12} {about}\n");
            }
        }
        verbs.push('\n');
    }
    let template =
        format!("{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{verbs}Global options:\n{{options}}");
    Cli::command().help_template(template)
}

/// Parses a command line, the program's name first.
///
/// # Errors
/// A usage error, or the help text if help was asked for.
pub fn parse(arguments: impl IntoIterator<Item: Into<OsString> + Clone>) -> Result<Cli, clap::Error> {
    Cli::from_arg_matches(&command_line().try_get_matches_from(arguments)?)
}

/// Runs the program and returns its exit code (see `CommandError`).
pub fn main() -> ExitCode {
    // It ends when this process has said its last word: when one of them is gone, the launcher ends the others.
    let mut connection = None;
    match run(&mut connection) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if team::is_spoken_for() => error.exit_code(),
        Err(error) => error.report(),
    }
}

fn run(connection: &mut Option<team::Connection>) -> Result<(), CommandError> {
    let cli = parse(std::env::args_os()).map_err(refusal)?;
    let verb = cli.command.verb();
    if let Some(threads) = cli.common.threads {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads.into())
            .build_global()
            .map_err(|error| CommandError::System(format!("cannot start {threads} threads: {error}")))?;
    }
    *connection = Some(team::connect()?);
    match team::team().is_first() || verb.is_shared() {
        true => verb.run(&cli.common),
        false => Ok(()),
    }
}

/// What is wrong with a command line: in one line where a value is, else as clap says it. Help is printed, and is no error.
fn refusal(error: clap::Error) -> CommandError {
    if error.kind() == ErrorKind::ValueValidation
        && let Some(ContextValue::String(argument)) = error.get(ContextKind::InvalidArg)
        && let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue)
        && let Some(reason) = error.source()
    {
        let name = argument.split([' ', '.']).next().unwrap_or(argument);
        let name = name.trim_matches(['[', ']', '<', '>']).to_lowercase();
        return CommandError::Usage(format!("{name} '{value}': {reason}"));
    }
    if team::is_spoken_for() {
        std::process::exit(error.exit_code());
    }
    error.exit()
}

/// The length of boards that are the strips of one length.
fn one_length(boards: &Boards) -> Option<usize> {
    match boards {
        Boards::Strips(lengths) if lengths.start() == lengths.end() => Some(*lengths.end()),
        _ => None,
    }
}

/// Refuses options that do not apply to what is asked for, each with whether it was given and what it applies to.
fn only_for(options: &[(bool, &str, &str)]) -> Result<(), CommandError> {
    match options.iter().find(|(given, ..)| *given) {
        Some((_, option, what)) => Err(CommandError::Usage(format!("--{option} only applies to {what}"))),
        None => Ok(()),
    }
}

/// The refusal of boards of a game that a verb has nothing to say of, with the verb that has.
fn not_for(verb: &str, boards: &Boards, possible: &str) -> CommandError {
    let instead = match boards {
        Boards::Strips(_) | Boards::Pitch(_) => String::new(),
        Boards::Obstruction(..) => format!(
            "; for the nimber of a board: phutbase probe {boards}; for those of all boards up to it: phutbase generate {boards}"
        ),
        Boards::Oddish(_) => format!("; Oddish Phutball needs no tables: phutbase theory oddish {boards}"),
    };
    CommandError::Usage(format!("{verb} takes {possible}, not {boards}{instead}"))
}

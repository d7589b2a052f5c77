//! One file per verb: parse, call, print.

mod adjudication;
mod certify;
mod checksums;
mod completions;
mod cycles;
mod engine_keys;
mod engine_log;
mod explain;
mod export;
mod find;
mod generate;
mod match_record;
mod match_score;
mod matches;
mod options;
mod play;
mod probe;
#[cfg(feature = "serve")]
mod serve;
mod sprt;
mod stats;
mod suite;
mod tables;
mod test_engine;
mod theory;
mod ugi;
mod verify;
mod wins;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use phutbase_rules::Boards;
use phutbase_terminal::{CommandError, GlobalOptions, refusal};
use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::process::ExitCode;

/// Exact values for Phutball on strips and pitches, Oddish Phutball and Obstruction.
///
/// The notation selects the game.
///
///   POSITION                  BOARDS
///   o@o.o.o....               16, 3..24         '.' empty, 'o' stone, '@' ball
///   3/3/2o/1o1/3/@2/3 A       7x3               rows, numbers for empty points
///   obstruction:..x/.../x..   obstruction:8x8   'x' mark; '+' between boards
///   oddish:..o^o.             oddish:2..18      '^' arrow
///
/// A letter after a blank names the player to move: L (default) or R, on a pitch A
/// (default) or B. For Obstruction on other shapes see 'phutbase probe --help'.
#[derive(Parser)]
#[command(name = "phutbase", version, max_term_width = 80, verbatim_doc_comment)]
pub struct Cli {
    #[command(flatten)]
    common: GlobalOptions,
    #[command(subcommand)]
    command: Command,
}

trait Verb {
    /// True if less memory matters more than threads that allocate at once.
    fn is_lean(&self) -> bool {
        false
    }

    /// The options that may have no effect. Those whose effect depends on the contents of a
    /// file are left to `run`.
    fn effects(&self, _: &GlobalOptions) -> Vec<Effect> {
        Vec::new()
    }

    fn run(&self, common: &GlobalOptions) -> Result<(), CommandError>;
}

#[derive(Subcommand)]
enum Command {
    /// Show the value of a position and of its turns
    Probe(probe::Arguments),
    /// Show numbers of wins and losses, longest games and depths
    Stats(stats::Arguments),
    /// List the directories of tables and their contents
    Tables(tables::Arguments),
    /// Count, list or sample positions by value, depth and pattern
    Find(find::Arguments),
    /// Export all values as CSV or for NumPy
    Export(export::Arguments),
    /// Solve boards and write their tables; keep existing, intact tables
    Generate(generate::Arguments),
    /// Prove a draw or a win on a pitch, with a certificate
    Certify(certify::Arguments),
    /// Verify every value of the tables, or check a certificate
    Verify(verify::Arguments),
    /// Check claims of the literature against exact values
    Theory(theory::Arguments),
    /// Run an engine for the Universal Game Interface (UGI)
    Ugi(ugi::Arguments),
    /// Test another UGI engine against exact values
    TestEngine(test_engine::Arguments),
    /// Let UGI engines play each other
    Match(matches::Arguments),
    /// Play a game at the terminal
    Play(play::Arguments),
    /// Serve exact values over HTTP, with a web page
    #[cfg(feature = "serve")]
    Serve(serve::Arguments),
    /// Print completions for a shell
    #[command(hide = true)]
    Completions(completions::Arguments),
    /// Print the man page
    #[command(hide = true)]
    Man(completions::ManArguments),
}

/// The verbs in the order of the help, without those for packagers and for files that are made once.
const GROUPS: [(&str, &[&str]); 4] = [
    ("Ask", &["probe", "find", "stats", "export", "tables"]),
    ("Make", &["generate", "certify"]),
    ("Check", &["verify", "theory"]),
    ("Play", &["play", "serve", "match", "test-engine", "ugi"]),
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
            Command::Certify(verb) => verb,
            Command::Verify(verb) => verb,
            Command::Theory(verb) => verb,
            Command::Ugi(verb) => verb,
            Command::TestEngine(verb) => verb,
            Command::Match(verb) => verb,
            Command::Play(verb) => verb,
            #[cfg(feature = "serve")]
            Command::Serve(verb) => verb,
            Command::Completions(verb) => verb,
            Command::Man(verb) => verb,
        }
    }
}

/// The grammar of the command line, with the verbs grouped in its help.
pub fn grammar() -> clap::Command {
    let command = Cli::command();
    let mut verbs = String::new();
    for (title, names) in GROUPS {
        verbs += &format!("{title}:\n");
        for verb in names.iter().filter_map(|name| command.find_subcommand(name)) {
            let about = verb.get_about().map(ToString::to_string).unwrap_or_default();
            verbs += &format!("  {:<12} {about}\n", verb.get_name());
        }
        verbs.push('\n');
    }
    let usage = "{about-with-newline}\n{usage-heading} {usage}";
    command.help_template(format!("{usage}\n\n{verbs}Global options:\n{{options}}"))
}

/// Parses a command line, the program's name first.
pub fn parse(arguments: impl IntoIterator<Item: Into<OsString> + Clone>) -> Result<Cli, clap::Error> {
    Cli::from_arg_matches(&grammar().try_get_matches_from(arguments)?)
}

/// Runs the program and returns its exit code (see `CommandError`).
pub fn main() -> ExitCode {
    phutbase_terminal::main(phutbase_engine::kill::end_all, run)
}

fn run() -> Result<(), CommandError> {
    let cli = parse(std::env::args_os()).map_err(refusal)?;
    cli.expect_effective()?;
    let verb = cli.command.verb();
    cli.common.apply(verb.is_lean())?;
    verb.run(&cli.common)
}

impl Cli {
    /// Rejects options that have no effect on these boards, files and other options.
    pub fn expect_effective(&self) -> Result<(), CommandError> {
        only_for(&self.command.verb().effects(&self.common))
    }
}

/// The lengths of boards that must be strips of at most `most` squares.
fn strips(verb: &str, boards: &Boards, most: usize) -> Result<RangeInclusive<usize>, CommandError> {
    match boards {
        Boards::Strips(lengths) if *lengths.end() <= most => Ok(lengths.clone()),
        Boards::Strips(_) => Err(CommandError::Usage(format!(
            "{verb} takes strips of up to {most} squares, not {boards}"
        ))),
        other => Err(not_for(verb, other, "strips, such as 3..16")),
    }
}

/// An option that may have no effect: true if it is given without one, its name, and its scope.
type Effect = (bool, &'static str, &'static str);

/// Rejects options without effect.
fn only_for(options: &[Effect]) -> Result<(), CommandError> {
    match options.iter().find(|(given, ..)| *given) {
        Some((_, option, what)) => Err(CommandError::Usage(format!("--{option} only applies to {what}"))),
        None => Ok(()),
    }
}

/// The effect of `--json` on a verb that prints no JSON.
fn without_json(common: &GlobalOptions) -> Effect {
    (common.json, "json", "verbs without an output format of their own")
}

/// The effect of `--tables` on a verb that reads no tables.
fn without_tables(common: &GlobalOptions) -> Effect {
    (
        !common.tables.is_empty(),
        "tables",
        "verbs that read or write tables",
    )
}

/// The error of a verb that does not support a game, with the verb that does.
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

//! One file per subcommand: parse, call, print.

mod completions;
mod draws;
mod far_draws;
mod find;
mod generate;
mod in_order;
mod interrupt;
mod lengths;
mod make;
mod obstruction;
mod output;
mod pitch;
mod play;
mod probe;
mod progress;
mod report;
#[cfg(feature = "serve")]
mod serve;
mod stats;
mod suite;
mod test_engine;
mod theory;
mod ugi;
mod verify;
mod win_in_one;

use clap::{Args, Parser, Subcommand};
use output::CommandError;
use std::path::PathBuf;
use std::process::ExitCode;

/// Exact values for one-dimensional Phutball, by exhaustive, checkable computation.
///
/// A position is written one character per square: '.' empty, 'o' stone, '@' ball, and after a blank the side to move,
/// L (the default) or R. Left plays towards the right end, Right towards the left end.
///
/// Start with:  phutbase probe "o@o.o.o...." --line
#[derive(Parser)]
#[command(name = "phutbase", version, max_term_width = 100)]
pub struct Cli {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Command,
}

/// What every command takes.
#[derive(Args)]
struct Common {
    /// Directory of the tables
    #[arg(long, value_name = "DIR", default_value = "tables", global = true)]
    tables: PathBuf,
    /// Threads to use [default: one per core]
    #[arg(long, value_name = "T", global = true)]
    threads: Option<usize>,
    /// Print JSON, one object per line, instead of text
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand)]
enum Command {
    /// Solve strips and write their tables; what is there already is kept
    Generate(generate::Arguments),
    /// The value of a position and of each of its turns
    Probe(probe::Arguments),
    /// Counts, longest wins and depths of the tables
    Stats(stats::Arguments),
    /// Positions of a value, a depth and a pattern: how many, the first ones, random ones
    Find(find::Arguments),
    /// Re-derive every value of the tables from its successors
    Verify(verify::Arguments),
    /// Search every strip up to a length for draws
    Draws(draws::Arguments),
    /// Nimbers of Obstruction, the paper-and-pencil game: boards, rows (Dawson's chess), sums
    Obstruction(obstruction::Arguments),
    /// Theorems, potentials and counterexamples, held against exact values
    Theory(theory::Arguments),
    /// Prove that a position on a pitch is a draw or a win, by strategies that can be checked
    Certify(pitch::certify::CertifyArguments),
    /// Check a certificate with the rules alone
    Check(pitch::certify::CheckArguments),
    /// The turns of a pitch that win at once
    WinInOne(win_in_one::Arguments),
    /// The atlas: claims with verdicts, curves and counts, as one page and as Markdown
    Report(report::Arguments),
    /// The tables over HTTP, and a page in the browser to explore them
    #[cfg(feature = "serve")]
    Serve(serve::Arguments),
    /// An engine that speaks the Universal Game Interface on standard input and output
    Ugi(ugi::Arguments),
    /// Hold another UGI engine against the tables
    TestEngine(test_engine::Arguments),
    /// Positions with values and best turns, to test engines in any language
    Suite(suite::Arguments),
    /// Play a game at the terminal
    Play(play::Arguments),
    /// Completions for a shell
    Completions(completions::Arguments),
    /// The man page
    Man,
}

/// Runs the program and returns its exit code: 0, 1 for a failed check or a failure, 2 for bad usage.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(&cli.command, &cli.common) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => error.report(),
    }
}

fn run(command: &Command, common: &Common) -> Result<(), CommandError> {
    if let Some(threads) = common.threads {
        if !(1..=4096).contains(&threads) {
            return Err(CommandError::Usage(format!(
                "--threads {threads}: give a number from 1 to 4096"
            )));
        }
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build_global()
            .map_err(|error| CommandError::Failure(format!("cannot start {threads} threads: {error}")))?;
    }
    match command {
        Command::Generate(arguments) => generate::run(arguments, common),
        Command::Probe(arguments) => probe::run(arguments, common),
        Command::Stats(arguments) => stats::run(arguments, common),
        Command::Find(arguments) => find::run(arguments, common),
        Command::Verify(arguments) => verify::run(arguments, common),
        Command::Draws(arguments) => draws::run(arguments, common),
        Command::Obstruction(arguments) => obstruction::run(arguments, common),
        Command::Theory(arguments) => theory::run(arguments, common),
        Command::Certify(arguments) => pitch::certify::run_certify(arguments, common),
        Command::Check(arguments) => pitch::certify::run_check(arguments, common),
        Command::WinInOne(arguments) => win_in_one::run(arguments, common),
        Command::Report(arguments) => report::run(arguments, common),
        #[cfg(feature = "serve")]
        Command::Serve(arguments) => serve::run(arguments, common),
        Command::Ugi(arguments) => ugi::run(arguments, common),
        Command::TestEngine(arguments) => test_engine::run(arguments, common),
        Command::Suite(arguments) => suite::run(arguments, common),
        Command::Play(arguments) => play::run(arguments, common),
        Command::Completions(arguments) => completions::run(arguments),
        Command::Man => completions::man(),
    }
}

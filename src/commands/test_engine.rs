//! `phutbase test-engine`: holds another engine against the tables.

use super::output::{CommandError, json_line, unheeded, write_file};
use super::suite::lengths;
use super::{Common, Verb, interrupt, progress};
use crate::answer::Answer;
use crate::engine::client::Setup;
use crate::engine::junit;
use crate::engine::tester::{self, By, Judged, Outcome, Tally};
use crate::games::boards::Boards;
use crate::games::position::Phutball;
use crate::games::strip::Strip;
use crate::table::tablebase::Tablebase;
use crate::theory::find::Uniform;
use clap::Args;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase test-engine 4..16 -- phutbase ugi                        random positions
  phutbase test-engine 9 --all --by best --junit results.xml -- phutbase ugi --player potential
  phutbase test-engine 4..16 --option hash=64 --json -- ./engine --quiet")]
pub struct Arguments {
    /// Strips
    #[arg(default_value = "4..16")]
    boards: Boards,
    /// Ask about K random positions of every length
    #[arg(long, value_name = "K", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    sample: u32,
    /// Ask about every position, with either player to move
    #[arg(long, conflicts_with_all = ["sample", "seed"])]
    all: bool,
    /// Seed of --sample: the same seed, the same positions
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// What a turn must do: value (keep who wins) or best (be as good as any turn, depths counted)
    #[arg(long, value_name = "HOW", default_value = "value")]
    by: By,
    /// Time for a turn, told to the engine as 'go movetime'
    #[arg(long, value_name = "MS", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    movetime: u64,
    /// Ask with 'go depth D' instead
    #[arg(long, value_name = "D", conflicts_with = "movetime")]
    depth: Option<u32>,
    /// Time after which the engine is taken to hang [default: 5000 more than --movetime]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    timeout: Option<u64>,
    /// Set an option of the engine (may be given again)
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// Write the results as JUnit XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// List at most K positions that went wrong
    #[arg(long, value_name = "K", default_value_t = 10)]
    limit: usize,
    /// The engine and its arguments
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<String>,
}

/// Lines of a length, or of all together.
#[derive(Serialize)]
struct Row {
    game: &'static str,
    /// A length, or all that were asked about.
    boards: String,
    #[serde(flatten)]
    tally: Tally,
    score: Option<f64>,
}

#[derive(Serialize)]
struct Wrong<'a> {
    #[serde(flatten)]
    answer: Answer,
    #[serde(rename = "move")]
    turn: &'a str,
    outcome: &'static str,
    expected: &'a [String],
    message: String,
}

impl Verb for Arguments {
    fn run(&self, common: &Common) -> Result<(), CommandError> {
        let tables = common.tables()?;
        let cases = cases(self, &tables)?;
        let judged = ask(self, &tables, &cases)?;
        if let Some(file) = &self.junit {
            write_file(file, junit::xml(&self.command.join(" "), &judged).as_bytes())?;
        }
        let (by_length, all) = tester::tallies(&judged);
        let rows: Vec<Row> = (by_length.iter())
            .map(|(&length, tally)| row(&Boards::strip(length), tally))
            .chain([row(&self.boards, &all)])
            .collect();
        // The exit code says how the engine did, whoever reads.
        print(self, common, &judged, &rows)?;
        if judged.len() < cases.len() {
            return Err(CommandError::Interrupted(format!(
                "interrupted after {} of {} positions",
                judged.len(),
                cases.len()
            )));
        }
        match all.passed() {
            true => Ok(()),
            false => Err(CommandError::Failure(format!(
                "the engine failed in {} of {} positions: {} blunders, {} illegal turns, {} without a turn",
                all.blunders + all.illegal + all.failed,
                all.asked,
                all.blunders,
                all.illegal,
                all.failed
            ))),
        }
    }
}

/// Asks the engine, with a bar for the patient; an interrupt ends the test after the position at hand.
fn ask(arguments: &Arguments, tables: &Tablebase, cases: &[Strip]) -> Result<Vec<Judged>, CommandError> {
    let go = match arguments.depth {
        Some(depth) => format!("go depth {depth}"),
        None => format!("go movetime {}", arguments.movetime),
    };
    let interrupted = interrupt::flag("stopping after this position");
    let bar = progress::bar(cases.len() as u64);
    let mut each = |_: &Judged| {
        bar.inc(1);
        interrupt::flow(interrupted)
    };
    let judged = tester::test(tables, cases, arguments.by, &setup(arguments)?, &go, &mut each);
    bar.finish_and_clear();
    judged.map_err(CommandError::failure)
}

fn cases(arguments: &Arguments, tables: &Tablebase) -> Result<Vec<Strip>, CommandError> {
    let mut chance = Uniform::new(arguments.seed);
    let mut cases = Vec::new();
    for length in lengths("test-engine", &arguments.boards)? {
        // What cannot be judged is refused before the engine is asked anything.
        match arguments.by {
            By::Value => tables.best(length)?,
            By::Best => tables.with_depths(length)?,
        };
        if arguments.all {
            let most = tester::MOST_POSITIONS;
            if tester::population(length).is_none_or(|all| all > most) {
                return Err(CommandError::Usage(format!(
                    "--all: length {length} has more than {most} positions; use --sample"
                )));
            }
            cases.extend(tester::every(length));
        } else {
            cases.extend(tester::sample(length, arguments.sample as usize, &mut chance));
        }
    }
    Ok(cases)
}

fn setup(arguments: &Arguments) -> Result<Setup, CommandError> {
    let option = |text: &String| match text.split_once('=') {
        Some((name, value)) => Ok((name.to_string(), value.to_string())),
        None => Err(CommandError::Usage(format!("--option {text}: write NAME=VALUE"))),
    };
    let Some((program, rest)) = arguments.command.split_first() else {
        return Err(CommandError::usage("no engine: write its command after '--'"));
    };
    let timeout = arguments.timeout.unwrap_or(arguments.movetime + 5000);
    Ok(Setup {
        program: program.clone(),
        arguments: rest.to_vec(),
        options: arguments.options.iter().map(option).collect::<Result<_, _>>()?,
        ready: Duration::from_millis(timeout),
        answer: Duration::from_millis(timeout),
    })
}

fn row(boards: &Boards, tally: &Tally) -> Row {
    Row {
        game: boards.game(),
        boards: boards.to_string(),
        tally: *tally,
        score: tally.score().map(|score| (score * 100.0).round() / 100.0),
    }
}

fn print(
    arguments: &Arguments,
    common: &Common,
    judged: &[Judged],
    rows: &[Row],
) -> Result<(), CommandError> {
    let mut out = unheeded();
    let wrong = judged
        .iter()
        .filter_map(|one| Some((one, one.complaint()?)))
        .take(arguments.limit);
    for (one, message) in wrong {
        let position = Phutball::Strip(one.strip).fen();
        if common.json {
            let line = Wrong {
                answer: Answer::new(&one.strip.into(), one.verdict),
                turn: &one.turn,
                outcome: match one.outcome {
                    Outcome::Good => "good",
                    Outcome::Blunder { .. } => "blunder",
                    Outcome::Illegal => "illegal",
                    Outcome::Failed { .. } => "failed",
                },
                expected: &one.expected,
                message,
            };
            json_line(&mut out, &line)?;
        } else {
            let message: String = message.chars().flat_map(char::escape_debug).collect();
            writeln!(out, "{position}: {}", message.replace("\\'", "'"))?;
        }
    }
    if common.json {
        rows.iter().try_for_each(|row| json_line(&mut out, row))?;
    } else {
        writeln!(
            out,
            "{:>6} {:>9} {:>9} {:>9} {:>9} {:>8} {:>7} {:>8}",
            "boards", "positions", "matters", "good", "blunders", "illegal", "failed", "score"
        )?;
        for row in rows {
            let tally = &row.tally;
            let score = row.score.map_or("-".to_string(), |score| format!("{score:.2} %"));
            writeln!(
                out,
                "{:>6} {:>9} {:>9} {:>9} {:>9} {:>8} {:>7} {score:>8}",
                row.boards,
                tally.asked,
                tally.matters,
                tally.good,
                tally.blunders,
                tally.illegal,
                tally.failed
            )?;
        }
    }
    Ok(out.flush()?)
}

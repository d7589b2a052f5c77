//! `phutbase test-engine`: tests another engine against the tables.

use super::options::turn_time;
use super::out_file::write_file;
use super::output::{CommandError, closable_stdout, json_line, object};
use super::{Common, Verb, interrupt, progress, strips};
use crate::answer::{Answer, BoardsLabel};
use crate::engine::client::Setup;
use crate::engine::tester::{self, By, Judged, Tally};
use crate::games::strip::MAX_LENGTH;
use crate::games::{Boards, Phutball, Rules, Strip};
use crate::table::strip::find::Uniform;
use crate::table::tablebase::Tablebase;
use clap::Args;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase test-engine 4..16 -- phutbase ugi   random positions
  phutbase test-engine 9 --all --by best --junit results.xml -- ./engine
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
    /// Set the seed of --sample; the same seed gives the same positions
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Require that a turn keeps who wins (value), or is as good as any including depths (best)
    #[arg(long, value_name = "HOW", default_value = "value")]
    by: By,
    /// Send 'go movetime' with this time
    #[arg(long, value_name = "TIME", default_value = "100ms", value_parser = turn_time)]
    movetime: Duration,
    /// Send 'go depth' with this depth instead
    #[arg(long, value_name = "D", conflicts_with = "movetime")]
    depth: Option<u32>,
    /// Treat the engine as hung after this time [default: 5s more than --movetime]
    #[arg(long, value_name = "TIME", value_parser = turn_time)]
    timeout: Option<Duration>,
    /// Set an option of the engine (may be repeated)
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// Write the results as JUnit XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// List at most K failed positions
    #[arg(long, value_name = "K", default_value_t = 10)]
    limit: usize,
    /// Engine and its arguments
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<String>,
}

impl Verb for Arguments {
    fn run(&self, common: &Common) -> Result<(), CommandError> {
        let tables = common.tables()?;
        let cases = cases(self, &tables)?;
        let with_result = ask(self, &tables, &cases)?;
        if let Some(file) = &self.junit {
            write_file(
                file,
                tester::junit_xml(&self.command.join(" "), &with_result).as_bytes(),
            )?;
        }
        let all = Tally::of(&with_result);
        let rows = tester::by_length(&with_result);
        let rows = rows.map(|(length, cases)| (Boards::strip(length), Tally::of(cases)));
        let rows: Vec<(Boards, Tally)> = rows.chain([(self.boards.clone(), all)]).collect();
        // The exit code carries the result even if the output is closed.
        print(self, common, &with_result, &rows)?;
        if with_result.len() < cases.len() {
            return Err(CommandError::Interrupted(format!(
                "interrupted after {} of {} positions",
                with_result.len(),
                cases.len()
            )));
        }
        if all.passed() {
            Ok(())
        } else {
            Err(CommandError::Failure(format!(
                "the engine failed in {} of {} positions: {} blunders, {} illegal turns, {} without a turn",
                all.blunders + all.illegal + all.failed,
                all.asked,
                all.blunders,
                all.illegal,
                all.failed
            )))
        }
    }
}

/// Tests the engine with a progress bar; an interrupt ends the test after the current position.
fn ask(arguments: &Arguments, tables: &Tablebase, cases: &[Strip]) -> Result<Vec<Judged>, CommandError> {
    let go = match arguments.depth {
        Some(depth) => format!("go depth {depth}"),
        None => format!("go movetime {}", arguments.movetime.as_millis()),
    };
    let interrupted = interrupt::flag("stopping after this position");
    let bar = progress::bar(cases.len() as u64);
    let mut each = |_: &Judged| {
        bar.inc(1);
        interrupt::flow(interrupted)
    };
    let with_result = tester::test(tables, cases, arguments.by, &setup(arguments)?, &go, &mut each);
    bar.finish_and_clear();
    with_result.map_err(CommandError::failure)
}

fn cases(arguments: &Arguments, tables: &Tablebase) -> Result<Vec<Strip>, CommandError> {
    let mut chance = Uniform::new(arguments.seed);
    let mut cases = Vec::new();
    for length in strips("test-engine", &arguments.boards, MAX_LENGTH)? {
        // Reject lengths without values before the engine starts.
        match arguments.by {
            By::Value => tables.best(length)?,
            By::Best => tables.with_depths(length)?,
        };
        if arguments.all {
            let most = tester::MAX_POSITIONS;
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

/// Time beyond the limit after which an engine is treated as hung.
const HANG: Duration = Duration::from_secs(5);

fn setup(arguments: &Arguments) -> Result<Setup, CommandError> {
    let option = |text: &String| match text.split_once('=') {
        Some((name, value)) => Ok((name.to_string(), value.to_string())),
        None => Err(CommandError::Usage(format!(
            "--option '{text}': write NAME=VALUE"
        ))),
    };
    let Some((program, rest)) = arguments.command.split_first() else {
        return Err(CommandError::usage("no engine; write its command after '--'"));
    };
    let timeout = (arguments.timeout).unwrap_or(arguments.movetime + HANG);
    Ok(Setup {
        program: program.clone(),
        arguments: rest.to_vec(),
        options: arguments.options.iter().map(option).collect::<Result<_, _>>()?,
        ready: timeout,
    })
}

fn print(
    arguments: &Arguments,
    common: &Common,
    with_result: &[Judged],
    rows: &[(Boards, Tally)],
) -> Result<(), CommandError> {
    let mut out = closable_stdout();
    let wrong = with_result
        .iter()
        .filter_map(|one| Some((one, one.complaint.as_ref()?)))
        .take(arguments.limit);
    for (one, message) in wrong {
        let position = Phutball::Strip(one.strip).fen();
        if common.json {
            let line = object! {
                #[serde(flatten)]
                answer: Answer::new(&one.strip.into(), one.verdict),
                #[serde(rename = "move")]
                turn: &one.turn,
                outcome: one.outcome.word(),
                expected: &one.expected,
                message: message,
            };
            json_line(&mut out, &line)?;
        } else {
            let message: String = message.chars().flat_map(char::escape_debug).collect();
            writeln!(out, "{position}: {}", message.replace("\\'", "'"))?;
        }
    }
    if !common.json {
        writeln!(
            out,
            "{:>6} {:>9} {:>9} {:>9} {:>9} {:>8} {:>7} {:>8}",
            "boards", "positions", "matters", "good", "blunders", "illegal", "failed", "score"
        )?;
    }
    for (boards, tally) in rows {
        let score = tally.score().map(|score| (score * 100.0).round() / 100.0);
        if common.json {
            let line = object! {
                #[serde(flatten)]
                label: BoardsLabel::new(boards, Rules::Ordinary),
                #[serde(flatten)]
                tally: tally,
                score: score,
            };
            json_line(&mut out, &line)?;
            continue;
        }
        let score = score.map_or("-".to_string(), |score| format!("{score:.2} %"));
        let boards = boards.to_string();
        let Tally {
            asked,
            matters,
            good,
            blunders,
            illegal,
            failed,
        } = tally;
        writeln!(
            out,
            "{boards:>6} {asked:>9} {matters:>9} {good:>9} {blunders:>9} {illegal:>8} {failed:>7} {score:>8}"
        )?;
    }
    Ok(out.flush()?)
}

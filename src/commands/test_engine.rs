//! `phutbase test-engine`: tests another engine against the tables.

use super::engine_keys::{Engines, contestant, setup};
use super::options::turn_time;
use super::out_file::{OutFile, cannot_write};
use super::output::{CommandError, closable_stdout, grouped, json_line, object, shown};
use super::{Common, Verb, monitor, strips};
use clap::Args;
use num_bigint::BigUint;
use phutbase_answer::{Answer, BoardsLabel};
use phutbase_base::game::Game;
use phutbase_base::random::Uniform;
use phutbase_engine::matches::Contestant;
use phutbase_engine::matches::play::{Control, Limit};
use phutbase_engine::tester::{self, By, Judged, Tally};
use phutbase_rules::strip::{MAX_LENGTH, positions};
use phutbase_rules::{Boards, Phutball, Position, Rules};
use phutbase_table::Metric;
use phutbase_table::tablebase::Tablebase;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase test-engine 4..16 -- phutbase ugi   random positions
  phutbase test-engine 9 --all --by best --junit results.xml -- ./engine
  phutbase test-engine 5x3 --sample 20 -- phutbase ugi
  phutbase test-engine 4..16 --engine cmd=./engine st=50ms option.hash=64 --json")]
pub struct Arguments {
    /// Strips, or a pitch
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
    /// Send 'go movetime' with this time, as st= does [default: 100ms]
    #[arg(long, value_name = "TIME", value_parser = turn_time)]
    movetime: Option<Duration>,
    /// Send 'go depth' with this depth instead, as depth= does
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
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
    #[command(flatten)]
    engines: Engines,
}

impl Verb for Arguments {
    fn run(&self, common: &Common) -> Result<(), CommandError> {
        monitor::save_when_stopped();
        let tables = common.tables()?;
        let cases = cases(self, &tables)?;
        let tested = self.tested()?;
        let mut junit = self
            .junit
            .as_deref()
            .map(|file| Junit::new(file, &tested.name, self.properties(&tested)))
            .transpose()?;
        let with_result = ask(self, &tested, &tables, &cases, &mut junit)?;
        if let Some(junit) = junit {
            junit.finish(&with_result)?;
        }
        let all = Tally::of(&with_result);
        let rows = tester::by_boards(&with_result);
        let rows = rows.map(|(boards, cases)| (boards, Tally::of(cases)));
        let rows: Vec<(Boards, Tally)> = rows.chain([(self.boards.clone(), all)]).collect();
        // The exit code carries the result even if the output is closed.
        print(self, common, &with_result, &rows)?;
        if with_result.len() < cases.len() {
            let saved = match &self.junit {
                Some(file) => format!("their results are in '{}'", file.display()),
                None => "nothing was saved".to_string(),
            };
            return Err(CommandError::Interrupted(format!(
                "interrupted after {} of {} positions; {saved}",
                with_result.len(),
                cases.len()
            )));
        }
        if all.passed() {
            Ok(())
        } else {
            Err(CommandError::Failure(format!(
                "the engine failed in {} of {} positions: {} blunders, {} illegal turns, {} without a turn, {} late turns",
                with_result.iter().filter(|one| one.complaint.is_some()).count(),
                all.asked,
                all.blunders,
                all.illegal,
                all.failed,
                all.late
            )))
        }
    }
}

/// The results as JUnit XML. Each is written when it is known, and at the end all with their counts.
struct Junit<'a> {
    out: OutFile<'a>,
    engine: String,
    /// The conditions of the run, by name, which a reader needs to repeat it.
    properties: Vec<(&'static str, String)>,
    /// `None` before the first result, and for a pipe, which is written at the end.
    file: Option<File>,
}

impl<'a> Junit<'a> {
    fn new(
        named: &'a Path,
        engine: &str,
        properties: Vec<(&'static str, String)>,
    ) -> Result<Junit<'a>, CommandError> {
        Ok(Junit {
            out: OutFile::new(named)?,
            engine: engine.to_string(),
            properties,
            file: None,
        })
    }

    /// Appends a result. Creates the file with the first, so that earlier errors keep an old one.
    fn write(&mut self, one: &Judged) -> Result<(), CommandError> {
        let mut text = tester::junit_case(one);
        if self.file.is_none() {
            self.file = self.out.create()?;
            text.insert_str(0, &tester::junit_begin(&self.engine, &[]));
        }
        let written = (self.file.as_mut()).map_or(Ok(()), |file| file.write_all(text.as_bytes()));
        written.map_err(|error| cannot_write(self.out.named, "write to it", &error))
    }

    /// Replaces what was written by the whole file.
    fn finish(self, results: &[Judged]) -> Result<(), CommandError> {
        let text = tester::junit_xml(&self.engine, &self.properties, results);
        self.out.write_all(text.as_bytes())
    }
}

/// Tests the engine with a progress bar; an interrupt ends the test before the next position.
fn ask(
    arguments: &Arguments,
    tested: &Contestant,
    tables: &Tablebase,
    cases: &[Phutball],
    junit: &mut Option<Junit<'_>>,
) -> Result<Vec<Judged>, CommandError> {
    let (go, limit) = match tested.control.limit {
        Limit::Depth(depth) => (format!("go depth {depth}"), None),
        Limit::Nodes(nodes) => (format!("go nodes {nodes}"), None),
        Limit::Movetime(time) => (format!("go movetime {}", time.as_millis()), Some(time)),
        Limit::Clock(..) => {
            return Err(CommandError::usage(
                "tc= is for games; 'test-engine' takes st=, depth= or nodes=",
            ));
        }
    };
    let limit = limit.map(|time| time + tested.control.margin);
    let mut failed = None;
    let tested = monitor::run("the test", None, |job| {
        job.expect(cases.len() as u64, "positions");
        tester::test(
            tables,
            cases,
            arguments.by,
            &tested.setup,
            &go,
            limit,
            &mut |one| {
                // The test itself notices a stop.
                let _ = job.advance(1);
                if let Some(junit) = junit
                    && let Err(error) = junit.write(one)
                {
                    job.stop();
                    failed = Some(error);
                }
            },
        )
    });
    failed.map_or(tested, Err)
}

fn cases(arguments: &Arguments, tables: &Tablebase) -> Result<Vec<Phutball>, CommandError> {
    let mut chance = Uniform::new(arguments.seed);
    let count = arguments.sample as usize;
    if let Boards::Pitch(shape) = arguments.boards {
        let game = tables.ask_pitch(shape, Ok)?.game();
        arguments.expect_few(&[(2 * game.positions()).into()])?;
        let pitches = if arguments.all {
            tester::every_pitch(game).collect()
        } else {
            tester::sample_pitch(&game, count, &mut chance)
        };
        return Ok(pitches.into_iter().map(Phutball::Pitch).collect());
    }
    let lengths = strips("test-engine", &arguments.boards, MAX_LENGTH)?;
    for length in lengths.clone() {
        // Reject lengths without values before the engine starts.
        let metric = (arguments.by == By::Best).then_some(Metric::Dtw);
        tables.ask_strips(length, metric, Ok)?;
    }
    let all: Vec<BigUint> = lengths.clone().map(|length| 2u8 * positions(length)).collect();
    arguments.expect_few(&all)?;
    let mut cases = Vec::new();
    for length in lengths {
        let strips = if arguments.all {
            tester::every(length).collect()
        } else {
            tester::sample(length, count, &mut chance)
        };
        cases.extend(strips.into_iter().map(Phutball::from));
    }
    Ok(cases)
}

/// Time beyond the limit after which an engine is treated as hung.
const HANG: Duration = Duration::from_secs(5);

impl Arguments {
    /// Refuses more positions than memory holds; `all` are there of each boards.
    fn expect_few(&self, all: &[BigUint]) -> Result<(), CommandError> {
        let sample = BigUint::from(self.sample);
        let asked = |all: &BigUint| {
            if self.all {
                all.clone()
            } else {
                all.min(&sample).clone()
            }
        };
        if all.iter().map(asked).sum::<BigUint>() <= tester::MAX_POSITIONS.into() {
            return Ok(());
        }
        let (option, instead) = if self.all {
            ("--all", "--sample")
        } else {
            ("--sample", "a smaller one")
        };
        let most = grouped(tester::MAX_POSITIONS);
        Err(CommandError::Usage(format!(
            "{option}: more than {most} positions; use {instead} or fewer boards"
        )))
    }

    /// Returns the conditions of the run.
    fn properties(&self, tested: &Contestant) -> Vec<(&'static str, String)> {
        let limit = match tested.control.limit {
            Limit::Movetime(time) => ("movetime", format!("{} ms", time.as_millis())),
            Limit::Depth(depth) => ("depth", depth.to_string()),
            Limit::Nodes(nodes) => ("nodes", nodes.to_string()),
            Limit::Clock(..) => ("clock", String::new()),
        };
        let drawn = if self.all {
            ("positions", "all".to_string())
        } else {
            ("seed", self.seed.to_string())
        };
        let version = concat!("phutbase ", env!("CARGO_PKG_VERSION")).to_string();
        vec![
            ("version", version),
            ("boards", self.boards.to_string()),
            drawn,
            limit,
            ("by", self.by.word().to_string()),
        ]
    }

    /// Returns the engine, described by `--engine` or by a command line.
    fn tested(&self) -> Result<Contestant, CommandError> {
        let mut tested = match (&self.engines.0[..], self.command.split_first()) {
            ([keys], None) => contestant(keys.iter())?,
            ([], Some((program, rest))) => Contestant {
                name: self.command.join(" "),
                setup: setup(
                    program,
                    program.clone(),
                    rest.to_vec(),
                    Vec::new(),
                    Duration::ZERO,
                ),
                control: Control {
                    limit: Limit::Movetime(Duration::from_millis(100)),
                    margin: Duration::from_secs(1),
                },
            },
            _ => {
                return Err(CommandError::usage(
                    "name one engine, with --engine or by its command after '--'",
                ));
            }
        };
        if let Some(depth) = self.depth {
            tested.control.limit = Limit::Depth(depth);
        } else if let Some(time) = self.movetime {
            tested.control.limit = Limit::Movetime(time);
        }
        for text in &self.options {
            let (name, value) = text
                .split_once('=')
                .ok_or_else(|| CommandError::Usage(format!("--option '{text}': write NAME=VALUE")))?;
            tested.setup.options.push((name.to_string(), value.to_string()));
        }
        let allowed = match tested.control.limit {
            Limit::Movetime(time) => time,
            _ => Duration::ZERO,
        };
        tested.setup.ready = self.timeout.unwrap_or(allowed + HANG);
        Ok(tested)
    }
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
        let position = one.position.fen();
        if common.json {
            let line = object! {
                #[serde(flatten)]
                answer: Answer::new(&Position::Phutball(one.position.clone()), Some(one.verdict)),
                #[serde(rename = "move")]
                turn: &one.turn,
                outcome: one.outcome.word(),
                expected: &one.expected,
                message: message,
            };
            json_line(&mut out, &line)?;
        } else {
            writeln!(out, "{position}: {}", shown(message))?;
        }
    }
    if !common.json {
        writeln!(
            out,
            "{:>6} {:>9} {:>9} {:>9} {:>9} {:>8} {:>7} {:>5} {:>8}",
            "boards", "positions", "matters", "good", "blunders", "illegal", "failed", "late", "score"
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
            late,
        } = tally;
        writeln!(
            out,
            "{boards:>6} {asked:>9} {matters:>9} {good:>9} {blunders:>9} {illegal:>8} {failed:>7} {late:>5} {score:>8}"
        )?;
    }
    Ok(out.flush()?)
}

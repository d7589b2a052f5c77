//! `phutbase test-engine`: tests another engine against exact values.

use super::engine_keys::{Engines, KEYS, contestant};
use super::engine_log;
use super::{Verb, strips};
use clap::Args;
use phutbase_ask::sources::Sources;
use phutbase_ask::{Answer, BoardsLabel};
use phutbase_base::digits::grouped;
use phutbase_base::job::Job;
use phutbase_base::object;
use phutbase_base::random::Uniform;
use phutbase_engine::cases::{self, Cases};
use phutbase_engine::client::EngineFault;
use phutbase_engine::junit;
use phutbase_engine::matches::Contestant;
use phutbase_engine::matches::control::TurnLimit;
use phutbase_engine::tester::{self, Criterion, Judged, Tally, TestError};
use phutbase_rules::strip::LONGEST;
use phutbase_rules::{Boards, Phutball, Position, Rules};
use phutbase_tables::Metric;
use phutbase_terminal::common::GlobalOptions;
use phutbase_terminal::monitor;
use phutbase_terminal::options::word;
use phutbase_terminal::out_file::{OutFile, cannot_write};
use phutbase_terminal::output::{self, CommandError, json_line, shown};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Args)]
#[command(after_help = format!("Keys of --engine:
{KEYS}

An engine fails by a turn that is illegal, late, missing, or gives up a win or
a draw, and by a wrong 'score mate N' or line. N counts turns of the player to
move: 'mate 2' is a win in 3 plies, 'mate -2' a loss in 4.

Examples:
  phutbase test-engine 4..16 -- phutbase ugi   random positions
  phutbase test-engine 9 --all --by best --junit results.xml -- ./engine
  phutbase test-engine 5x3 --sample 20 -- phutbase ugi
  phutbase test-engine 100..5000 --single --sample 200 -- ./engine
  phutbase test-engine 4..16 --engine st=50ms option.hash=64 --json -- ./engine"))]
pub struct Arguments {
    /// Strips of any length, or a pitch
    #[arg(default_value = "4..16", value_parser = |text: &str| Boards::read(text, LONGEST))]
    boards: Boards,
    /// Ask about K distinct random positions in all, as many of every length
    #[arg(long, value_name = "K", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=cases::MAX_POSITIONS))]
    sample: u64,
    /// Ask about every position, with either player to move
    #[arg(long, conflicts_with_all = ["sample", "seed"])]
    all: bool,
    /// Ask only about positions in which exactly one turn wins
    #[arg(long)]
    single: bool,
    /// Set the seed of --sample; the same seed gives the same positions
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Require that a turn keeps who wins (value), or is as good as any including depths (best)
    #[arg(long, value_name = "HOW", default_value = "value", value_parser = word::<Criterion>(Criterion::WORDS), hide_possible_values = true)]
    by: Criterion,
    /// Write the results as JUnit XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write all lines to and from the engine to a file, each after the seconds since the start
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// List at most K failed positions
    #[arg(long, value_name = "K", default_value_t = 10)]
    limit: usize,
    /// Engine and its arguments, as the key cmd
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
    #[command(flatten)]
    engines: Engines,
}

impl Verb for Arguments {
    fn run(&self, common: &GlobalOptions) -> Result<(), CommandError> {
        monitor::save_when_stopped();
        let sources = Sources::new(common.tables()?, 0);
        let cases = monitor::run("the choice of positions", None, |job| cases(self, &sources, job))?;
        engine_log::open(self.log.as_deref())?;
        let tested = self.tested()?;
        let mut junit = self
            .junit
            .as_deref()
            .map(|file| Junit::new(file, &tested.name, self.properties(&tested)))
            .transpose()?;
        let with_result = ask(self, &tested, &sources, &cases, &mut junit)?;
        if let Some(junit) = junit {
            junit.finish(&with_result)?;
        }
        let all = Tally::of(&with_result);
        let rows = tester::by_boards(&with_result);
        let rows = rows.map(|(boards, cases)| (boards, Tally::of(cases)));
        let mut rows: Vec<(Boards, Tally)> = rows.collect();
        if rows.len() != 1 {
            rows.push((self.boards.clone(), all));
        }
        // The exit code carries the result even if the output is closed.
        output::print(|out| print(out, self, common, &with_result, &rows))?;
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
                "the engine failed in {} of {} positions: {} blunders, {} illegal turns, {} without a turn, {} late turns, {} false claims",
                with_result.iter().filter(|one| one.complaint.is_some()).count(),
                with_result.len(),
                all.blunders,
                all.illegal,
                all.failed,
                all.late,
                all.false_claims
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
        let mut text = junit::case(one);
        if self.file.is_none() {
            self.file = self.out.create()?;
            text.insert_str(0, &junit::begin(&self.engine, &[]));
        }
        let written = (self.file.as_mut()).map_or(Ok(()), |file| file.write_all(text.as_bytes()));
        written.map_err(|error| cannot_write(self.out.named, "write to it", &error))
    }

    /// Replaces what was written by the whole file.
    fn finish(self, results: &[Judged]) -> Result<(), CommandError> {
        let text = junit::xml(&self.engine, &self.properties, results);
        self.out.write_all(text.as_bytes())
    }
}

/// Tests the engine with a progress bar; an interrupt ends the test before the next position.
fn ask(
    arguments: &Arguments,
    tested: &Contestant,
    sources: &Sources,
    cases: &[Phutball],
    junit: &mut Option<Junit<'_>>,
) -> Result<Vec<Judged>, CommandError> {
    let clock = || CommandError::usage("tc= is for games; 'test-engine' takes st=, depth= or nodes=");
    let go = tested.control.limit.go().ok_or_else(clock)?;
    let limit = match tested.control.limit {
        TurnLimit::Movetime(time) => Some(time + tested.control.margin),
        _ => None,
    };
    let mut failed = None;
    let tested = monitor::run("the test", None, |job| {
        job.expect(cases.len() as u64, "positions");
        tester::test(
            sources,
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
        .map_err(refused)
    });
    failed.map_or(tested, Err)
}

fn refused(error: TestError) -> CommandError {
    match error {
        TestError::Table(error) => error.into(),
        TestError::Handshake(EngineFault::NotStarted(_)) => CommandError::system(error),
        error => CommandError::failure(error),
    }
}

fn cases(arguments: &Arguments, sources: &Sources, job: &Job) -> Result<Vec<Phutball>, CommandError> {
    let mut chance = Uniform::new(arguments.seed);
    let mut left = arguments.sample as usize;
    let sizes: Vec<Cases> = match &arguments.boards {
        Boards::Pitch(shape) => vec![Cases::Pitches(sources.tables.ask_pitch(*shape, Ok)?.game())],
        boards => {
            let lengths = strips("test-engine", boards, LONGEST)?;
            if arguments.by == Criterion::Best {
                // Reject lengths without depths before the engine starts.
                (sources.tables).ask_strips(*lengths.end(), Some(Metric::Dtw), Ok)?;
            }
            let (first, count) = (*lengths.start(), lengths.clone().count());
            // Of more lengths than positions some, at equal distances.
            let few = if arguments.all { count } else { count.min(left) };
            let spread =
                |place: usize| first + (place * (count - 1)).checked_div(few - 1).unwrap_or(count - 1);
            (0..few).map(spread).map(Cases::Strips).collect()
        }
    };
    arguments.expect_few(&sizes)?;
    let mut cases = Vec::new();
    for (place, size) in sizes.iter().enumerate() {
        // Longer strips make up for short ones, which have few positions.
        let count = (!arguments.all).then_some(left / (sizes.len() - place));
        let chosen = size.choose(sources, count, arguments.single, &mut chance, job)?;
        left = left.saturating_sub(chosen.len());
        cases.extend(chosen);
    }
    if cases.is_empty() {
        return Err(CommandError::failure("no position has a single winning turn"));
    }
    Ok(cases)
}

/// Time to become ready, and tolerance for late turns.
const TIMES: [Duration; 2] = [Duration::from_secs(10), Duration::from_millis(100)];

impl Arguments {
    /// Refuses more positions than memory holds.
    fn expect_few(&self, sizes: &[Cases]) -> Result<(), CommandError> {
        let (most, squares) = (cases::MAX_POSITIONS, cases::MAX_SQUARES);
        if !self.all {
            let Boards::Strips(lengths) = &self.boards else {
                return Ok(());
            };
            return if self.sample.saturating_mul(*lengths.end() as u64) <= squares {
                Ok(())
            } else {
                let most = grouped(squares);
                Err(CommandError::Usage(format!(
                    "--sample: more than {most} squares in all; use fewer positions or shorter strips"
                )))
            };
        }
        let mut totals = sizes.iter().map(|size| size.total());
        let total = totals.try_fold(0u64, |sum, size| sum.checked_add(size?));
        if total.is_some_and(|total| total <= most) {
            return Ok(());
        }
        Err(CommandError::Usage(format!(
            "--all: more than {} positions; use --sample or fewer boards",
            grouped(most)
        )))
    }

    /// Returns the conditions of the run.
    fn properties(&self, tested: &Contestant) -> Vec<(&'static str, String)> {
        let limit = match tested.control.limit {
            TurnLimit::Movetime(time) => ("movetime", format!("{} ms", time.as_millis())),
            TurnLimit::Depth(depth) => ("depth", depth.to_string()),
            TurnLimit::Nodes(nodes) => ("nodes", nodes.to_string()),
            TurnLimit::Clock(..) => ("clock", String::new()),
        };
        let drawn = if self.all {
            ("positions", "all".to_string())
        } else {
            ("seed", self.seed.to_string())
        };
        let winning = if self.single { "1" } else { "any" };
        let version = concat!("phutbase ", env!("CARGO_PKG_VERSION")).to_string();
        vec![
            ("version", version),
            ("boards", self.boards.to_string()),
            drawn,
            limit,
            ("by", self.by.word().to_string()),
            ("winning turns", winning.to_string()),
        ]
    }

    /// Returns the engine.
    fn tested(&self) -> Result<Contestant, CommandError> {
        match (&self.engines.0[..], &self.command[..]) {
            ([keys], command) => contestant(keys.iter(), command, TIMES),
            ([], command @ [_, ..]) => contestant([].iter(), command, TIMES),
            _ => Err(CommandError::usage(
                "name one engine, by its command after '--' or with --engine",
            )),
        }
    }
}

/// Letters of a position that are printed without `--json`.
const MAX_SHOWN: usize = 1_000;

fn print(
    out: &mut impl Write,
    arguments: &Arguments,
    common: &GlobalOptions,
    with_result: &[Judged],
    rows: &[(Boards, Tally)],
) -> Result<(), CommandError> {
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
            json_line(out, &line)?;
        } else {
            let short: String = position.chars().take(MAX_SHOWN).collect();
            let more = if short == position { "" } else { "…" };
            writeln!(out, "{short}{more}: {}", shown(message))?;
        }
    }
    if !common.json {
        writeln!(
            out,
            "{:>6} {:>9} {:>8} {:>8} {:>8} {:>7} {:>6} {:>5} {:>6} {:>8} {:>8}",
            "boards",
            "positions",
            "matters",
            "good",
            "blunders",
            "illegal",
            "failed",
            "late",
            "claims",
            "slowest",
            "score"
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
                slowest_seconds: tally.slowest.as_secs_f64(),
                score: score,
            };
            json_line(out, &line)?;
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
            false_claims,
            slowest,
        } = tally;
        let slowest = format!("{} ms", slowest.as_millis());
        writeln!(
            out,
            "{boards:>6} {asked:>9} {matters:>8} {good:>8} {blunders:>8} {illegal:>7} {failed:>6} {late:>5} {false_claims:>6} {slowest:>8} {score:>8}"
        )?;
    }
    Ok(())
}

//! `phutbase verify`: re-derive every value from its successors.

use super::certify::check_file;
use super::generate::obstruction;
use super::options::{ByRules, Memory};
use super::output::{BigCount, CommandError, grouped, no_tables, say, tell, unheeded};
use super::progress;
use super::team::team;
use super::{Common, Verb, interrupt, not_for, only_for};
use crate::games::boards::Boards;
use crate::games::obstruction::Grid;
use crate::games::pitch::Shape;
use crate::games::rules::Rules;
use crate::games::strip::MIN_LENGTH;
use crate::generate::plan::{Plan, free_memory, human_bytes};
use crate::generate::witness;
use crate::solve::nimbers::{NimberLimits, NimberSolver};
use crate::solve::ranks::{InCommon, Team};
use crate::table::Metric;
use crate::table::error::TableError;
use crate::table::pitch::PitchTable;
use crate::table::strip::StripTable;
use crate::table::strip::metadata::all_positions;
use crate::table::tablebase::Tablebase;
use crate::verify::pitch::{self, Room};
use crate::verify::{Fault, strip};
use clap::Args;
use num_bigint::BigUint;
use serde::Serialize;
use std::collections::BTreeSet;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase verify             every table
  phutbase verify 128         the tables that answer for strips of 128 squares
  phutbase verify 3..24 --by-enumeration    every value held against an engine that enumerates all boards
  phutbase verify 7x3 --json
  phutbase verify 7x4 --memory 0.2    in less memory than the whole table takes unpacked
  phutbase verify proof.cert    a certificate, with the rules alone
  phutbase verify obstruction:torus:6x6    the nimbers of boards up to a size, found again from nothing")]
pub struct Arguments {
    /// Boards, or the file of a certificate [default: every table of strips and pitches under the rules]
    #[arg(value_name = "BOARDS|FILE")]
    subject: Option<Subject>,
    /// Memory that the values of a pitch may take [default: what the system has free]
    #[arg(long, value_name = "GiB")]
    memory: Option<Memory>,
    /// Enumerate every board of strips with an engine that knows no diagrams, and compare every value with the table
    #[arg(long)]
    by_enumeration: bool,
    #[command(flatten)]
    by: ByRules,
}

/// What is verified.
#[derive(Clone)]
enum Subject {
    Boards(Boards),
    Certificate(PathBuf),
}

impl FromStr for Subject {
    type Err = <Boards as FromStr>::Err;

    fn from_str(text: &str) -> Result<Subject, Self::Err> {
        let path = Path::new(text);
        match text.parse() {
            Ok(boards) => Ok(Subject::Boards(boards)),
            Err(_) if path.is_file() || path.extension().is_some_and(|ending| ending == "cert") => {
                Ok(Subject::Certificate(path.into()))
            }
            Err(error) => Err(error),
        }
    }
}

/// Memory of the search for nimbers, in bytes.
const NIMBER_MEMORY: u64 = 1 << 30;

#[derive(Serialize)]
struct Line {
    game: &'static str,
    /// The rules, unless they are the ordinary ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<&'static str>,
    boards: String,
    /// The shortest and the longest strips whose values follow.
    #[serde(skip_serializing_if = "Option::is_none")]
    settles: Option<[usize; 2]>,
    metric: String,
    file: String,
    ok: bool,
    /// Whether the check proves every value: by depths or a certificate, not by consistency alone.
    proof: bool,
    positions: BigCount,
    error: Option<String>,
    /// The first position whose value is wrong.
    position: Option<String>,
    seconds: f64,
    /// Whether the table cannot be read: not a wrong value, but damage.
    #[serde(skip)]
    damaged: bool,
}

impl Verb for Arguments {
    fn is_shared(&self) -> bool {
        matches!(self.subject, Some(Subject::Boards(Boards::Pitch(_))))
    }

    fn run(&self, common: &Common) -> Result<(), CommandError> {
        let boards = match &self.subject {
            Some(Subject::Certificate(file)) => return check_file(file, common.json),
            Some(Subject::Boards(boards)) => Some(boards),
            None => None,
        };
        let (strips, obstruction) = match boards {
            Some(Boards::Strips(_)) => (true, false),
            Some(Boards::Obstruction(_)) => (false, true),
            _ => (false, false),
        };
        only_for(&[
            (self.by_enumeration && !strips, "by-enumeration", "strips"),
            (
                self.memory.is_some() && (obstruction || strips && !self.by_enumeration),
                "memory",
                "pitches and --by-enumeration",
            ),
            (
                obstruction && self.by.rules != Rules::Ordinary,
                "rules",
                "strips and pitches",
            ),
        ])?;
        let rules = self.by.rules;
        let team = if self.is_shared() { team() } else { Team::alone() };
        let tables = team.agree_on(common.tablebase(rules, common.places_named()))?;
        let (strips, pitches) = match boards {
            None => (tables.strip_tables().collect(), tables.shapes()),
            Some(Boards::Pitch(shape)) => (Vec::new(), vec![*shape]),
            Some(Boards::Strips(lengths)) if self.by_enumeration => {
                return (lengths.clone())
                    .try_for_each(|length| enumerate(&tables, length, self.memory, common));
            }
            Some(Boards::Strips(lengths)) => (answering(&tables, lengths)?, Vec::new()),
            Some(Boards::Obstruction(largest)) => return verify_nimbers(&tables, *largest, common),
            Some(other) => {
                let possible = "strips, a pitch, or a board of Obstruction";
                return Err(not_for("verify", other, possible));
            }
        };
        if strips.is_empty() && pitches.is_empty() {
            return Err(no_tables(tables.places()));
        }
        for (metric, length) in strips {
            verify_strips(&tables, metric, length, common)?;
        }
        pitches
            .into_iter()
            .try_for_each(|shape| verify_pitch(&tables, shape, self.memory, &team, common))
    }
}

/// The tables that answer for strips of some lengths: of each metric the smallest that is long enough.
fn answering(
    tables: &Tablebase,
    lengths: &RangeInclusive<usize>,
) -> Result<Vec<(Metric, usize)>, CommandError> {
    let smallest = |metric, length| {
        tables
            .strip_tables()
            .find(|&(found, held)| found == metric && held >= length)
    };
    let mut found = BTreeSet::new();
    for length in lengths.clone() {
        let here = [Metric::Dtw, Metric::Wdl].map(|metric| smallest(metric, length));
        if here == [None, None] {
            return Err(tables.missing(Boards::strip(length), false).into());
        }
        found.extend(here.into_iter().flatten());
    }
    Ok(found.into_iter().collect())
}

/// What is said of the nimber of a board.
#[derive(Serialize)]
struct NimberLine {
    game: &'static str,
    boards: String,
    ok: bool,
    nimber: u8,
    /// What was found from nothing.
    found: u8,
    seconds: f64,
}

/// Finds the nimbers of all boards up to a size again, from nothing.
fn verify_nimbers(tables: &Tablebase, largest: Grid, common: &Common) -> Result<(), CommandError> {
    let there = obstruction::stored(tables.nimbers()?, largest);
    if there.is_empty() {
        return Err(no_tables(tables.places()));
    }
    let solver = NimberSolver::new(NIMBER_MEMORY);
    let limits = NimberLimits {
        stop: Some(interrupt::flag("stopping")),
        deadline: None,
    };
    let mut wrong = Vec::new();
    for (board, nimber) in there {
        let begun = Instant::now();
        let boards = Boards::Obstruction(board);
        let found = obstruction::find(&solver, board, limits)
            .ok_or_else(|| CommandError::Interrupted(format!("interrupted at {boards}")))?;
        let line = NimberLine {
            game: boards.game(),
            boards: boards.to_string(),
            ok: found == nimber,
            nimber: nimber.0,
            found: found.0,
            seconds: begun.elapsed().as_secs_f64(),
        };
        if !line.ok {
            wrong.push(format!(
                "{boards} is worth {found}, and not {nimber} as the table says"
            ));
        }
        tell(unheeded(), common.json, &line, |out| {
            let seconds = line.seconds;
            writeln!(
                out,
                "{boards}: {nimber}, found again from nothing: {found} ({seconds:.1} s)"
            )
        })?;
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(CommandError::Failure(wrong.join("; "))),
    }
}

fn verify_strips(
    tables: &Tablebase,
    metric: Metric,
    length: usize,
    common: &Common,
) -> Result<(), CommandError> {
    let begun = Instant::now();
    let source = tables.strip_source(metric, length);
    let file = source.expect("the tablebase lists it").path();
    let found = tables.strip_table(metric, length).and_then(|table| {
        if let Some(fault) = check_strips(table)? {
            return Ok(Some(fault));
        }
        // Who wins by depths and by levels must agree as well.
        let other = tables
            .strip_tables()
            .filter(|&(found, _)| found == Metric::Dtw)
            .last();
        match other {
            Some((deep, longest)) if metric == Metric::Wdl => {
                strip::compare(tables.strip_table(deep, longest)?, table)
            }
            _ => Ok(None),
        }
    });
    let proved = match metric {
        Metric::Dtw => "every depth follows from its successors",
        Metric::Wdl => "every outcome is proved by forward play",
    };
    let what = format!("{proved}; so do all strips of {MIN_LENGTH} to {length} squares");
    let line = Line {
        metric: metric.to_string(),
        settles: Some([MIN_LENGTH, length]),
        ..Line::new(
            &Boards::strip(length),
            tables.rules(),
            &file,
            all_positions(length),
        )
    };
    report(line.judged(found, begun), &what, common.json)
}

/// Holds the values of a length against those of the engine that enumerates every board.
fn enumerate(
    tables: &Tablebase,
    length: usize,
    memory: Option<Memory>,
    common: &Common,
) -> Result<(), CommandError> {
    let begun = Instant::now();
    let plan = Plan::of_enumeration(length)?;
    let table = tables.best(length)?;
    let positions = grouped(plan.positions);
    say(&format!(
        "length {length}: enumerating {positions} positions, up to {} of memory",
        human_bytes(plan.memory)
    ));
    let bar = progress::bar(plan.positions);
    bar.set_prefix(format!("length {length}"));
    let stop = interrupt::flag("stopping");
    let memory = memory.map(|memory| memory.0);
    let found = witness::compare(table, length, memory, &mut |ply, decided| {
        bar.set_message(format!("ply {ply}"));
        bar.set_position(decided);
        interrupt::flow(stop)
    });
    bar.finish_and_clear();
    let fault = found?.map(|difference| difference.to_string());
    let mut line = Line {
        metric: table.metric().to_string(),
        proof: false,
        ..Line::new(
            &Boards::strip(length),
            tables.rules(),
            table.path(),
            all_positions(length),
        )
    };
    line.error = fault.map(|fault| format!("{}: {fault}", line.file));
    line.ok = line.error.is_none();
    line.seconds = begun.elapsed().as_secs_f64();
    let what = format!("strips of {length} squares: every value is that of an enumeration of all boards");
    report(line, &what, common.json)
}

fn verify_pitch(
    tables: &Tablebase,
    shape: Shape,
    memory: Option<Memory>,
    team: &Team,
    common: &Common,
) -> Result<(), CommandError> {
    let begun = Instant::now();
    let source = tables
        .pitch_source(shape)
        .ok_or_else(|| tables.missing(Boards::Pitch(shape), true));
    let source = team.agree_on(source)?;
    let found = team.agree_on(tables.pitch(shape));
    let found = found.and_then(|table| check_pitch(table, memory, team));
    if !team.is_first() {
        // The first one says what is wrong.
        return match found {
            Ok(None) => Ok(()),
            _ => Err(CommandError::Failure(String::new())),
        };
    }
    let positions = BigUint::from(shape.interior().len()) << (shape.points() - 1);
    let line = Line::new(&Boards::Pitch(shape), tables.rules(), &source.path(), positions);
    let what = "every depth follows from its successors";
    report(line.judged(found, begun), what, common.json)
}

impl Line {
    /// What is said of a table whose depths prove every value, if nothing is wrong.
    fn new(boards: &Boards, rules: Rules, file: &Path, positions: BigUint) -> Line {
        Line {
            game: boards.game(),
            rules: rules.name_if_special(),
            boards: boards.to_string(),
            settles: None,
            metric: Metric::Dtw.to_string(),
            file: file.display().to_string(),
            ok: true,
            proof: true,
            positions: BigCount(positions),
            error: None,
            position: None,
            seconds: 0.0,
            damaged: false,
        }
    }

    /// The same with what a check found.
    fn judged(mut self, found: Result<Option<Fault>, impl Into<CommandError>>, begun: Instant) -> Line {
        (self.error, self.position) = match found {
            Ok(None) => (None, None),
            Ok(Some(fault)) => {
                let position = fault.position().map(str::to_string);
                (Some(format!("{}: {fault}", self.file)), position)
            }
            Err(error) => {
                let error = error.into();
                self.damaged = matches!(error, CommandError::System(_));
                (Some(error.to_string()), None)
            }
        };
        self.ok = self.error.is_none();
        self.proof &= self.ok;
        self.seconds = begun.elapsed().as_secs_f64();
        self
    }
}

/// Prints what was found. The exit code says whether all is well, whoever reads, so the check goes on if nobody does.
fn report(line: Line, what: &str, json: bool) -> Result<(), CommandError> {
    tell(unheeded(), json, &line, |out| {
        if line.ok {
            let (file, positions, seconds) = (&line.file, grouped(&line.positions.0), line.seconds);
            writeln!(out, "{file}: {positions} positions, {what} ({seconds:.1} s)")?;
        }
        Ok(())
    })?;
    match line.error {
        None => Ok(()),
        Some(error) if line.damaged => Err(CommandError::System(error)),
        Some(error) => Err(CommandError::Failure(error)),
    }
}

fn check_strips(table: &StripTable) -> Result<Option<Fault>, TableError> {
    let positions = grouped(all_positions(table.length()));
    let what = format!("{positions} positions, each with either player to move");
    let boards = Boards::strip(table.length());
    let work = strip::steps(table);
    let step = |done: u64| match table.metric() {
        Metric::Dtw => format!("ply {} of {work}", work.min(done + 1)),
        Metric::Wdl => format!("equations of the levels, {done} of {work} checked"),
    };
    watched(table.path(), &what, &boards, (work, &step), |done| {
        strip::check(table, done)
    })
}

/// Refuses what takes more memory than may be used.
fn fits(file: &Path, needed: u64, available: u64) -> Result<(), TableError> {
    match needed <= available {
        true => Ok(()),
        false => Err(TableError::Limit {
            file: file.to_path_buf(),
            reason: format!(
                "checking it takes {} of memory and {} may be used",
                human_bytes(needed),
                human_bytes(available)
            ),
        }),
    }
}

fn check_pitch(
    table: &PitchTable,
    memory: Option<Memory>,
    team: &Team,
) -> Result<Option<Fault>, InCommon<TableError>> {
    let ample = pitch::ample_memory(table);
    // Those that share a machine share what it has. Where not all is unpacked at once, an eighth of that stays free.
    let free = || free_memory() / team.beside() as u64;
    let spared = |free: u64| if free < ample { free - free / 8 } else { free };
    let available = memory.map_or_else(|| spared(free()), |memory| memory.0);
    team.agree_on(fits(table.path(), pitch::least_memory(table), available))?;
    let room = Room::new(available.min(ample));
    if !team.is_first() {
        return pitch::check(table, &room, &AtomicU64::new(0), team);
    }
    let work = pitch::stored_positions(table);
    let (positions, bytes) = (grouped(work), human_bytes(available.min(ample)));
    let how = match available < ample {
        true => format!(", where all would take {}", human_bytes(ample)),
        false => String::new(),
    };
    let what = format!("{positions} positions, the rest being mirror images; up to {bytes} of memory{how}");
    let boards = Boards::Pitch(table.shape());
    let step = |done: u64| format!("{} of {} positions", grouped(done), grouped(work));
    watched(table.path(), &what, &boards, (work, &step), |done| {
        pitch::check(table, &room, done, team)
    })
}

/// Says what is checked and shows how far that is, of so much work, with the name of the step. A signal ends it at once with how far
/// it got: nothing is lost but the time.
fn watched<T: Send>(
    file: &Path,
    what: &str,
    boards: &Boards,
    (work, step): (u64, &dyn Fn(u64) -> String),
    check: impl FnOnce(&AtomicU64) -> T + Send,
) -> T {
    say(&format!("{}: checking {what}", file.display()));
    let bar = progress::bar(work);
    bar.set_prefix(boards.words());
    let done = AtomicU64::new(0);
    let stop = interrupt::flag("stopping");
    let interrupted = |done: u64| {
        if stop.load(Ordering::Relaxed) {
            bar.finish_and_clear();
            let (file, step) = (file.display(), step(done));
            let error =
                CommandError::Interrupted(format!("interrupted: {file} is not checked to the end: {step}"));
            error.report();
            std::process::exit(130);
        }
    };
    progress::watch(&bar, &done, step, interrupted, || check(&done))
}

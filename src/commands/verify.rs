//! `phutbase verify`: derives every value again from its successors.

use super::certify::check_file;
use super::generate::obstruction;
use super::options::{ByRules, memory_size};
use super::output::{
    BigCount, CommandError, expect_none, grouped, log_if_slow, memory_words, no_tables, object, print_result,
};
use super::progress;
use super::team::team;
use super::{Common, Verb, interrupt, not_for, one_length, only_for};
use crate::answer::BoardsLabel;
use crate::games::obstruction::Grid;
use crate::games::strip::MIN_LENGTH;
use crate::games::{Boards, Rules, Shape};
use crate::generate::plan::{Plan, free_memory, human_bytes};
use crate::generate::witness;
use crate::ranks::{SharedError, Team};
use crate::solve::nimbers::{NimberLimits, NimberSolver};
use crate::table::strip::metadata::all_positions;
use crate::table::{Metric, PitchTable, StripTable, TableError, Tablebase};
use crate::verify::pitch::{self, BlockBudget};
use crate::verify::{Fault, strip};
use clap::Args;
use num_bigint::BigUint;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase verify                          every table
  phutbase verify 128                      the tables for 128 squares
  phutbase verify 3..24 --by-enumeration   compare with an enumeration
  phutbase verify 7x3 --json
  phutbase verify 7x4 --memory 200MiB      unpack only a part at a time
  phutbase verify proof.cert               a certificate, by the rules
  phutbase verify obstruction:torus:6x6    recompute the nimbers")]
pub struct Arguments {
    /// Boards, or the file of a certificate [default: every table of strips and pitches under the
    /// rules]
    #[arg(value_name = "BOARDS|FILE")]
    subject: Option<Subject>,
    /// Limit the memory for the values of a pitch [default: what the system has free]
    #[arg(long, value_name = "SIZE", value_parser = memory_size)]
    memory: Option<u64>,
    /// Compare every value of strips with an enumeration of all boards, without diagrams
    #[arg(long)]
    by_enumeration: bool,
    #[command(flatten)]
    by: ByRules,
}

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

/// A table, and the statement that its check proves.
struct Checked<'a> {
    boards: Boards,
    rules: Rules,
    metric: Metric,
    file: &'a Path,
    /// True if the check proves every value, by depths or a certificate, not only consistency.
    is_proof: bool,
    positions: BigUint,
    statement: String,
    begun: Instant,
}

/// A wrong value, and its position if it is one.
type Wrong = (String, Option<String>);

fn wrong(fault: Fault) -> Wrong {
    (fault.to_string(), fault.position().map(str::to_string))
}

impl Checked<'_> {
    /// Prints the result. The exit code carries it too, so a closed output does not stop the check.
    fn report(self, found: Result<Option<Wrong>, CommandError>, json: bool) -> Result<(), CommandError> {
        let (file, seconds) = (self.file.display(), self.begun.elapsed().as_secs_f64());
        let (error, position) = match found {
            Ok(None) => (None, None),
            Ok(Some((fault, position))) => {
                (Some(CommandError::Failure(format!("{file}: {fault}"))), position)
            }
            Err(error) => (Some(error), None),
        };
        // The shortest and longest strips verified.
        let length = one_length(&self.boards).filter(|_| self.is_proof);
        let settles = length.map(|length| [MIN_LENGTH, length]);
        let words = format!(
            "{file}: {} positions, {} ({seconds:.1} s)",
            grouped(&self.positions),
            self.statement
        );
        let object = object! {
            #[serde(flatten)]
            label: BoardsLabel::new(&self.boards, self.rules),
            #[serde(flatten)]
            settles: settles.map(|settles| object! { settles: settles }),
            metric: self.metric.to_string(),
            file: file.to_string(),
            ok: error.is_none(),
            proof: self.is_proof && error.is_none(),
            positions: BigCount(self.positions),
            error: error.as_ref().map(ToString::to_string),
            /// The first position with a wrong value.
            position: position,
            seconds: seconds,
        };
        print_result(json, &object, |out| match error {
            None => writeln!(out, "{words}"),
            Some(_) => Ok(()),
        })?;
        error.map_or(Ok(()), Err)
    }
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
            self.by.only_pitches(boards),
        ])?;
        let rules = self.by.rules;
        let team = if self.is_shared() { team() } else { Team::alone() };
        let tables = team.agree_on(common.tablebase(rules))?;
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
            return Err(no_tables(&tables));
        }
        let strips =
            (strips.into_iter()).map(|(metric, length)| verify_strips(&tables, metric, length, common));
        let pitches =
            (pitches.into_iter()).map(|shape| verify_pitch(&tables, shape, self.memory, &team, common));
        all(strips.chain(pitches))
    }
}

/// Runs all checks and reports every failure. Damage takes precedence in the exit code.
fn all(checks: impl Iterator<Item = Result<(), CommandError>>) -> Result<(), CommandError> {
    let mut failed: Option<CommandError> = None;
    for check in checks {
        let error = match check {
            Ok(()) => continue,
            Err(error @ (CommandError::Failure(_) | CommandError::System(_))) => error,
            Err(error) => return Err(error),
        };
        failed = Some(match failed {
            None => error,
            Some(earlier) => {
                earlier.report();
                match earlier {
                    CommandError::System(_) => CommandError::system(error),
                    _ => error,
                }
            }
        });
    }
    failed.map_or(Ok(()), Err)
}

/// Returns the tables that answer for strips of some lengths: the smallest one of each metric.
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
        // The winners by depths and by levels must agree as well.
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
    let checked = Checked {
        boards: Boards::strip(length),
        rules: tables.rules(),
        metric,
        file: &file,
        is_proof: true,
        positions: all_positions(length),
        statement: format!("{proved}; so do all strips of {MIN_LENGTH} to {length} squares"),
        begun,
    };
    let found = found.map(|fault| fault.map(wrong)).map_err(CommandError::from);
    checked.report(found, common.json)
}

/// Compares the values of a length with an enumeration of every board.
fn enumerate(
    tables: &Tablebase,
    length: usize,
    memory: Option<u64>,
    common: &Common,
) -> Result<(), CommandError> {
    let begun = Instant::now();
    let plan = Plan::of_enumeration(length)?;
    let table = tables.best(length)?;
    let positions = grouped(plan.positions);
    let memory_words = memory_words(plan.memory);
    log_if_slow(format!(
        "length {length}: enumerating {positions} positions{memory_words}"
    ));
    let bar = progress::bar(plan.positions);
    bar.set_prefix(format!("length {length}"));
    let stop = interrupt::flag("stopping");
    let found = witness::compare(table, length, memory, &mut |ply, decided| {
        bar.set_message(format!("ply {ply}"));
        bar.set_position(decided);
        interrupt::flow(stop)
    });
    bar.finish_and_clear();
    let fault = found?.map(|difference| (difference.to_string(), None));
    let checked = Checked {
        boards: Boards::strip(length),
        rules: tables.rules(),
        metric: table.metric(),
        file: table.path(),
        is_proof: false,
        positions: all_positions(length),
        statement: format!(
            "strips of {length} squares: every value agrees with an enumeration of all boards"
        ),
        begun,
    };
    checked.report(Ok(fault), common.json)
}

fn verify_pitch(
    tables: &Tablebase,
    shape: Shape,
    memory: Option<u64>,
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
        // The first process reports; all end with its exit code.
        return match found {
            Ok(None) => Ok(()),
            Ok(Some(_)) => Err(CommandError::Failure(String::new())),
            Err(error) => Err(error.into()),
        };
    }
    let checked = Checked {
        boards: Boards::Pitch(shape),
        rules: tables.rules(),
        metric: Metric::Dtw,
        file: &source.path(),
        is_proof: true,
        positions: BigUint::from(shape.interior().len()) << (shape.points() - 1),
        statement: "every depth follows from its successors".to_string(),
        begun,
    };
    let found = found.map(|fault| fault.map(wrong)).map_err(CommandError::from);
    checked.report(found, common.json)
}

fn check_strips(table: &StripTable) -> Result<Option<Fault>, TableError> {
    let positions = grouped(all_positions(table.length()));
    let what = format!("{positions} positions, each with either player to move");
    let boards = Boards::strip(table.length());
    let work = strip::steps(table);
    let sets = match table.metric() {
        Metric::Dtw => "plies",
        Metric::Wdl => "levels",
    };
    let step = |done: u64| format!("equations of the {sets} on half a strip, {done} of {work} checked");
    watched(table.path(), &what, &boards, (work, &step), |done| {
        strip::check(table, done)
    })
}

/// Rejects work that needs more memory than is available.
fn ensure_memory(file: &Path, needed: u64, available: u64) -> Result<(), TableError> {
    if needed <= available {
        Ok(())
    } else {
        Err(TableError::Limit {
            file: file.to_path_buf(),
            reason: format!(
                "checking it takes {} of memory and {} may be used",
                human_bytes(needed),
                human_bytes(available)
            ),
        })
    }
}

fn check_pitch(
    table: &PitchTable,
    memory: Option<u64>,
    team: &Team,
) -> Result<Option<Fault>, SharedError<TableError>> {
    let ample = pitch::ample_memory(table);
    // Processes on one machine share its memory. An eighth stays free unless all is unpacked.
    let free = || free_memory() / team.beside() as u64;
    let spared = |free: u64| if free < ample { free - free / 8 } else { free };
    let available = memory.unwrap_or_else(|| spared(free()));
    team.agree_on(ensure_memory(table.path(), pitch::least_memory(table), available))?;
    let room = BlockBudget::new(available.min(ample));
    if !team.is_first() {
        return pitch::check(table, &room, &AtomicU64::new(0), team);
    }
    let work = pitch::stored_positions(table);
    let (positions, bytes) = (grouped(work), human_bytes(available.min(ample)));
    let how = if available < ample {
        format!(", where all would take {}", human_bytes(ample))
    } else {
        String::new()
    };
    let what = format!("{positions} positions, the rest being mirror images; up to {bytes} of memory{how}");
    let boards = Boards::Pitch(table.shape());
    let step = |done: u64| format!("{} of {} positions", grouped(done), grouped(work));
    watched(table.path(), &what, &boards, (work, &step), |done| {
        pitch::check(table, &room, done, team)
    })
}

/// Shows the progress of a check in units of `work`, named by `step`. A signal ends the program at
/// once, since nothing is lost but time.
fn watched<T: Send>(
    file: &Path,
    what: &str,
    boards: &Boards,
    (work, step): (u64, &dyn Fn(u64) -> String),
    check: impl FnOnce(&AtomicU64) -> T + Send,
) -> T {
    log_if_slow(format!("{}: checking {what}", file.display()));
    let bar = progress::bar(work);
    bar.set_prefix(boards.words());
    let done = AtomicU64::new(0);
    let stop = interrupt::flag("stopping");
    let interrupted = |done: u64| {
        if stop.load(Ordering::Relaxed) {
            bar.finish_and_clear();
            let (file, step) = (file.display(), step(done));
            let error = CommandError::Interrupted(format!("interrupted; {file} was checked up to {step}"));
            error.report();
            std::process::exit(130);
        }
    };
    progress::watch(&bar, &done, step, interrupted, || check(&done)).unwrap_or_else(|error| {
        error.report();
        std::process::exit(3)
    })
}

/// Memory limit of the search for nimbers, in bytes.
const NIMBER_MEMORY: u64 = 1 << 30;

/// Recomputes the nimbers of all stored boards up to a size.
fn verify_nimbers(tables: &Tablebase, largest: Grid, common: &Common) -> Result<(), CommandError> {
    let stored = obstruction::stored(tables.nimbers()?, largest);
    if stored.is_empty() {
        return Err(obstruction::no_nimbers(tables, largest));
    }
    let solver = NimberSolver::new(NIMBER_MEMORY);
    let limits = NimberLimits {
        stop: Some(interrupt::flag("stopping")),
        deadline: None,
    };
    let mut wrong = Vec::new();
    for (board, nimber) in stored {
        let begun = Instant::now();
        let boards = Boards::Obstruction(board);
        let found = obstruction::find(&solver, board, limits)
            .ok_or_else(|| CommandError::Interrupted(format!("interrupted at {boards}")))?;
        let seconds = begun.elapsed().as_secs_f64();
        if found != nimber {
            wrong.push(format!(
                "{boards}: the nimber is {found}, but the table has {nimber}"
            ));
        }
        let object = object! {
            #[serde(flatten)]
            label: BoardsLabel::new(&boards, Rules::Ordinary),
            ok: found == nimber,
            nimber: nimber.0,
            found: found.0,
            seconds: seconds,
        };
        print_result(common.json, &object, |out| {
            writeln!(out, "{boards}: {nimber}, recomputed: {found} ({seconds:.1} s)")
        })?;
    }
    expect_none(&wrong, "; ", CommandError::Failure)
}

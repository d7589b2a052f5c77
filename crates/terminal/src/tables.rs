//! Tables that programs make and verify: the lock on their directory, and the lines about them.

use super::monitor;
use super::output::{CommandError, print_result};
use num_bigint::BigUint;
use phutbase_ask::BoardsLabel;
use phutbase_ask::stats::TableCounts;
use phutbase_base::count::Count;
use phutbase_base::digits::{grouped, human_bytes};
use phutbase_base::job::Job;
use phutbase_base::object;
use phutbase_files::FileError;
use phutbase_generate::{Outcome, Request, TablesLock, Work};
use phutbase_pitches::solver::Setup;
use phutbase_rules::strip::MIN_LENGTH;
use phutbase_rules::{Boards, Rules, Shape};
use phutbase_table::{BoardTable, Metric, PitchTable, Summary, TableError, Tablebase};
use phutbase_verify::Fault;
use std::path::Path;
use std::time::Instant;

/// Locks the directory of a table. Where this is refused, an existing, intact table is kept without
/// a lock.
pub fn lock<W: Work>(request: &Request<W>) -> Result<Option<TablesLock>, TableError> {
    match TablesLock::hold(&request.tables) {
        Err(TableError::File(FileError::Io { .. })) if matches!(request.outcome(), Ok(Outcome::Present)) => {
            Ok(None)
        }
        held => held.map(Some),
    }
}

/// Reports a table. A closed output does not stop the work.
pub fn print_made(
    table: BoardTable<'_>,
    (outcome, seconds): (Outcome, f64),
    holds: Option<[usize; 2]>,
    json: bool,
) -> Result<(), CommandError> {
    let (boards, counts) = (table.boards(), TableCounts::of(table)?);
    let (bytes, file) = (table.file_bytes(), table.path().display().to_string());
    let (status, done) = match outcome {
        Outcome::Present => ("present", "kept, already complete".to_string()),
        Outcome::Written => ("written", format!("written in {seconds:.2} s")),
        Outcome::Replaced => ("replaced", format!("replaced an unusable file in {seconds:.2} s")),
    };
    let longest = (counts.longest).map_or(String::new(), |plies| format!(", longest {plies} plies"));
    let mut words = format!(
        "{}{}, {} to move: {} wins, {} losses, {} draws{longest}; {} in {file}, {done}",
        boards.words(),
        table.rules().remark(),
        boards.first_player(),
        grouped(&counts.wins.0),
        grouped(&counts.losses.0),
        grouped(&counts.draws.0),
        human_bytes(bytes),
    );
    if let Some([first, last]) = holds {
        words += &format!("\nit holds every strip of {first} to {last} squares");
    }
    let object = object! {
        #[serde(flatten)]
        counts: counts,
        status: status,
        seconds: seconds,
        bytes: bytes,
        file: file,
        /// The shortest and longest strips in the table.
        #[serde(flatten)]
        holds: holds.map(|holds| object! { holds: holds }),
    };
    print_result(json, &object, |out| writeln!(out, "{words}"))
}

/// Prints the table of a pitch that was made.
pub fn print_made_pitch(
    request: &Request<Setup>,
    outcome: Outcome,
    begun: Instant,
    json: bool,
) -> Result<(), CommandError> {
    let seconds = begun.elapsed().as_secs_f64();
    let table = PitchTable::open(&request.path())?;
    print_made(BoardTable::Pitch(&table), (outcome, seconds), None, json)
}

/// Prints the counts of a pitch that was solved without a table, from those of each ply.
pub fn print_counts(
    request: &Request<Setup>,
    plies: &[u64],
    begun: Instant,
    json: bool,
) -> Result<(), CommandError> {
    let Setup { shape, rules, .. } = request.work;
    let (found, seconds) = (Summary::of_pitch(shape, plies), begun.elapsed().as_secs_f64());
    let object = object! {
        #[serde(flatten)]
        counts: TableCounts {
            longest: Some(found.longest()),
            ..TableCounts::new(&Boards::Pitch(shape), rules, Metric::Wdl, &found)
        },
        seconds: seconds,
    };
    print_result(json, &object, |out| {
        writeln!(
            out,
            "pitch {shape}{}, Alfred to move: {} positions, {} wins, {} losses, {} draws, longest {} plies ({seconds:.1} s)",
            rules.remark(),
            grouped(found.positions()),
            grouped(&found.wins),
            grouped(&found.losses),
            grouped(&found.draws),
            found.longest(),
        )
    })
}

/// Values that were checked, and the statement that the check proves.
pub struct Checked<'a> {
    pub boards: Boards,
    pub rules: Rules,
    pub metric: Metric,
    /// The table; `None` for the winners by the rule.
    pub file: Option<&'a Path>,
    /// True if the check proves every value, by depths or a certificate, not only consistency.
    pub is_proof: bool,
    pub positions: BigUint,
    pub statement: String,
    pub begun: Instant,
}

/// A wrong value, and its position if it is one.
pub type Wrong = (String, Option<String>);

pub fn wrong(fault: Fault) -> Wrong {
    (fault.to_string(), fault.position().map(str::to_string))
}

impl Checked<'_> {
    /// Prints the result. The exit code carries it too, so a closed output does not stop the check.
    pub fn report(self, found: Result<Option<Wrong>, CommandError>, json: bool) -> Result<(), CommandError> {
        let file = self.file.map(|file| file.display().to_string());
        let (name, seconds) = (
            file.as_deref().unwrap_or("rule"),
            self.begun.elapsed().as_secs_f64(),
        );
        let (error, position) = match found {
            Ok(None) => (None, None),
            Ok(Some((fault, position))) => {
                (Some(CommandError::Failure(format!("{name}: {fault}"))), position)
            }
            Err(error) => (Some(error), None),
        };
        // The shortest and longest strips verified.
        let is_proof = self.is_proof && error.is_none();
        let length = self.boards.one_length().filter(|_| is_proof);
        let settles = length.map(|length| [MIN_LENGTH, length]);
        let words = format!(
            "{name}: {} positions, {} ({seconds:.1} s)",
            grouped(&self.positions),
            self.statement
        );
        let object = object! {
            #[serde(flatten)]
            label: BoardsLabel::new(&self.boards, self.rules),
            #[serde(flatten)]
            settles: settles.map(|settles| object! { settles: settles }),
            metric: self.metric.to_string(),
            source: if file.is_some() { "table" } else { "solution" },
            #[serde(flatten)]
            file: file.as_ref().map(|file| object! { file: file }),
            ok: error.is_none(),
            proof: is_proof,
            positions: Count(self.positions),
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

/// Checks a table of a pitch and prints the result. The table is an error if it cannot be opened.
pub fn verify_pitch(
    tables: &Tablebase,
    shape: Shape,
    memory: Option<u64>,
    json: bool,
    check: impl FnOnce(Result<&PitchTable, TableError>, &Job) -> Result<Option<Fault>, CommandError>,
) -> Result<(), CommandError> {
    let begun = Instant::now();
    let source = tables.pitch_source(shape);
    let source = source.ok_or_else(|| tables.missing(Boards::Pitch(shape), true))?;
    let table = tables.ask_pitch(shape, Ok);
    let title = source.path().display().to_string();
    let found = monitor::run(title, memory, |job| check(table, job));
    let checked = Checked {
        boards: Boards::Pitch(shape),
        rules: tables.rules(),
        metric: Metric::Dtw,
        file: Some(&source.path()),
        is_proof: true,
        positions: BigUint::from(shape.interior().len()) << (shape.points() - 1),
        statement: "every depth follows from its successors".to_string(),
        begun,
    };
    checked.report(found.map(|fault| fault.map(wrong)), json)
}

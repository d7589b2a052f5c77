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
use phutbase_pitches::solver::Setup;
use phutbase_rules::strip::{MIN_LENGTH, positions};
use phutbase_rules::{Boards, Rules, Shape};
use phutbase_solve::generate::{Outcome, Request, TablesLock, Work};
use phutbase_tables::{BoardTable, Metric, PitchTable, Summary, TableError, Tablebase};
use phutbase_verify::Mismatch;
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
    let counted = counted(&boards, table.rules(), &counts);
    let mut words = format!("{counted}; {} in {file}, {done}", human_bytes(bytes));
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
    let (boards, rules) = (Boards::Pitch(request.work.shape), request.work.rules);
    let (found, seconds) = (
        Summary::of_pitch(request.work.shape, plies),
        begun.elapsed().as_secs_f64(),
    );
    let counts = TableCounts {
        longest: Some(found.longest()),
        ..TableCounts::new(&boards, rules, Metric::Wdl, &found)
    };
    let words = counted(&boards, rules, &counts);
    let object = object! {
        #[serde(flatten)]
        counts: counts,
        seconds: seconds,
    };
    print_result(json, &object, |out| writeln!(out, "{words} ({seconds:.1} s)"))
}

/// Describes boards with their counts.
fn counted(boards: &Boards, rules: Rules, counts: &TableCounts) -> String {
    let [positions, wins, losses, draws] =
        [&counts.positions, &counts.wins, &counts.losses, &counts.draws].map(|count| grouped(&count.0));
    let longest = (counts.longest).map_or(String::new(), |plies| format!(", longest {plies} plies"));
    format!(
        "{}{}, {} to move: {positions} positions, {wins} wins, {losses} losses, {draws} draws{longest}",
        boards.words(),
        rules.remark(),
        boards.first_player(),
    )
}

/// A check of values, and the statement that it proves.
pub struct TableCheck<'a> {
    pub boards: Boards,
    pub rules: Rules,
    pub metric: Metric,
    /// The table; `None` for the winners by the rule.
    pub file: Option<&'a Path>,
    /// True if the check proves every value, by depths or a certificate, not only consistency.
    pub is_proof: bool,
    pub statement: String,
}

/// A wrong value, and its position if it is one.
pub type Wrong = (String, Option<String>);

pub fn wrong(fault: Mismatch) -> Wrong {
    (fault.to_string(), fault.position().map(str::to_string))
}

impl TableCheck<'_> {
    /// Runs the check and prints its result. The exit code carries it too, so a closed output does not
    /// stop the check. `memory` is its limit in bytes; `None` for the free memory.
    pub fn run(
        self,
        title: String,
        memory: Option<u64>,
        json: bool,
        check: impl FnOnce(&Job) -> Result<Option<Wrong>, CommandError>,
    ) -> Result<(), CommandError> {
        let begun = Instant::now();
        let found = monitor::run(title, memory, check);
        let seconds = begun.elapsed().as_secs_f64();
        let file = self.file.map(|file| file.display().to_string());
        let name = file.as_deref().unwrap_or("rule");
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
        let positions = match &self.boards {
            Boards::Pitch(shape) => BigUint::from(shape.interior().len()) << (shape.points() - 1),
            boards => positions(boards.one_length().expect("strips are checked length by length")),
        };
        let words = format!(
            "{name}: {} positions, {} ({seconds:.1} s)",
            grouped(&positions),
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
            positions: Count(positions),
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
    check: impl FnOnce(Result<&PitchTable, TableError>, &Job) -> Result<Option<Mismatch>, CommandError>,
) -> Result<(), CommandError> {
    let source = tables.pitch_source(shape);
    let source = source.ok_or_else(|| tables.missing(Boards::Pitch(shape), true))?;
    let pitch = TableCheck {
        boards: Boards::Pitch(shape),
        rules: tables.rules(),
        metric: Metric::Dtw,
        file: Some(&source.path()),
        is_proof: true,
        statement: "every depth follows from its successors".to_string(),
    };
    pitch.run(source.path().display().to_string(), memory, json, |job| {
        Ok(check(tables.ask_pitch(shape, Ok), job)?.map(wrong))
    })
}

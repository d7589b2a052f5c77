//! `phutbase verify`: derives every value again from its successors.

use super::certify::check_file;
use super::generate::obstruction;
use super::options::FileOr;
use super::{Effect, Verb, not_for, only_for};
use clap::Args;
use num_bigint::BigUint;
use phutbase_ask::BoardsLabel;
use phutbase_base::digits::grouped;
use phutbase_base::job::Job;
use phutbase_base::nimber::Nimber;
use phutbase_base::object;
use phutbase_files::container::MAGIC;
use phutbase_machine::space::memory_limit;
use phutbase_nimbers::NimberSolver;
use phutbase_rules::obstruction::Grid;
use phutbase_rules::strip::MIN_LENGTH;
use phutbase_rules::{Boards, Rules};
use phutbase_sets::won::won;
use phutbase_solve::generate::plan::{check_strip_memory, strip_memory};
use phutbase_solve::generate::witness;
use phutbase_tables::{Metric, TableError, Tablebase};
use phutbase_terminal::{
    ByRules, CommandError, GlobalOptions, TableCheck, expect_none, memory_size, monitor, no_tables,
    print_result, verify_pitch, wrong,
};
use phutbase_verify::{pitch, strip};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read, Write};
use std::ops::RangeInclusive;
use std::path::Path;
use std::time::Instant;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase verify                          every table
  phutbase verify 64                       who wins on 64 squares, and its tables
  phutbase verify 3..24 --by-enumeration   compare with an enumeration
  phutbase verify 7x3 --json
  phutbase verify 7x4 --memory 200MiB      unpack only a part at a time
  phutbase verify proof.cert               a certificate, by the rules
  phutbase verify backup/old.phut          a table of any name
  phutbase verify obstruction:torus:6x6    recompute the nimbers")]
pub struct Arguments {
    /// Boards, or the file of a table or a certificate, '-' for standard input [default: every
    /// table under the rules]
    #[arg(value_name = "BOARDS|FILE")]
    subject: Option<FileOr<Boards>>,
    /// Limit the memory of the check of a table of Phutball, or of --by-enumeration [default: what the system has free]
    #[arg(long, value_name = "SIZE", value_parser = memory_size)]
    memory: Option<u64>,
    /// Compare every value of strips with an enumeration of all boards, without diagrams
    #[arg(long)]
    by_enumeration: bool,
    #[command(flatten)]
    by: ByRules,
}

impl Verb for Arguments {
    fn effects(&self, _: &GlobalOptions) -> Vec<Effect> {
        let boards = self.boards();
        let has_tables = !matches!(boards, Some(Boards::Obstruction(_)));
        let is_file = matches!(self.subject, Some(FileOr::File(_)));
        let are_strips = matches!(boards, Some(Boards::Strips(_)));
        vec![
            (self.memory.is_some() && !has_tables, "memory", LIMITED),
            (self.by_enumeration && !are_strips, "by-enumeration", "strips"),
            self.by.only_pitches(boards),
            (
                is_file && self.by.rules != Rules::default(),
                "rules",
                "boards: a file has its own rules",
            ),
        ]
    }

    fn run(&self, common: &GlobalOptions) -> Result<(), CommandError> {
        let boards = self.boards();
        let file = match &self.subject {
            Some(FileOr::File(file)) => Some(file),
            _ => None,
        };
        let tables = match file {
            Some(file) if !is_table(file)? => {
                only_for(&[(self.memory.is_some(), "memory", LIMITED)])?;
                return check_file(file, common.json);
            }
            Some(file) => Tablebase::of_file(file)?,
            None => common.tablebase(self.by.rules)?,
        };
        let memory = self.memory;
        let limit = memory_limit(memory);
        let verify_pitch = |shape| {
            verify_pitch(&tables, shape, memory, common.json, |table, job| {
                let table = table?;
                let budget = pitch::budget(table, limit?, job)?;
                Ok(pitch::check(table, &budget, job)?)
            })
        };
        let mut checks = Checks::default();
        match boards {
            Some(Boards::Strips(lengths)) if self.by_enumeration => {
                return (lengths.clone()).try_for_each(|length| enumerate(&tables, length, memory, common));
            }
            Some(Boards::Strips(lengths)) => {
                for table in answering(&tables, lengths) {
                    checks.add(verify_strips(&tables, table, limit?, common))?;
                }
                checks.add(verify_rule(*lengths.end(), limit?, common))?;
            }
            Some(Boards::Pitch(shape)) => checks.add(verify_pitch(*shape))?,
            Some(Boards::Obstruction(largest)) => {
                let stored = obstruction::stored(tables.nimbers()?, *largest);
                if stored.is_empty() {
                    return Err(obstruction::no_nimbers(&tables, *largest));
                }
                verify_nimbers(&stored, common)?;
            }
            Some(other) => {
                let possible = "strips, a pitch, or a board of Obstruction";
                return Err(not_for("verify", other, possible));
            }
            None => {
                // Nimbers have no rules of Phutball.
                let nimbers = match tables.rules() {
                    Rules::Ordinary => tables.nimbers().map(|table| table.iter().collect()),
                    Rules::Directional => Ok(Vec::new()),
                };
                let (strips, shapes): (Vec<_>, _) = (tables.strip_tables().collect(), tables.shapes());
                if strips.is_empty() && shapes.is_empty() && nimbers.as_ref().is_ok_and(Vec::is_empty) {
                    return Err(no_tables(&tables));
                }
                for table in strips {
                    checks.add(verify_strips(&tables, table, limit?, common))?;
                }
                for shape in shapes {
                    checks.add(verify_pitch(shape))?;
                }
                let nimbers = nimbers.map_err(CommandError::from);
                checks.add(nimbers.and_then(|nimbers| verify_nimbers(&nimbers, common)))?;
            }
        }
        checks.end()?;
        if boards.is_none() && file.is_none() && tables.rules() == Rules::Ordinary && !common.json {
            writeln!(io::stdout(), "{SOLVED}")?;
        }
        Ok(())
    }
}

impl Arguments {
    fn boards(&self) -> Option<&Boards> {
        match &self.subject {
            Some(FileOr::Value(boards)) => Some(boards),
            _ => None,
        }
    }
}

/// Scope of `--memory`.
const LIMITED: &str = "tables of Phutball and --by-enumeration";

/// True if a file has the name of a table or begins like one.
pub fn is_table(file: &Path) -> Result<bool, CommandError> {
    // The beginning may be damaged.
    let extension = file.extension().unwrap_or_default();
    if extension.eq_ignore_ascii_case("phut") {
        return Ok(true);
    }
    if !file.is_file() {
        return Ok(false);
    }
    let mut begin = Vec::new();
    (File::open(file).and_then(|file| file.take(MAGIC.len() as u64).read_to_end(&mut begin)))
        .map_err(|error| CommandError::System(format!("{}: cannot read it: {error}", file.display())))?;
    Ok(begin == MAGIC)
}

/// Checks that all are made. Every failure is printed where it is found; damage takes precedence in the
/// exit code.
#[derive(Default)]
struct Checks {
    code: u8,
}

impl Checks {
    fn add(&mut self, check: Result<(), CommandError>) -> Result<(), CommandError> {
        let (error, code) = match check {
            Ok(()) => return Ok(()),
            Err(error @ CommandError::Failure(_)) => (error, 1),
            Err(error @ CommandError::System(_)) => (error, 3),
            Err(error) => return Err(error),
        };
        error.report();
        self.code = self.code.max(code);
        Ok(())
    }

    fn end(self) -> Result<(), CommandError> {
        match self.code {
            0 => Ok(()),
            code => Err(CommandError::Reported(code)),
        }
    }
}

/// The tables that answer for strips of some lengths: the smallest one of each metric.
fn answering(tables: &Tablebase, lengths: &RangeInclusive<usize>) -> Vec<(Metric, usize)> {
    let smallest = |metric, length| {
        tables
            .strip_tables()
            .find(|&(found, held)| found == metric && held >= length)
    };
    let found: BTreeSet<_> = (lengths.clone())
        .flat_map(|length| [Metric::Dtw, Metric::Levels, Metric::Wdl].map(|metric| smallest(metric, length)))
        .flatten()
        .collect();
    found.into_iter().collect()
}

fn verify_strips(
    tables: &Tablebase,
    (metric, length): (Metric, usize),
    memory: u64,
    common: &GlobalOptions,
) -> Result<(), CommandError> {
    let source = tables.strip_source(metric, length);
    let file = source.expect("the tablebase lists it").path();
    let check = |job: &Job| {
        let table = tables.strip_table(metric, length)?;
        if let Some(fault) = strip::check(table, job)? {
            return Ok(Some(fault));
        }
        // The winners by depths and without them must agree as well.
        let other = tables
            .strip_tables()
            .filter(|&(found, _)| found == Metric::Dtw)
            .last();
        match other {
            Some((deep, longest)) if metric != Metric::Dtw => {
                let deep = tables.strip_table(deep, longest);
                match deep.and_then(|deep| strip::compare(deep, table, job)) {
                    // The check of that table reports its damage.
                    Err(TableError::File(_)) => Ok(None),
                    compared => compared,
                }
            }
            _ => Ok::<_, TableError>(None),
        }
    };
    let table = TableCheck {
        boards: Boards::strip(length),
        rules: tables.rules(),
        metric,
        file: Some(&file),
        is_proof: true,
        statement: statement(tables, metric, length),
    };
    table.run(file.display().to_string(), Some(memory), common.json, |job| {
        Ok(check(job)?.map(wrong))
    })
}

/// Checks by the rules of the game who wins by the rule of the solution, on a length and all shorter
/// ones.
fn verify_rule(length: usize, memory: u64, common: &GlobalOptions) -> Result<(), CommandError> {
    let values = format!("every winner on {MIN_LENGTH} to {length} squares");
    let rule = TableCheck {
        boards: Boards::strip(length),
        rules: Rules::Ordinary,
        metric: Metric::Wdl,
        file: None,
        is_proof: true,
        statement: format!("{values} is proved by proper turns (Theorem N, Lemma 1); no draw"),
    };
    let title = format!("who wins on {length} squares");
    rule.run(title, Some(memory), common.json, |job| {
        check_strip_memory(length, Metric::Wdl, Some(memory))?;
        let (graph, won_by_left) = won(length, job)?;
        let job = &job.with_memory(Some(memory - strip_memory(length, Metric::Wdl)));
        Ok(strip::check_winners(&graph, won_by_left, job)?.map(wrong))
    })
}

/// The statement for strips of every length, with its proof.
const SOLVED: &str = "every length: no position is a draw, and the rule says who wins (proved in Coq: \
    proofs/RuleSolved.v, docs/PROOF.md)";

/// Says what the check of a table proves, and by which theorems of docs/PROOF.md.
fn statement(tables: &Tablebase, metric: Metric, length: usize) -> String {
    let (values, proof) = match metric {
        Metric::Dtw => ("every winner and depth", "ply by ply (Lemma 1)"),
        Metric::Levels => (
            "every winner and number of backward turns",
            "by the equations of the levels (Theorem 2, Lemma 1)",
        ),
        Metric::Wdl => ("every winner", "by proper turns (Theorem N, Lemma 1)"),
    };
    let counts = tables.strip_table(metric, length);
    let draws = match counts.and_then(|table| table.summary(length)) {
        Ok(counts) if counts.draws == BigUint::ZERO => "; no draw".to_string(),
        Ok(counts) => format!("; {} draws of {length} squares", grouped(&counts.draws)),
        Err(_) => String::new(),
    };
    format!("{values} on {MIN_LENGTH} to {length} squares is proved {proof}{draws}")
}

/// Compares the values of a length with an enumeration of every board.
fn enumerate(
    tables: &Tablebase,
    length: usize,
    memory: Option<u64>,
    common: &GlobalOptions,
) -> Result<(), CommandError> {
    let table = tables.ask_strips(length, None, Ok)?;
    let enumeration = TableCheck {
        boards: Boards::strip(length),
        rules: tables.rules(),
        metric: table.metric(),
        file: Some(table.path()),
        is_proof: false,
        statement: format!(
            "strips of {length} squares: every value agrees with an enumeration of all boards"
        ),
    };
    let title = format!("enumeration of {length} squares");
    enumeration.run(title, memory, common.json, |job| {
        let difference = witness::compare(table, length, job)?;
        Ok(difference.map(|difference| (difference.to_string(), None)))
    })
}

/// Memory limit of the search for nimbers, in bytes.
const NIMBER_MEMORY: u64 = 1 << 30;

/// Recomputes the nimbers of stored boards.
fn verify_nimbers(stored: &[(Grid, Nimber)], common: &GlobalOptions) -> Result<(), CommandError> {
    let solver = NimberSolver::new(NIMBER_MEMORY);
    let mut wrong = Vec::new();
    for &(board, nimber) in stored {
        let begun = Instant::now();
        let boards = Boards::Obstruction(board);
        let found = monitor::run(boards.words(), None, |job| solver.board(&board.into(), job))?;
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

//! `phutbase verify`: re-derive every value from its successors.

use super::given::Uses;
use super::output::{BigCount, CommandError, grouped, json_line, no_tables, unheeded};
use super::progress;
use super::{Common, Verb, not_for};
use clap::Args;
use phutbase::games::boards::Boards;
use phutbase::games::pitch::{Shape, positions};
use phutbase::generate::plan::{free_memory, human_bytes};
use phutbase::table::Metric;
use phutbase::table::any::Table;
use phutbase::table::directory::Tablebase;
use phutbase::table::error::TableError;
use phutbase::table::pitch::{PitchTable, pitch_path};
use phutbase::verify::pitch::{self, PitchFault};
use phutbase::verify::{self, Fault};
use serde::Serialize;
use std::io::Write;
use std::sync::atomic::AtomicU64;
use std::time::Instant;

#[derive(Args)]
#[command(after_help = "Examples:
  phutbase verify             every table
  phutbase verify 3..48       the strips of these lengths
  phutbase verify 7x3 --json")]
pub struct Arguments {
    /// The boards [default: every table]
    boards: Option<Boards>,
}

#[derive(Serialize)]
struct Line {
    game: &'static str,
    boards: String,
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
}

/// What is wrong, and where that was found.
struct Wrong {
    error: String,
    position: Option<String>,
}

impl Verb for Arguments {
    fn uses(&self) -> Uses {
        Uses::new("verify", &["tables", "threads", "json"])
    }

    fn run(&self, common: &Common) -> Result<(), CommandError> {
        let tablebase = Tablebase::open(&common.tables)?;
        let mut strips: Vec<(usize, Metric)> = tablebase.contents().collect();
        let pitches = match &self.boards {
            None => tablebase.shapes(),
            Some(Boards::Pitch(shape)) => vec![*shape],
            Some(Boards::Strips(_)) => Vec::new(),
            Some(other) => return Err(not_for("verify", other.game(), "strips or a pitch")),
        };
        match &self.boards {
            None => {}
            Some(Boards::Strips(lengths)) => {
                strips.retain(|(length, _)| lengths.contains(length));
                if strips.is_empty() {
                    let (length, directory) = (*lengths.end(), common.tables.clone());
                    return Err(TableError::Missing { length, directory }.into());
                }
            }
            Some(_) => strips.clear(),
        }
        if strips.is_empty() && pitches.is_empty() {
            return Err(no_tables(&common.tables));
        }
        for (length, metric) in strips {
            verify_strip(&tablebase, length, metric, common)?;
        }
        pitches
            .into_iter()
            .try_for_each(|shape| verify_pitch(shape, common))
    }
}

fn verify_strip(
    tablebase: &Tablebase,
    length: usize,
    metric: Metric,
    common: &Common,
) -> Result<(), CommandError> {
    let begun = Instant::now();
    let found = check(tablebase, length, metric);
    let proof = matches!(tablebase.table(length, metric), Ok(Some(table)) if verify::is_proof(table));
    let boards = Boards::strip(length);
    let file = phutbase::table::table_path(tablebase.directory(), length, metric);
    let wrong = match found {
        Ok(None) => None,
        Ok(Some(fault)) => Some(Wrong {
            error: format!("{}: {fault}", file.display()),
            position: match &fault {
                Fault::Position { position, .. }
                | Fault::Sets { position, .. }
                | Fault::Difference { position } => Some(position.clone()),
                _ => None,
            },
        }),
        Err(error) => Some(Wrong {
            error: error.to_string(),
            position: None,
        }),
    };
    let line = Line {
        game: boards.game(),
        boards: boards.to_string(),
        metric: metric.to_string(),
        file: file.display().to_string(),
        ok: wrong.is_none(),
        proof: proof && wrong.is_none(),
        positions: BigCount(phutbase::table::header::all_positions(length)),
        error: wrong.as_ref().map(|wrong| wrong.error.clone()),
        position: wrong.and_then(|wrong| wrong.position),
        seconds: begun.elapsed().as_secs_f64(),
    };
    let what = match (metric, line.proof) {
        (Metric::Dtw, _) => "every depth follows from its successors",
        (Metric::Wdl, true) => "every outcome is proved by forward play",
        (Metric::Wdl, false) => "every outcome is consistent with its successors",
    };
    report(line, what, common.json)
}

fn verify_pitch(shape: Shape, common: &Common) -> Result<(), CommandError> {
    let begun = Instant::now();
    let boards = Boards::Pitch(shape);
    let file = pitch_path(&common.tables, shape).display().to_string();
    let wrong = match check_pitch(shape, common) {
        Ok(None) => None,
        Ok(Some(fault)) => Some(Wrong {
            error: format!("{file}: {fault}"),
            position: match &fault {
                PitchFault::Position { position, .. } => Some(position.clone()),
                _ => None,
            },
        }),
        Err(CommandError::Failure(error)) => Some(Wrong {
            error,
            position: None,
        }),
        Err(error) => return Err(error),
    };
    let line = Line {
        game: boards.game(),
        boards: boards.to_string(),
        metric: Metric::Dtw.to_string(),
        file,
        ok: wrong.is_none(),
        proof: wrong.is_none(),
        positions: BigCount(positions(shape).unwrap_or(0).into()),
        error: wrong.as_ref().map(|wrong| wrong.error.clone()),
        position: wrong.and_then(|wrong| wrong.position),
        seconds: begun.elapsed().as_secs_f64(),
    };
    report(line, "every depth follows from its successors", common.json)
}

/// Prints what was found. The exit code says whether all is well, whoever reads, so the check goes on if nobody does.
fn report(line: Line, what: &str, json: bool) -> Result<(), CommandError> {
    let mut out = unheeded();
    if json {
        json_line(&mut out, &line)?;
    } else if line.ok {
        let positions = grouped(&line.positions.0);
        writeln!(
            out,
            "{}: {positions} positions, {what} ({:.1} s)",
            line.file, line.seconds
        )?;
    }
    out.flush()?;
    line.error
        .map_or(Ok(()), |error| Err(CommandError::Failure(error)))
}

/// Checks one table; a `wdl` table is also compared with the `dtw` table of its length, if there is one.
fn check(tablebase: &Tablebase, length: usize, metric: Metric) -> Result<Option<Fault>, TableError> {
    let Some(table) = tablebase.table(length, metric)? else {
        return Ok(None);
    };
    if let Some(fault) = check_values(table)? {
        return Ok(Some(fault));
    }
    match tablebase.table(length, Metric::Dtw)? {
        Some(dtw) if metric == Metric::Wdl => verify::compare(dtw, table),
        _ => Ok(None),
    }
}

fn check_values(table: &Table) -> Result<Option<Fault>, TableError> {
    let needed = verify::memory_needed(table);
    if let Some(needed) = needed.filter(|&needed| needed > free_memory()) {
        let file = table.path().to_path_buf();
        return Err(TableError::Memory { file, needed });
    }
    let memory = needed.map_or(String::new(), |bytes| {
        format!("; about {} of memory", human_bytes(bytes))
    });
    // Without stderr there is nobody to tell.
    let _ = writeln!(
        std::io::stderr(),
        "{}: checking {} positions, each with either player to move{memory}",
        table.path().display(),
        grouped(table.positions()),
    );
    let bar = progress::bar(verify::work(table));
    bar.set_prefix(format!("length {}", table.header().length));
    let done = AtomicU64::new(0);
    progress::watch(&bar, &done, || verify::check(table, &done))
}

fn check_pitch(shape: Shape, common: &Common) -> Result<Option<PitchFault>, CommandError> {
    let table = PitchTable::open(&common.tables, shape)?;
    let memory = pitch::memory_needed(&table);
    // Without stderr there is nobody to tell.
    let _ = writeln!(
        std::io::stderr(),
        "{}: checking {} positions, the rest being mirror images; about {} of memory",
        table.path().display(),
        grouped(memory),
        human_bytes(memory),
    );
    let bar = progress::bar(memory);
    bar.set_prefix(format!("pitch {shape}"));
    let done = AtomicU64::new(0);
    Ok(progress::watch(&bar, &done, || pitch::check(&table, &done))?)
}

//! `phutbase verify`: re-derive every value from its successors.

use super::Common;
use super::output::{BigCount, CommandError, grouped, json_line, no_tables, stdout, unless_closed};
use super::progress;
use clap::Args;
use phutbase::games::pitch::Shape;
use phutbase::generate::plan::{free_memory, human_bytes};
use phutbase::table::Metric;
use phutbase::table::any::Table;
use phutbase::table::directory::Tablebase;
use phutbase::table::error::TableError;
use phutbase::verify::{self, Fault};
use serde::Serialize;
use std::io::Write;
use std::sync::atomic::AtomicU64;
use std::time::Instant;

#[derive(Args)]
pub struct Arguments {
    /// This length only [default: every length that has a table]
    #[arg(long, value_name = "N")]
    length: Option<usize>,
    /// This pitch only
    #[arg(long, value_name = "RxC", conflicts_with = "length")]
    pitch: Option<Shape>,
}

#[derive(Serialize)]
struct Line {
    length: usize,
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

pub fn run(arguments: &Arguments, common: &Common) -> Result<(), CommandError> {
    if let Some(shape) = arguments.pitch {
        return super::pitch::verify::run(&[shape], common);
    }
    let tablebase = Tablebase::open(&common.tables)?;
    let pitches = match arguments.length {
        Some(_) => Vec::new(),
        None => tablebase.shapes(),
    };
    let mut contents: Vec<(usize, Metric)> = tablebase.contents().collect();
    if let Some(length) = arguments.length {
        contents.retain(|&(there, _)| there == length);
        if contents.is_empty() {
            return Err(TableError::Missing {
                length,
                directory: common.tables.clone(),
            }
            .into());
        }
    }
    if contents.is_empty() && pitches.is_empty() {
        return Err(no_tables(&common.tables));
    }
    let mut out = stdout();
    for (length, metric) in contents {
        let begun = Instant::now();
        let found = check(&tablebase, length, metric);
        let proof = matches!(tablebase.table(length, metric), Ok(Some(table)) if verify::is_proof(table));
        let line = line(
            &tablebase,
            (length, metric),
            (&found, proof),
            begun.elapsed().as_secs_f64(),
        );
        // The exit code says whether all is well, so the check goes on even if nobody reads the rest.
        unless_closed(report(&mut out, &line, metric, common.json))?;
        match found {
            Ok(None) => {}
            Ok(Some(fault)) => return Err(CommandError::Failure(format!("{}: {fault}", line.file))),
            Err(error) => return Err(error.into()),
        }
    }
    drop(out);
    super::pitch::verify::run(&pitches, common)
}

fn report(out: &mut impl Write, line: &Line, metric: Metric, json: bool) -> Result<(), CommandError> {
    if json {
        json_line(out, line)?;
    } else if line.ok {
        let positions = grouped(&line.positions.0);
        let what = match (metric, line.proof) {
            (Metric::Dtw, _) => "every depth follows from its successors",
            (Metric::Wdl, true) => "every outcome is proved by the certificate",
            (Metric::Wdl, false) => "every outcome is consistent with its successors",
        };
        writeln!(
            out,
            "{}: {positions} positions, {what} ({:.1} s)",
            line.file, line.seconds
        )?;
    }
    Ok(out.flush()?)
}

fn line(
    tablebase: &Tablebase,
    (length, metric): (usize, Metric),
    (found, proof): (&Result<Option<Fault>, TableError>, bool),
    seconds: f64,
) -> Line {
    let fault = found.as_ref().ok().and_then(Option::as_ref);
    Line {
        length,
        metric: metric.to_string(),
        file: phutbase::table::table_path(tablebase.directory(), length, metric)
            .display()
            .to_string(),
        ok: matches!(found, Ok(None)),
        proof: proof && matches!(found, Ok(None)),
        positions: BigCount(phutbase::table::header::all_positions(length)),
        error: match found {
            Ok(fault) => fault.as_ref().map(Fault::to_string),
            Err(error) => Some(error.to_string()),
        },
        position: match fault {
            Some(
                Fault::Position { position, .. }
                | Fault::Sets { position, .. }
                | Fault::Difference { position },
            ) => Some(position.clone()),
            _ => None,
        },
        seconds,
    }
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

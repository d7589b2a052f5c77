//! `phutbase verify` of pitches: re-derive every value from its successors.

use super::super::output::{CommandError, Count, grouped, json_line, stdout, unless_closed};
use super::super::{Common, progress};
use phutbase::games::pitch::{Shape, positions};
use phutbase::generate::plan::human_bytes;
use phutbase::table::error::TableError;
use phutbase::table::pitch::{PitchTable, pitch_path};
use phutbase::verify::pitch::{self, PitchFault};
use serde::Serialize;
use std::io::Write;
use std::sync::atomic::AtomicU64;
use std::time::Instant;

#[derive(Serialize)]
struct Line {
    rows: usize,
    columns: usize,
    metric: &'static str,
    file: String,
    ok: bool,
    positions: Count,
    error: Option<String>,
    /// The first position whose value is wrong.
    position: Option<String>,
    seconds: f64,
}

pub fn run(shapes: &[Shape], common: &Common) -> Result<(), CommandError> {
    let mut out = stdout();
    for &shape in shapes {
        let begun = Instant::now();
        let found = check(shape, common);
        let fault = found.as_ref().ok().and_then(Option::as_ref);
        let line = Line {
            rows: shape.rows(),
            columns: shape.columns(),
            metric: "dtw",
            file: pitch_path(&common.tables, shape).display().to_string(),
            ok: matches!(found, Ok(None)),
            positions: Count(positions(shape).unwrap_or(0)),
            error: match &found {
                Ok(fault) => fault.as_ref().map(PitchFault::to_string),
                Err(error) => Some(error.to_string()),
            },
            position: match fault {
                Some(PitchFault::Position { position, .. }) => Some(position.clone()),
                _ => None,
            },
            seconds: begun.elapsed().as_secs_f64(),
        };
        // The exit code says whether all is well, so the check goes on even if nobody reads the rest.
        unless_closed(report(&mut out, &line, common.json))?;
        match found {
            Ok(None) => {}
            Ok(Some(fault)) => return Err(CommandError::Failure(format!("{}: {fault}", line.file))),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

fn report(out: &mut impl Write, line: &Line, json: bool) -> Result<(), CommandError> {
    if json {
        json_line(out, line)?;
    } else if line.ok {
        let positions = grouped(line.positions.0);
        writeln!(
            out,
            "{}: {positions} positions, every depth follows from its successors ({:.1} s)",
            line.file, line.seconds
        )?;
    }
    Ok(out.flush()?)
}

fn check(shape: Shape, common: &Common) -> Result<Option<PitchFault>, TableError> {
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
    progress::watch(&bar, &done, || pitch::check(&table, &done))
}

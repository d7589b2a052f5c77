//! Comma-separated values.

use super::{ExportError, Source, Values};
use std::fmt::Write as _;
use std::io::Write;
use std::sync::atomic::AtomicU64;

/// Writes a line for each position; the depth of a draw, or where it is not known, is left empty.
pub(super) fn write(source: &Source<'_>, mut out: impl Write, done: &AtomicU64) -> Result<(), ExportError> {
    writeln!(out, "position,ball,stones,value,depth")?;
    let lines = |values: &Values| {
        let mut text = String::new();
        for place in 0..values.outcome.len() {
            let row = source.row(values, place);
            let depth = row.depth.map_or(String::new(), |depth| depth.to_string());
            writeln!(
                text,
                "{},{},{},{},{depth}",
                row.position, row.ball, row.stones, row.value
            )
            .expect("a text takes whatever is written");
        }
        text
    };
    source.batches(done, lines, |batch| {
        (batch.iter()).try_for_each(|lines| Ok(out.write_all(lines.as_bytes())?))
    })?;
    Ok(out.flush()?)
}

//! Comma-separated values.

use super::{ExportError, ExportSource, Values};
use std::io::Write;
use std::sync::atomic::AtomicU64;

/// Writes a line for each position.
pub(super) fn write(
    source: &ExportSource<'_>,
    mut out: impl Write,
    done: &AtomicU64,
) -> Result<(), ExportError> {
    writeln!(out, "position,ball,stones,value,depth")?;
    let lines = |values: &Values| -> String {
        (0..values.outcome.len())
            .map(|place| source.line(values, place))
            .collect()
    };
    source.batches(done, lines, |batch| {
        (batch.iter()).try_for_each(|lines| Ok(out.write_all(lines.as_bytes())?))
    })?;
    Ok(out.flush()?)
}

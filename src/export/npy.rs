//! The NumPy format, version 1.0: magic bytes, a header that is a Python literal, the elements.

use super::{ExportError, ExportSource, Values};
use std::io::Write;
use std::sync::atomic::AtomicU64;

/// The elements start at a multiple of this many bytes.
const ALIGNMENT: usize = 64;

/// Writes an array of pairs, outcome and depth; without depths an array of outcomes.
pub(super) fn write(
    source: &ExportSource<'_>,
    mut out: impl Write,
    done: &AtomicU64,
) -> Result<(), ExportError> {
    let deep = source.has_depths;
    let element = if deep {
        "[('outcome', '|i1'), ('depth', '|u1')]"
    } else {
        "'|i1'"
    };
    let (rows, columns) = source.shape();
    let mut header =
        format!("{{'descr': {element}, 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
    let before = b"\x93NUMPY\x01\x00".len() + 2;
    let spaces = (before + header.len() + 1).next_multiple_of(ALIGNMENT) - before - header.len() - 1;
    header.extend(std::iter::repeat_n(' ', spaces));
    header.push('\n');
    out.write_all(b"\x93NUMPY\x01\x00")?;
    out.write_all(&(header.len() as u16).to_le_bytes())?;
    out.write_all(header.as_bytes())?;
    let bytes = |values: &Values| -> Vec<u8> {
        let outcome = values.outcome.iter().map(|outcome| outcome.cast_unsigned());
        if deep {
            outcome
                .zip(&values.depth)
                .flat_map(|(outcome, &depth)| [outcome, depth])
                .collect()
        } else {
            outcome.collect()
        }
    };
    source.batches(done, bytes, |batch| {
        (batch.iter()).try_for_each(|bytes| Ok(out.write_all(bytes)?))
    })?;
    Ok(out.flush()?)
}

//! Files of positions: one a line, as `phutbase find --suite` writes them, for every verb that reads some.
//!
//! A line is a position, and in EPD style then operations that end with `;`. Blank lines and lines
//! that begin with `#` are skipped, and so is a byte order mark.

use std::io::{self, BufRead, Read};

/// The first bytes of a file that gzip packed.
const GZIP: &[u8] = &[0x1f, 0x8b];

/// A line with a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// The position, with its player to move.
    pub position: &'a str,
    /// The operations after it; empty without any.
    pub operations: &'a str,
}

/// A line that is no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the line is not UTF-8 text")]
pub struct NotText;

impl<'a> Line<'a> {
    /// Splits a line; returns `None` if it has no position.
    pub fn read(bytes: &'a [u8]) -> Result<Option<Line<'a>>, NotText> {
        let text = std::str::from_utf8(bytes).map_err(|_| NotText)?;
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.is_empty() || text.starts_with('#') {
            return Ok(None);
        }
        if !text.contains(';') {
            return Ok(Some(Line {
                position: text,
                operations: "",
            }));
        }
        let rest = text[board_end(text)..].trim_start();
        let has_side =
            rest.starts_with(['L', 'R', 'A', 'B']) && !rest[1..].starts_with(char::is_alphanumeric);
        let end = text.len() - rest.len() + usize::from(has_side);
        Ok(Some(Line {
            position: text[..end].trim_end(),
            operations: text[end..].trim_start_matches(is_end),
        }))
    }

    /// Returns the argument of an operation.
    pub fn operation(&self, name: &str) -> Option<&'a str> {
        let named = |operation: &'a str| operation.trim().strip_prefix(name)?.strip_prefix(' ');
        self.operations.split(';').find_map(named).map(str::trim)
    }
}

/// Returns the end of the board that a text begins with: the first `;` or blank, but for the blanks around
/// the `+` of a sum.
fn board_end(text: &str) -> usize {
    let mut from = 0;
    loop {
        let end = from + text[from..].find(is_end).unwrap_or(text.len() - from);
        let next = text[end..].trim_start();
        let is_plus = next.starts_with('+');
        if !is_plus && (!text[..end].ends_with('+') || next.is_empty() || next.starts_with(';')) {
            return end;
        }
        from = text.len() - next.len() + usize::from(is_plus);
    }
}

fn is_end(symbol: char) -> bool {
    symbol == ';' || symbol.is_whitespace()
}

/// Reads the next line of at most `most` bytes; a longer one is truncated.
pub fn next_line(reader: &mut impl BufRead, most: usize) -> io::Result<Option<Vec<u8>>> {
    let mut text = Vec::new();
    let read = reader.by_ref().take(most as u64).read_until(b'\n', &mut text)?;
    if read == 0 {
        return Ok(None);
    }
    if text.starts_with(GZIP) {
        let reason = "packed by gzip: unpack it first, with gunzip";
        return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
    }
    if read == most && !text.ends_with(b"\n") {
        reader.skip_until(b'\n')?;
    }
    Ok(Some(text))
}

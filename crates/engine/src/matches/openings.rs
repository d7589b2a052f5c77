//! Start positions of a match.

use super::pgn;
use phutbase_base::outcome::ParseError;
use phutbase_base::random::Uniform;
use phutbase_rules::lines::{Line, next_line};
use phutbase_rules::position::Phutball;
use std::io::{self, BufRead};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    pub position: Phutball,
    /// The name: the EPD operation `id`, or the tag `Event`.
    pub id: Option<String>,
}

/// Maximum length of a line in bytes.
pub(super) const MAX_LINE: usize = 64 << 10;
/// Maximum number of openings.
const MAX_OPENINGS: usize = 1_000_000;

/// Why openings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError {
    #[error("cannot read it: {0}")]
    Io(#[from] io::Error),
    /// A line, counted from 1.
    #[error("line {0}: {1}")]
    Line(u64, String),
    #[error("no openings; write one position a line")]
    None,
    #[error("more than {MAX_OPENINGS} openings")]
    TooMany,
    #[error("--plies only applies to games in PGN style")]
    NoGames,
}

/// Reads openings, one a line (see [`lines`](phutbase_rules::lines)), or from games in PGN style,
/// of which the first `plies` turns are played.
pub fn read(mut file: impl BufRead, plies: Option<usize>) -> Result<Vec<Opening>, OpeningsError> {
    let mut openings = Vec::new();
    let mut number = 0;
    while let Some(bytes) = next_line(&mut file, MAX_LINE + 1)? {
        number += 1;
        let wrong = |reason: String| OpeningsError::Line(number, reason);
        if bytes.len() > MAX_LINE {
            return Err(wrong(format!("longer than {MAX_LINE} bytes")));
        }
        let line = Line::read(&bytes).map_err(|error| wrong(error.to_string()))?;
        let Some(line) = line else { continue };
        if openings.is_empty() && line.position.starts_with('[') {
            return pgn::read(bytes, number, file, plies);
        }
        let position = (line.position.parse()).map_err(|error: ParseError| wrong(error.to_string()))?;
        let id = line.operation("id").map(|id| id.trim_matches('"').to_string());
        push(&mut openings, Opening { position, id })?;
    }
    match plies {
        _ if openings.is_empty() => Err(OpeningsError::None),
        None => Ok(openings),
        Some(_) => Err(OpeningsError::NoGames),
    }
}

/// Adds an opening, unless there are too many.
pub(super) fn push(openings: &mut Vec<Opening>, opening: Opening) -> Result<(), OpeningsError> {
    if openings.len() == MAX_OPENINGS {
        return Err(OpeningsError::TooMany);
    }
    openings.push(opening);
    Ok(())
}

pub fn shuffle(openings: &mut [Opening], chance: &mut Uniform) {
    for last in (1..openings.len()).rev() {
        openings.swap(last, chance.index(last + 1));
    }
}

//! Lengths on the command line: one, or a range.

use super::output::CommandError;
use phutbase::games::strip::{MAX_LENGTH, MIN_LENGTH};
use std::ops::RangeInclusive;

/// Reads `16` or `12..16`, both ends included.
pub fn parse(text: &str) -> Result<RangeInclusive<usize>, CommandError> {
    let (from, to) = text.split_once("..").unwrap_or((text, text));
    let range = (from.parse::<usize>().ok()).zip(to.parse::<usize>().ok());
    range
        .filter(|(from, to)| from <= to && *from >= MIN_LENGTH && *to <= MAX_LENGTH)
        .map(|(from, to)| from..=to)
        .ok_or_else(|| {
            CommandError::Usage(format!(
                "--lengths {text}: write a length or a range such as 8..16, of strips of {MIN_LENGTH} to {MAX_LENGTH} squares"
            ))
        })
}

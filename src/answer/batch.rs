//! Batches: one position of any game per line, and one object per position in the same order.

use super::Answer;
use super::sources::{AskError, Sources};
use crate::games::lines::Line;
use crate::games::{Position, Rules};
use crate::job::Job;
use serde::Serialize;

/// Maximum length of the error about a line, in characters.
const MAX_ERROR_CHARS: usize = 1000;

/// A line: a position, or the reason why it is none.
pub struct BatchLine {
    /// Its number, counted from 1.
    pub number: u64,
    pub position: Result<Position, String>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum LineAnswer {
    Answer(Box<Answer>),
    Bad {
        /// Its number, counted from 1.
        number: u64,
        error: String,
    },
}

impl BatchLine {
    /// Parses a line as a position under these rules; returns `None` if it has none.
    pub fn read(number: u64, bytes: &[u8], rules: Rules) -> Option<BatchLine> {
        let position = match Line::read(bytes) {
            Ok(line) => Position::read(line?.position, rules).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        Some(BatchLine { number, position })
    }
}

/// Answers lines. Limits bound the search in Obstruction; `describe` renders errors of answers.
pub fn answers(
    sources: &Sources,
    lines: &[BatchLine],
    limits: &Job,
    describe: &dyn Fn(&AskError) -> String,
) -> Vec<LineAnswer> {
    let positions: Vec<&Position> = lines.iter().flat_map(|line| &line.position).collect();
    let mut found = sources.batch(&positions, limits).into_iter();
    let bad = |line: &BatchLine, error: &str| {
        let plain = error.chars().filter(|symbol| !symbol.is_control());
        LineAnswer::Bad {
            number: line.number,
            error: plain.take(MAX_ERROR_CHARS).collect(),
        }
    };
    (lines.iter())
        .map(|line| match &line.position {
            Err(error) => bad(line, error),
            Ok(_) => match found.next().expect("one answer to each position") {
                Ok(answer) => LineAnswer::Answer(Box::new(answer)),
                Err(error) => bad(line, &describe(&error)),
            },
        })
        .collect()
}

//! Batches: one position of any game per line, and one object per position in the same order.

use super::Answer;
use super::sources::{AskError, Sources};
use super::wins::WinsInOne;
use phutbase_base::job::Job;
use phutbase_rules::lines::Line;
use phutbase_rules::{Phutball, Pitch};
use phutbase_rules::{Position, Rules};
use serde::Serialize;
use std::time::Duration;

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
    Wins(Box<WinsInOne>),
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

/// Answers lines, each with a search in Obstruction of at most this long; `describe` renders errors of
/// answers.
pub fn answers(
    sources: &Sources,
    lines: &[BatchLine],
    time: Option<Duration>,
    describe: &dyn Fn(&AskError) -> String,
) -> Vec<LineAnswer> {
    let positions: Vec<&Position> = lines.iter().flat_map(|line| &line.position).collect();
    let mut found = sources.batch(&positions, time, &Job::default()).into_iter();
    in_order(lines, |_| {
        let answer = found.next().expect("one answer to each position");
        (answer.map(|answer| LineAnswer::Answer(Box::new(answer)))).map_err(|error| describe(&error))
    })
}

/// Answers lines by the turns that win at once, which `find` finds on a pitch.
pub fn wins(lines: &[BatchLine], find: impl Fn(&Pitch) -> Result<WinsInOne, String>) -> Vec<LineAnswer> {
    in_order(lines, |position| match position {
        Position::Phutball(Phutball::Pitch(pitch)) => {
            find(pitch).map(|found| LineAnswer::Wins(Box::new(found)))
        }
        _ => Err("turns that win at once are listed for pitches only".to_string()),
    })
}

/// Answers the positions of lines one after the other.
fn in_order(
    lines: &[BatchLine],
    mut answer: impl FnMut(&Position) -> Result<LineAnswer, String>,
) -> Vec<LineAnswer> {
    let bad = |number, error: &str| {
        let plain = error.chars().filter(|symbol| !symbol.is_control());
        LineAnswer::Bad {
            number,
            error: plain.take(MAX_ERROR_CHARS).collect(),
        }
    };
    (lines.iter())
        .map(|line| match &line.position {
            Err(error) => bad(line.number, error),
            Ok(position) => answer(position).unwrap_or_else(|error| bad(line.number, &error)),
        })
        .collect()
}

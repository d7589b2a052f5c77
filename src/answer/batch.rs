//! Many positions, one a line, of any games: an object for each, in their order, whatever is wrong with the others.

use super::Answer;
use super::sources::{AskError, Sources};
use crate::games::position::Position;
use crate::games::rules::Rules;
use crate::solve::nimbers::NimberLimits;
use serde::Serialize;

/// The most that is said of a bad line, in characters.
const LONGEST_ERROR: usize = 1000;

/// A line that was read: a position, or why it is none.
pub struct Line {
    /// Its number, counted from 1.
    pub number: u64,
    /// What it says.
    pub position: Result<Position, String>,
}

/// What is answered to a line.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum LineAnswer {
    /// The value of its position.
    Answer(Box<Answer>),
    /// It has none.
    Bad(BadLine),
}

/// A line without an answer.
#[derive(Clone, Debug, Serialize)]
pub struct BadLine {
    /// Its number, counted from 1.
    pub line: u64,
    /// What is wrong with it, or missing.
    pub error: String,
}

impl Line {
    /// Reads a line; `None` if it is blank.
    pub fn read(number: u64, bytes: &[u8]) -> Option<Line> {
        let position = match std::str::from_utf8(bytes) {
            Ok(text) if text.trim().is_empty() => return None,
            Ok(text) => text.parse::<Position>().map_err(|error| error.to_string()),
            Err(_) => Err("the line is not UTF-8 text".to_string()),
        };
        Some(Line { number, position })
    }

    /// The same with the position under these rules, which a game may not have.
    pub fn under(self, rules: Rules) -> Line {
        let under = |position: Position| position.under(rules).map_err(|error| error.to_string());
        Line {
            position: self.position.and_then(under),
            ..self
        }
    }
}

/// Answers some lines. Limits bound the search for boards of Obstruction; `describe` renders the errors of positions without an answer.
pub fn answers(
    sources: &Sources,
    lines: &[Line],
    limits: NimberLimits<'_>,
    describe: &dyn Fn(&AskError) -> String,
) -> Vec<LineAnswer> {
    let positions: Vec<&Position> = lines.iter().flat_map(|line| &line.position).collect();
    let mut found = sources.batch(&positions, limits).into_iter();
    let bad = |line: &Line, error: &str| {
        let plain = error.chars().filter(|symbol| !symbol.is_control());
        LineAnswer::Bad(BadLine {
            line: line.number,
            error: plain.take(LONGEST_ERROR).collect(),
        })
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

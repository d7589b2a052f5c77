//! Claims about the games: a statement, and a check that answers for one size of boards at a time.

use super::error::TheoryError;
use phutbase_base::job::Job;
use phutbase_base::object;
use phutbase_rules::{Boards, Rules};
use phutbase_table::{Metric, StripTable, TableError, Tablebase};
use serde::Serialize;

/// A statement about all boards of a game, and who makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statement {
    /// One sentence.
    pub words: &'static str,
    pub source: &'static str,
}

/// A claim about the games, or a question about each size without an expected answer.
pub trait Claim {
    /// Checks the boards of one size.
    fn check(&mut self, size: usize, job: &Job) -> Result<Finding<impl Serialize + use<Self>>, TheoryError>;

    /// Returns the words before and after the number of a size.
    fn unit(&self) -> [&'static str; 2] {
        ["length ", ""]
    }

    /// Returns the boards of a size and their rules; `None` if the size is of a part of a board.
    fn boards(&self, size: usize) -> Option<(Boards, Rules)> {
        Some((Boards::strip(size), Rules::Ordinary))
    }
}

/// The answer for one size.
#[derive(Clone, Debug)]
pub struct Finding<F> {
    /// False if the claim fails here.
    pub holds: bool,
    /// The answer in one line, without the size.
    pub words: String,
    /// Further lines: the boards that show it, and reasons.
    pub lines: Vec<String>,
    /// The answer as an object of JSON.
    pub fields: F,
}

/// A law that one board would refute, and the question that finds one in a table.
pub struct Law {
    pub statement: Statement,
    /// The answer where there is none.
    pub holds: &'static str,
    /// Returns the first board of a length that contradicts the law, and how.
    pub exception: fn(&StripTable, usize) -> Result<Option<String>, TableError>,
}

/// A law, on every board of the lengths of tables.
pub struct Lawful<'a>(pub &'a Tablebase, pub &'a Law);

impl<'a> Claim for Lawful<'a> {
    fn check(&mut self, length: usize, _: &Job) -> Result<Finding<impl Serialize + use<'a>>, TheoryError> {
        let Lawful(tables, law) = *self;
        // Levels of forward play are more detailed here, and sets of plies are larger.
        let order = [Metric::Levels, Metric::Wdl];
        let (exception, file) = ask(tables, length, order, |table| (law.exception)(table, length))?;
        Ok(Finding {
            holds: exception.is_none(),
            words: exception.clone().unwrap_or(law.holds.to_string()),
            lines: Vec::new(),
            fields: object! { holds: exception.is_none(), exception: exception, file: file },
        })
    }
}

/// The order of tables for questions about the winners alone: a table of winners has no other sets.
pub(super) const WINNERS: [Metric; 2] = [Metric::Wdl, Metric::Levels];

/// Asks a table of one length: of these metrics, the first that has one, and else of any metric.
/// Also returns the table's file.
pub(super) fn ask<'t, A>(
    tables: &'t Tablebase,
    length: usize,
    metrics: [Metric; 2],
    question: impl Fn(&'t StripTable) -> Result<A, TableError>,
) -> Result<(A, String), TableError> {
    let question = |table: &'t StripTable| Ok((question(table)?, table.path().display().to_string()));
    for metric in metrics {
        let answer = tables.ask_strips(length, Some(metric), question);
        if !matches!(answer, Err(TableError::Missing { .. })) {
            return answer;
        }
    }
    tables.ask_strips(length, None, question)
}

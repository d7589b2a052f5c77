//! Claims about the games: a statement, and a check that answers for one size of boards at a time.

use super::error::TheoryError;
use phutbase_base::job::Job;
use phutbase_rules::{Boards, Rules};
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

//! Sums: boards side by side, with a turn made on one of them. `1x2 + 1x7`, `1+2+3` (rows of those
//! lengths), `3x3 + x../...`, `torus:5x5 + graph:0-1`. With the prefix `misere:` a player who
//! cannot move wins.

use super::graph;
use super::graph_file::{self, ReadText};
use super::{Board, Form, Grid, Place, Square};
use crate::number;
use phutbase_base::outcome::ParseError;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// Most squares of an unmarked row. Rows have closed formulas, so they may be longer than boards.
pub const MAX_ROW_LENGTH: usize = 1_000_000;

/// The longest term that is taken for a path with `+` in it, in bytes.
const MAX_PATH: usize = 4096;

/// One board of a sum.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// A row of this many squares without a mark: 1 × n.
    Row(usize),
    /// Any other board, or a graph.
    Board(Board),
}

/// Boards side by side.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sum {
    /// A player who cannot move wins.
    pub misere: bool,
    /// The boards, in the order they were given.
    pub terms: Vec<Term>,
}

type ReadFile<'a> = &'a dyn Fn(&str) -> Result<Board, ParseError>;

impl FromStr for Sum {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Sum, ParseError> {
        Sum::read(text, &|name| Err(graph::refused(name)), |_| false)
    }
}

impl Sum {
    /// Parses a sum in which `graph:FILE` stands for the graph in a file. Do not use it on
    /// untrusted text: it opens files.
    pub fn with_files(text: &str, read_text: ReadText) -> Result<Sum, ParseError> {
        let read = |name: &str| graph_file::read(name.as_ref(), read_text);
        Sum::read(text, &read, Path::exists)
    }

    fn read(text: &str, file: ReadFile<'_>, exists: fn(&Path) -> bool) -> Result<Sum, ParseError> {
        let (misere, text) = match text.trim_start().strip_prefix("misere:") {
            Some(boards) => (true, boards),
            None => (false, text),
        };
        let terms = (1..).zip(split(text, exists));
        let terms = terms
            .map(|(term, text)| parse_term(term, text, file))
            .collect::<Result<_, _>>()?;
        Ok(Sum { misere, terms })
    }
}

/// The texts of the terms. The path of a graph may contain `+`: the longest one that exists counts.
fn split(text: &str, exists: fn(&Path) -> bool) -> Vec<&str> {
    let mut terms = Vec::new();
    let mut rest = Some(text);
    while let Some(text) = rest {
        let first = text.find('+').unwrap_or(text.len());
        let path = |end: usize| text[..end].trim().strip_prefix("graph:");
        let is_path = path(first).is_some_and(|name| !graph::is_list(name));
        let mut ends = text.match_indices('+').map(|(at, _)| at).chain([text.len()]);
        let end = is_path.then(|| {
            ends.rfind(|&end| end <= MAX_PATH && path(end).is_some_and(|name| exists(name.as_ref())))
        });
        let end = end.flatten().unwrap_or(first);
        terms.push(text[..end].trim());
        rest = text.get(end + 1..);
    }
    terms
}

fn parse_term(term: usize, text: &str, file: ReadFile<'_>) -> Result<Term, ParseError> {
    if text.is_empty() {
        return Err(ParseError(format!(
            "term {term} is empty: write boards with '+' between them, such as '1x2 + 1x7' or '1+2+3'"
        )));
    }
    let row = match (number(text), Grid::size(text)) {
        (Some(length), _) => Some(length),
        (None, Some((Form::Rectangle, sides))) if sides[0] == 1 => Some(sides[1]),
        _ => None,
    };
    match row {
        Some(length) if length <= MAX_ROW_LENGTH => Ok(Term::Row(length)),
        Some(length) => Err(ParseError(format!(
            "term {term}: a row of {length} squares: rows have up to {MAX_ROW_LENGTH}"
        ))),
        None => match Board::read(text, file) {
            // A row without marks in any notation.
            Ok(board) if board.marks() == 0 && board.rectangle() == Some(board.graph().vertices()) => {
                Ok(Term::Row(board.graph().vertices()))
            }
            Ok(board) => Ok(Term::Board(board)),
            Err(error) => Err(ParseError(format!("term {term}, '{text}': {error}"))),
        },
    }
}

impl From<Grid> for Term {
    /// Returns the board without marks.
    fn from(grid: Grid) -> Term {
        Term::Board(grid.into())
    }
}

/// A turn on a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SumTurn {
    /// The square, cell or vertex that is marked.
    pub place: Place,
    pub after: Vec<Term>,
}

impl Term {
    pub fn squares(&self) -> usize {
        match self {
            Term::Row(length) => *length,
            Term::Board(board) => board.graph().vertices(),
        }
    }

    /// Lists the turns, row by row. A mark on a row leaves the rows on both sides; on a board it is
    /// kept.
    pub fn turns(&self) -> Vec<SumTurn> {
        match self {
            Term::Row(length) => (0..*length)
                .map(|column| SumTurn {
                    place: Place::Square(Square { row: 0, column }),
                    after: cut(*length, column),
                })
                .collect(),
            Term::Board(board) => (board.turns())
                .map(|(place, after)| SumTurn {
                    place,
                    after: vec![Term::Board(after)],
                })
                .collect(),
        }
    }
}

/// Returns the nonempty rows on both sides of a mark; `1x0` if both are empty.
fn cut(length: usize, column: usize) -> Vec<Term> {
    let sides = [column.saturating_sub(1), (length - column).saturating_sub(2)];
    let mut rows: Vec<Term> = sides
        .into_iter()
        .filter(|&side| side > 0)
        .map(Term::Row)
        .collect();
    if rows.is_empty() {
        rows.push(Term::Row(0));
    }
    rows
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Row(length) => write!(f, "1x{length}"),
            Term::Board(board) => board.fmt(f),
        }
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.misere {
            f.write_str("misere:")?;
        }
        for (place, term) in self.terms.iter().enumerate() {
            if place > 0 {
                f.write_str(" + ")?;
            }
            term.fmt(f)?;
        }
        Ok(())
    }
}

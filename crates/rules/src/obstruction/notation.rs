//! Notation of boards: a size, `6x6`, `torus:5x5` or `3x3x3`; or the rows from top to bottom,
//! separated by `/`, layers by `//`, with `.` for an unmarked square and `x` for a mark:
//! `..x/.../x..`, `torus:x..../...../...`, `x../...//.../..x`. A graph is a list that includes its
//! marks ([`graph`](mod@super::graph)).
//!
//! Input also accepts `X` and `×` for a mark, `·` for an unmarked square.

use super::graph::{self, refused};
use super::grid::{Form, Grid};
use super::{Board, MAX_SQUARES, Square};
use crate::number;
use phutbase_base::outcome::ParseError;
use std::fmt;
use std::str::FromStr;

impl FromStr for Board {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Board, ParseError> {
        Board::read(text, &|name| Err(refused(name)))
    }
}

impl Board {
    /// Parses the notation; `file` handles a `graph:` that is not followed by a list.
    pub(super) fn read(
        text: &str,
        file: &dyn Fn(&str) -> Result<Board, ParseError>,
    ) -> Result<Board, ParseError> {
        let size = Grid::size(text);
        let (form, body) = match text.split_once(':') {
            Some(("graph", name)) if !graph::is_list(name) => return file(name),
            Some(("graph", list)) => {
                let (graph, marks) = graph::parse(list)?;
                return Board::on_graph(graph, marks);
            }
            Some((word, body)) => match Form::of_word(word) {
                Some(form) => (form, body),
                None => {
                    let found: String = word.chars().take(40).collect();
                    return Err(ParseError(format!(
                        "unknown shape '{found}': write regio, torus, cylinder, moebius, hex or graph before the colon, and nothing before a rectangle or a box"
                    )));
                }
            },
            None if text.contains("//") => (Form::Box, text),
            None => (size.as_ref().map_or(Form::Rectangle, |&(form, _)| form), text),
        };
        let numbers = |text: &str| text.split(['x', 'X', '×']).all(|side| number(side).is_some());
        let (sides, layers) = match size {
            Some((_, sides)) => (sides, Vec::new()),
            None if form != Form::Rectangle && numbers(body) => {
                let found: String = body.chars().take(40).collect();
                return Err(ParseError(format!(
                    "'{found}' is not a size: write rows and columns as in torus:5x5, or the three sides of a box as in 3x3x3"
                )));
            }
            None => layers(form, body)?,
        };
        let board = Board::from(grid(form, &sides)?);
        let mut marks = 0u128;
        for (layer, squares) in layers.iter().enumerate() {
            for square in &squares.marks {
                marks |= 1 << ((layer * squares.rows + square.row) * squares.columns + square.column);
            }
        }
        board.with_marks(marks)
    }
}

fn grid(form: Form, sides: &[usize]) -> Result<Grid, ParseError> {
    Grid::new(form, sides).ok_or_else(|| {
        ParseError(match (form, sides) {
            _ if sides.contains(&0) => {
                "a board without squares: write 6x6, or rows such as '..x/.../...'".to_string()
            }
            (Form::Rectangle, [rows, columns]) => format!(
                "{rows} rows of {columns} squares are too many: boards have up to {MAX_SQUARES} squares"
            ),
            _ => format!("too many cells: boards have up to {MAX_SQUARES}"),
        })
    })
}

/// Parses rows, in a box those of each layer; also returns the sides of the board.
fn layers(form: Form, text: &str) -> Result<(Vec<usize>, Vec<Rows>), ParseError> {
    let texts: Vec<&str> = match form {
        Form::Box => text.split("//").collect(),
        _ => vec![text],
    };
    let layers: Vec<Rows> = texts.into_iter().map(Rows::read).collect::<Result<_, _>>()?;
    let (rows, columns) = (layers[0].rows, layers[0].columns);
    let same = |layer: &Rows| (layer.rows, layer.columns) == (rows, columns);
    if let Some(layer) = layers.iter().position(|layer| !same(layer)) {
        return Err(ParseError(format!(
            "layer {} differs in size from layer 1: all layers must have equally many rows, all of the same length",
            layer + 1
        )));
    }
    Ok(match form {
        Form::Box => (vec![layers.len(), rows, columns], layers),
        _ => (vec![rows, columns], layers),
    })
}

struct Rows {
    rows: usize,
    columns: usize,
    marks: Vec<Square>,
}

impl Rows {
    /// Parses rows from top to bottom, separated by `/`.
    fn read(text: &str) -> Result<Rows, ParseError> {
        let mut marks = Vec::new();
        let mut lengths = Vec::new();
        for (row, squares) in text.split('/').enumerate() {
            for (column, symbol) in squares.chars().enumerate() {
                let square = Square { row, column };
                match symbol {
                    '.' | '·' => {}
                    'x' | 'X' | '×' => marks.push(square),
                    found => {
                        return Err(ParseError(format!(
                            "'{found}' at {square} is not a square: write '.' for an unmarked square, 'x' for a mark, '/' between rows, or 6x6 for an empty board of 6 rows and 6 columns"
                        )));
                    }
                }
            }
            lengths.push(squares.chars().count());
        }
        let expected = lengths[0];
        match lengths.iter().position(|&length| length != expected) {
            Some(row) => Err(ParseError(format!(
                "row {} has {} squares and row 1 has {expected}: all rows must be equally long",
                row + 1,
                lengths[row]
            ))),
            None => Ok(Rows {
                rows: lengths.len(),
                columns: expected,
                marks,
            }),
        }
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(grid) = self.grid() else {
            f.write_str("graph:")?;
            return graph::write(self.graph(), self.marks(), f);
        };
        if self.marks() == 0 {
            return grid.fmt(f);
        }
        if let Some(word) = grid.form().word() {
            write!(f, "{word}:")?;
        }
        let [_, rows, columns] = grid.sides();
        for cell in 0..grid.cells() {
            match (cell, cell % columns, cell % (rows * columns)) {
                (0, ..) => {}
                (_, _, 0) => f.write_str("//")?,
                (_, 0, _) => f.write_str("/")?,
                _ => {}
            }
            f.write_str(if self.marks() >> cell & 1 == 1 { "x" } else { "." })?;
        }
        Ok(())
    }
}

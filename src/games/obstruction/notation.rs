//! Notation: `6x6` for an empty board of rows × columns, or its rows from top to bottom, split by `/`, with `.` for a
//! square without a mark and `x` for a marked one: `..x/.../x..`.
//!
//! Input also takes `X` and `×`, and `·` for `.`.

use super::grid::Place;
use super::{Board, MAX_SQUARES, Square, with_neighbours};
use crate::games::number;
use crate::outcome::ParseError;
use std::fmt;
use std::str::FromStr;

impl FromStr for Board {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Board, ParseError> {
        match parse_size(text) {
            Some((rows, columns)) => empty(rows, columns),
            None => parse_rows(text),
        }
    }
}

/// `6x6` as numbers; a number past all bounds is as good as the greatest.
pub(super) fn parse_size(text: &str) -> Option<(usize, usize)> {
    let (rows, columns) = text.split_once(['x', 'X', '×'])?;
    Some((number(rows)?, number(columns)?))
}

fn empty(rows: usize, columns: usize) -> Result<Board, ParseError> {
    if rows == 0 || columns == 0 {
        return Err(no_squares());
    }
    Board::empty(rows, columns).ok_or_else(|| {
        ParseError(format!(
            "{rows} rows of {columns} squares are too many: boards of up to {MAX_SQUARES} squares are possible"
        ))
    })
}

pub(super) fn no_squares() -> ParseError {
    ParseError("a board without squares: write 6x6, or rows such as '..x/.../...'".to_string())
}

pub(super) fn touching_marks(first: Place, second: Place) -> ParseError {
    ParseError(format!(
        "the marks at {first} and {second} touch: a square next to a mark cannot be marked"
    ))
}

/// Rows of squares, and where the marks are.
pub(super) struct Rows {
    pub rows: usize,
    pub columns: usize,
    pub marks: Vec<Square>,
}

impl Rows {
    /// Reads rows from top to bottom, split by `/`.
    pub fn read(text: &str) -> Result<Rows, ParseError> {
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

fn parse_rows(text: &str) -> Result<Board, ParseError> {
    let read = Rows::read(text)?;
    let board = empty(read.rows, read.columns)?;
    read.marks.into_iter().try_fold(board, |board, square| {
        let first = || Place::Square(touching(&board, square));
        board
            .mark(square)
            .ok_or_else(|| touching_marks(first(), Place::Square(square)))
    })
}

/// The first mark next to a square; the square itself if there is none.
fn touching(board: &Board, square: Square) -> Square {
    let bit = square.row * board.columns() + square.column;
    let near = with_neighbours(board.columns(), 1 << bit) & board.marks;
    super::bits(near)
        .next()
        .map_or(square, |mark| super::square(board.columns(), mark))
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.marks == 0 {
            return write!(f, "{}x{}", self.rows, self.columns);
        }
        for row in 0..self.rows() {
            if row > 0 {
                f.write_str("/")?;
            }
            for column in 0..self.columns() {
                let marked = self.marks >> (row * self.columns() + column) & 1 == 1;
                f.write_str(if marked { "x" } else { "." })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_printed_as_they_are_read() {
        for text in ["6x6", "1x128", "..x/.../x..", "x", "./.", "x.x.x"] {
            let board: Board = text.parse().unwrap();
            let again: Board = board.to_string().parse().unwrap();
            assert_eq!(again, board, "{text}");
        }
        assert_eq!("./.".parse::<Board>().unwrap().to_string(), "2x1");
        assert_eq!("X·/··".parse::<Board>(), "x./..".parse::<Board>());
        assert_eq!("6×6".parse::<Board>(), "6x6".parse::<Board>());
    }

    #[test]
    fn illegal_boards_say_what_is_wrong_and_where() {
        let foreign = ["6x", "x6", "6", "-1x3", "6 x 6", "3x3x3"].map(|text| (text, "is not a square"));
        let empty = ["", "0x3", "3x0", "/"].map(|text| (text, "a board without squares"));
        for (text, reason) in [
            (".../.o.", "'o' at r2c2 is not"),
            (".../../...", "row 2 has 2 squares and row 1 has 3"),
            ("x../.x.", "the marks at r1c1 and r2c2 touch"),
            ("12x11", "12 rows of 11 squares are too many"),
            ("99999999999999999999999x2", "too many"),
            (&".".repeat(129), "1 rows of 129 squares are too many"),
        ]
        .into_iter()
        .chain(foreign)
        .chain(empty)
        {
            let error = text.parse::<Board>().unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}

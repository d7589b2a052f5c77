//! Notation: `6x6` for an empty board of rows × columns, or its rows from top to bottom, split by `/`, with `.` for a
//! square without a mark and `x` for a marked one: `..x/.../x..`.
//!
//! Input also takes `X` and `×`, and `·` for `.`.

use super::graph::ParseGraphError;
use super::grid::Place;
use super::{Board, MAX_SQUARES, Square, with_neighbours};
use std::fmt;
use std::str::FromStr;

/// Why a text is not a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseBoardError {
    /// A character that is not a square.
    #[error(
        "'{found}' at {square} is not a square: write '.' for an unmarked square, 'x' for a mark, '/' between rows, or 6x6 for an empty board of 6 rows and 6 columns"
    )]
    ForeignCharacter {
        /// The character.
        found: char,
        /// Where it stands.
        square: Square,
    },
    /// A row that is longer or shorter than the first.
    #[error("row {row} has {found} squares and row 1 has {expected}: all rows must be equally long")]
    UnequalRows {
        /// The row, counted from 1.
        row: usize,
        /// Its squares.
        found: usize,
        /// The squares of the first row.
        expected: usize,
    },
    /// Two marks where no play can put them.
    #[error("the marks at {first} and {second} touch: a square next to a mark cannot be marked")]
    TouchingMarks {
        /// One mark.
        first: Place,
        /// The other.
        second: Place,
    },
    /// Too many squares.
    #[error(
        "{rows} rows of {columns} squares are too many: boards of up to {MAX_SQUARES} squares are possible"
    )]
    TooLarge {
        /// The number of rows.
        rows: usize,
        /// The number of columns.
        columns: usize,
    },
    /// Too many cells on another board than a rectangle.
    #[error("too many cells: boards of up to {MAX_SQUARES} are possible")]
    TooManyCells,
    /// A layer that is not as large as the first.
    #[error(
        "layer {layer} is not as large as layer 1: all layers must have equally many rows, and all rows be equally long"
    )]
    UnequalLayers {
        /// The layer, counted from 1.
        layer: usize,
    },
    /// Three numbers where two are needed, or the other way round.
    #[error(
        "'{found}' is no size: write rows and columns as in torus:5x5, or the three sides of a box as in 3x3x3"
    )]
    Sides {
        /// The text.
        found: String,
    },
    /// A word that is no shape's.
    #[error(
        "there is no shape '{found}': write regio, torus, cylinder, moebius, hex or graph before the colon, and nothing before a rectangle or a box"
    )]
    NoSuchShape {
        /// The word.
        found: String,
    },
    /// A graph that cannot be read.
    #[error(transparent)]
    Graph(#[from] ParseGraphError),
    /// A file that holds no graph.
    #[error(transparent)]
    File(#[from] super::graph_file::GraphFileError),
    /// No square at all.
    #[error("a board without squares: write 6x6, or rows such as '..x/.../...'")]
    NoSquares,
}

impl FromStr for Board {
    type Err = ParseBoardError;

    fn from_str(text: &str) -> Result<Board, ParseBoardError> {
        match parse_size(text) {
            Some((rows, columns)) => empty(rows, columns),
            None => parse_rows(text),
        }
    }
}

/// `6x6` as numbers; a number past all bounds is as good as the greatest.
pub(super) fn parse_size(text: &str) -> Option<(usize, usize)> {
    let (rows, columns) = text.split_once(['x', 'X', '×'])?;
    Some((parse_number(rows)?, parse_number(columns)?))
}

/// Digits and nothing else.
pub(super) fn parse_number(text: &str) -> Option<usize> {
    let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().unwrap_or(usize::MAX))
}

fn empty(rows: usize, columns: usize) -> Result<Board, ParseBoardError> {
    if rows == 0 || columns == 0 {
        return Err(ParseBoardError::NoSquares);
    }
    Board::empty(rows, columns).ok_or(ParseBoardError::TooLarge { rows, columns })
}

/// Rows of squares, and where the marks are.
pub(super) struct Rows {
    pub rows: usize,
    pub columns: usize,
    pub marks: Vec<Square>,
}

impl Rows {
    /// Reads rows from top to bottom, split by `/`.
    pub fn read(text: &str) -> Result<Rows, ParseBoardError> {
        let mut marks = Vec::new();
        let mut lengths = Vec::new();
        for (row, squares) in text.split('/').enumerate() {
            for (column, symbol) in squares.chars().enumerate() {
                let square = Square { row, column };
                match symbol {
                    '.' | '·' => {}
                    'x' | 'X' | '×' => marks.push(square),
                    found => return Err(ParseBoardError::ForeignCharacter { found, square }),
                }
            }
            lengths.push(squares.chars().count());
        }
        let expected = lengths[0];
        match lengths.iter().position(|&length| length != expected) {
            Some(row) => Err(ParseBoardError::UnequalRows {
                row: row + 1,
                found: lengths[row],
                expected,
            }),
            None => Ok(Rows {
                rows: lengths.len(),
                columns: expected,
                marks,
            }),
        }
    }
}

fn parse_rows(text: &str) -> Result<Board, ParseBoardError> {
    let read = Rows::read(text)?;
    let board = empty(read.rows, read.columns)?;
    read.marks.into_iter().try_fold(board, |board, square| {
        board.mark(square).map_err(|_| ParseBoardError::TouchingMarks {
            first: Place::Square(touching(&board, square)),
            second: Place::Square(square),
        })
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

    fn error(text: &str) -> ParseBoardError {
        text.parse::<Board>().unwrap_err()
    }

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
        let square = |row, column| Square { row, column };
        let found = 'o';
        assert_eq!(
            error(".../.o."),
            ParseBoardError::ForeignCharacter {
                found,
                square: square(1, 1)
            }
        );
        assert_eq!(
            error(".../../..."),
            ParseBoardError::UnequalRows {
                row: 2,
                found: 2,
                expected: 3
            }
        );
        assert_eq!(
            error("x../.x."),
            ParseBoardError::TouchingMarks {
                first: Place::Square(square(0, 0)),
                second: Place::Square(square(1, 1))
            }
        );
        assert_eq!(
            error("12x11"),
            ParseBoardError::TooLarge {
                rows: 12,
                columns: 11
            }
        );
        assert!(matches!(
            error("99999999999999999999999x2"),
            ParseBoardError::TooLarge { .. }
        ));
        assert!(matches!(
            error(&".".repeat(129)),
            ParseBoardError::TooLarge {
                rows: 1,
                columns: 129
            }
        ));
        for text in ["", "0x3", "3x0", "/"] {
            assert_eq!(error(text), ParseBoardError::NoSquares, "{text}");
        }
        for text in ["6x", "x6", "6", "-1x3", "6 x 6", "3x3x3"] {
            assert!(
                matches!(error(text), ParseBoardError::ForeignCharacter { .. }),
                "{text}"
            );
        }
    }
}

//! Obstruction, the game of *A paper/pencil game*: mark a free square none of whose up to eight neighbours is
//! marked; who cannot move loses.
//!
//! A turn takes the marked square and all its neighbours out of the game, so what matters of a position is only the set
//! of squares that are still *free*: the game is node Kayles on the king's graph of those squares.
//!
//! * [`Grid`] is a board of some shape, [`Board`] such a board, or a graph, with its marks; [`Square`] names a square of it, printed `r1c2`.
//! * [`Sum`] is several boards side by side; a turn is made on one of them.

mod board;
pub mod graph;
pub mod graph_file;
mod grid;
mod notation;
mod sum;

pub use board::Board;
pub use grid::{Form, Grid, Place};
pub use sum::{MAX_ROW_LENGTH, Sum, SumTurn, Term};

use std::fmt;

/// The most squares a board can have.
pub const MAX_SQUARES: usize = 128;

/// The first squares of all rows, by the number of columns, as far as they fit into 128 bits.
const FIRST_COLUMN: [u128; MAX_SQUARES + 1] = first_columns();

const fn first_columns() -> [u128; MAX_SQUARES + 1] {
    let mut masks = [0; MAX_SQUARES + 1];
    let mut columns = 1;
    while columns <= MAX_SQUARES {
        let mut square = 0;
        while square < MAX_SQUARES {
            masks[columns] |= 1 << square;
            square += columns;
        }
        columns += 1;
    }
    masks
}

/// The first squares of all rows of a board with this many columns (1 … 128): bit `row · columns`.
#[inline(always)]
pub fn first_column(columns: usize) -> u128 {
    FIRST_COLUMN[columns]
}

/// The squares of a set and all their neighbours; bit `row · columns + column` is a square.
///
/// The set may spill over the last row of a board, as far as there are bits: intersect it with what is wanted.
#[inline(always)]
pub fn with_neighbours(columns: usize, squares: u128) -> u128 {
    let first = first_column(columns);
    let last = first << (columns - 1);
    let rows = squares | (squares & !last) << 1 | (squares & !first) >> 1;
    match columns {
        MAX_SQUARES => rows,
        _ => rows | rows << columns | rows >> columns,
    }
}

/// A square of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square {
    /// The row, counted from 0 at the top.
    pub row: usize,
    /// The column, counted from 0 at the left.
    pub column: usize,
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}c{}", self.row + 1, self.column + 1)
    }
}

/// The numbers of the bits of a set, ascending.
pub fn bits(set: u128) -> impl Iterator<Item = usize> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
        rest &= rest - 1;
        Some(bit)
    })
}

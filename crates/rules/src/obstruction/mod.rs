//! Obstruction, from *A paper/pencil game*: mark a free square with no marked neighbour among up to
//! eight; a player who cannot move loses.
//!
//! A turn removes the marked square and its neighbours from play, so a position is determined by
//! the set of *free* squares: the game is node Kayles on the king's graph of those squares.
//!
//! * [`Grid`] is a shape with a size, [`Board`] a grid or other graph with its marks, [`Square`] a
//!   square of a grid, printed `r1c2`.
//! * [`Sum`] is several boards side by side; a turn is made on one of them.

#![allow(missing_docs)]

mod board;
pub mod graph;
pub mod graph_file;
mod grid;
mod notation;
mod sum;

pub use board::Board;
pub use grid::{Form, Grid, Place};
pub use phutbase_base::bits::bits;
pub use sum::{MAX_ROW_LENGTH, Sum, SumTurn, Term};

use std::fmt;

/// Most squares of a board.
pub const MAX_SQUARES: usize = 128;

/// The first column of a board for each number of columns, extended to 128 bits.
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

/// Returns the first column of a board with 1 to 128 columns: every bit `row · columns`.
#[inline(always)]
pub fn first_column(columns: usize) -> u128 {
    FIRST_COLUMN[columns]
}

/// Returns the squares of a set and all their neighbours; a square is bit `row · columns + column`.
///
/// The result may extend below the last row of the board; intersect it with the squares needed.
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

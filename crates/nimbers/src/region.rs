//! Regions: sets of free squares, cut into components and reduced to a common form for equal
//! nimbers.
//!
//! A region is a bit mask over the smallest rectangle around it, row by row, no wider than high:
//!
//! ```text
//!     . .      bits 0 1
//!     . #      bits 2 3      width 2, height 3, squares 0b10_01_11
//!     # .      bits 4 5      connected: a king goes from bit 2 to bit 5
//! ```
//!
//! The *canonical* region is the smallest mask among the images under the symmetries of the
//! rectangle: four, or eight for a square. The surrounding rectangle already removes translations.
//! Symmetries preserve king's moves, so regions with the same canonical form are the same game.

use phutbase_rules::obstruction::{MAX_SQUARES, bits, first_column, with_neighbours};
use std::fmt;

/// A set of free squares in its bounding rectangle; see the module documentation.
///
/// Invariants: `squares` has a square in the first row, in the first column and in column `width −
/// 1`; `width ≤ height`, and `width · height ≤ 128`; the empty region has width 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Region {
    squares: u128,
    width: u8,
}

impl Region {
    pub const EMPTY: Region = Region { squares: 0, width: 0 };

    /// Moves the free squares of a board, bit `row · columns + column` with 1 ≤ `columns` ≤ 128, to
    /// their bounding rectangle, transposed if it is wider than high. The region is not yet canonical.
    pub fn new(columns: usize, squares: u128) -> Region {
        if squares == 0 {
            return Region::EMPTY;
        }
        let squares = squares >> (squares.trailing_zeros() as usize / columns * columns);
        let rows = (MAX_SQUARES - squares.leading_zeros() as usize).div_ceil(columns);
        let row_mask = u128::MAX >> (MAX_SQUARES - columns);
        let row = |row: usize| squares >> (row * columns) & row_mask;
        let used = (0..rows).fold(0, |used, number| used | row(number));
        let left = used.trailing_zeros() as usize;
        let width = MAX_SQUARES - used.leading_zeros() as usize - left;
        let squares = if width == columns {
            squares
        } else {
            (0..rows).fold(0, |packed, number| {
                packed | row(number) >> left << (number * width)
            })
        };
        if width <= rows {
            Region {
                squares,
                width: width as u8,
            }
        } else {
            Region {
                squares: transposed(squares, width),
                width: rows as u8,
            }
        }
    }

    /// Returns the smaller side of the rectangle.
    pub fn width(&self) -> usize {
        self.width.into()
    }

    /// Returns the larger side of the rectangle.
    pub fn height(&self) -> usize {
        match self.width() {
            0 => 0,
            width => (MAX_SQUARES - self.squares.leading_zeros() as usize).div_ceil(width),
        }
    }

    /// Returns the squares, bit `row · width + column`.
    pub fn squares(&self) -> u128 {
        self.squares
    }

    pub fn len(&self) -> u32 {
        self.squares.count_ones()
    }

    pub fn is_empty(&self) -> bool {
        self.squares == 0
    }

    /// Returns the smallest image under reflections and rotations.
    pub fn canonical(&self) -> Region {
        let (width, height) = (self.width(), self.height());
        if self.is_empty() {
            return *self;
        }
        let mut least = least_image(self.squares, width, height);
        if width == height {
            least = least.min(least_image(transposed(self.squares, width), width, height));
        }
        Region {
            squares: least,
            width: self.width,
        }
    }

    /// Keeps one square of every class of twins.
    ///
    /// *Twins* are neighbours with the same closed neighbourhood. Marking either is the same turn,
    /// because it removes the same squares. Any other mark removes both or neither, because a mark
    /// on w removes u exactly if w is in the closed neighbourhood of u. By induction on the number
    /// of squares, the game without one of the two has the same turns to positions of the same
    /// nimbers, and therefore the same nimber. Removing a twin leaves all other twins twins, so
    /// pairs may be treated at the same time.
    pub fn without_twins(&self) -> Region {
        match self.width() {
            0 => *self,
            width => match twins_removed(width, self.squares) {
                squares if squares == self.squares => *self,
                squares => Region::new(width, squares),
            },
        }
    }
}

/// Iterates over the connected components of a set of squares.
pub(super) fn components(width: usize, squares: u128) -> impl Iterator<Item = Region> {
    let components = connected(squares, move |squares| with_neighbours(width, squares));
    components.map(move |component| Region::new(width, component))
}

/// Iterates over the connected components of a set, in the order of their first members; `near`
/// returns a set with its neighbours.
#[inline]
pub fn connected(set: u128, near: impl Fn(u128) -> u128) -> impl Iterator<Item = u128> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let mut component = rest & rest.wrapping_neg();
        let mut new = component;
        while new != 0 {
            rest &= !new;
            new = near(new) & rest;
            component |= new;
        }
        (component != 0).then_some(component)
    })
}

/// Swaps rows and columns of a mask with rows of `width` squares.
fn transposed(squares: u128, width: usize) -> u128 {
    let height = (MAX_SQUARES - squares.leading_zeros() as usize).div_ceil(width);
    let row_mask = u128::MAX >> (MAX_SQUARES - width);
    let mut result = 0;
    for row in 0..height {
        for column in bits(squares >> (row * width) & row_mask) {
            result |= 1 << (column * height + row);
        }
    }
    result
}

/// Returns the smallest of a mask, its two reflections and its half turn.
fn least_image(squares: u128, width: usize, height: usize) -> u128 {
    let row_mask = u128::MAX >> (MAX_SQUARES - width);
    let mut upside_down = 0;
    let mut rest = squares;
    for row in (0..height).rev() {
        upside_down |= (rest & row_mask) << (row * width);
        rest >>= width;
    }
    // Reversing all bits is the half turn; combined with the flip it reverses every row.
    let half_turn = |squares: u128| squares.reverse_bits() >> (MAX_SQUARES - width * height);
    let images = [upside_down, half_turn(squares), half_turn(upside_down)];
    images.into_iter().fold(squares, u128::min)
}

/// Removes one of each pair of twins, one direction after the other. Two neighbours u and v are twins
/// if no square is next to only one of them. The squares `x` next to only one:
///
/// ```text
///     x . . x        x x x .
///     x u v x        x u . x
///     x . . x        x . v x
///                    . x x x
/// ```
#[inline]
fn twins_removed(width: usize, squares: u128) -> u128 {
    let first = first_column(width);
    let last = first << (width - 1);
    // Neighbours of all squares at once: bit i of `west(x)` is the bit of x to the west of square
    // i.
    let west = |x: u128| (x & !last) << 1;
    let east = |x: u128| (x & !first) >> 1;
    let north = |x: u128| x << width;
    let south = |x: u128| x >> width;
    let columns = |x: u128| x | north(x) | south(x);
    let rows = |x: u128| x | west(x) | east(x);

    let free = without_neighbours(squares, east, west, columns);
    let free = without_neighbours(free, south, north, rows);
    let without_diagonals = |free: u128, to: &dyn Fn(u128) -> u128, back: &dyn Fn(u128) -> u128| {
        // v is below u, one column in the direction `to`. `pair` covers the rows of both.
        let (row, pair) = (rows(free), free | south(free));
        let others = north(row) | back(pair) | south(south(to(row))) | to(to(pair));
        let twins = free & south(to(free)) & !others;
        free & !north(back(twins))
    };
    let free = without_diagonals(free, &east, &west);
    without_diagonals(free, &west, &east)
}

/// Removes v of each pair of twins with v next to u in the direction `to`; `across` adds to a set
/// the squares on both sides of the line through u and v.
#[inline(always)]
fn without_neighbours(
    free: u128,
    to: impl Fn(u128) -> u128,
    back: impl Fn(u128) -> u128,
    across: impl Fn(u128) -> u128,
) -> u128 {
    let line = across(free);
    let twins = free & to(free) & !back(line) & !to(to(line));
    free & !back(twins)
}

/// Writes rows from top to bottom separated by `/`, `.` for a square of the region, `#` for
/// another; `3x5` for a full rectangle.
impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (width, height) = (self.width(), self.height());
        if self.len() as usize == width * height {
            return write!(f, "{width}x{height}");
        }
        // The longer side is drawn horizontally.
        for row in 0..width {
            if row > 0 {
                f.write_str("/")?;
            }
            for column in 0..height {
                let free = self.squares >> (column * width + row) & 1 == 1;
                f.write_str(if free { "." } else { "#" })?;
            }
        }
        Ok(())
    }
}

//! Regions: sets of free squares, cut into components and brought to one form for all that must have the same nimber.
//!
//! A region is a bit mask over the smallest rectangle around it, row by row, no wider than high:
//!
//! ```text
//!     . .      bits 0 1
//!     . #      bits 2 3      width 2, height 3, squares 0b10_01_11
//!     # .      bits 4 5      connected: a king goes from bit 2 to bit 5
//! ```
//!
//! The *canonical* region is the least mask among the images under the symmetries of the square that keep it so:
//! four, or eight if it is as wide as high. Translation is gone with the rectangle. Symmetries carry king's moves to king's
//! moves, so regions with the same canonical form are the same game.

use crate::games::obstruction::{MAX_SQUARES, bits, first_column, with_neighbours};
use std::fmt;

/// A set of free squares in the smallest rectangle around it; see the module's documentation.
///
/// Invariants: `squares` has a square in the first row, in the first column and in column `width − 1`; `width ≤ height`, and
/// `width · height ≤ 128`; the empty region has width 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Region {
    squares: u128,
    width: u8,
}

impl Region {
    /// The region without squares.
    pub const EMPTY: Region = Region { squares: 0, width: 0 };

    /// The free squares of a board, bit `row · columns + column`, with 1 ≤ `columns` ≤ 128; not yet canonical.
    pub fn new(columns: usize, free: u128) -> Region {
        trimmed(columns, free)
    }

    /// The smaller side of the rectangle.
    pub fn width(&self) -> usize {
        self.width.into()
    }

    /// The greater side of the rectangle.
    pub fn height(&self) -> usize {
        match self.width() {
            0 => 0,
            width => (MAX_SQUARES - self.squares.leading_zeros() as usize).div_ceil(width),
        }
    }

    /// The squares, bit `row · width + column`.
    pub fn squares(&self) -> u128 {
        self.squares
    }

    /// The number of squares.
    pub fn len(&self) -> u32 {
        self.squares.count_ones()
    }

    /// Whether there is no square.
    pub fn is_empty(&self) -> bool {
        self.squares == 0
    }

    /// What marking a square leaves: not connected, not canonical, but for the place of its rectangle.
    pub(super) fn after_mark(&self, bit: usize) -> u128 {
        self.squares & !with_neighbours(self.width(), 1 << bit)
    }

    /// The least of the images under reflections and rotations.
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

    /// The region with one square of every class of twins.
    ///
    /// *Twins* are neighbours with the same closed neighbourhood: the same squares are on or next to them. To mark either is
    /// the same turn, since it takes the same squares away; and any other mark takes away both or neither, since a
    /// mark on w takes u away exactly if w is in the closed neighbourhood of u. So by induction on the number of squares
    /// the game without one of the two has the same turns to positions of the same nimbers, and the same nimber.
    /// Taking a twin away leaves all other twins twins, so pairs may be treated at the same time.
    pub fn without_twins(&self) -> Region {
        if self.is_empty() {
            return *self;
        }
        let view = View::new(self.width());
        let squares = twins_removed(&view, self.squares);
        if squares == self.squares {
            return *self;
        }
        trimmed(self.width(), squares)
    }
}

/// Calls `visit` with every connected component of a set of squares.
pub(super) fn components(width: usize, squares: u128, mut visit: impl FnMut(Region)) {
    let mut rest = squares;
    while rest != 0 {
        let component = component(width, rest);
        rest &= !component;
        visit(trimmed(width, component));
    }
}

/// The connected component of the first square of a set.
pub fn component(width: usize, squares: u128) -> u128 {
    let mut reached = squares & squares.wrapping_neg();
    loop {
        let more = with_neighbours(width, reached) & squares;
        if more == reached {
            return reached;
        }
        reached = more;
    }
}

/// Moves a set of squares into the smallest rectangle around it, turned so that it is no wider than high.
fn trimmed(columns: usize, squares: u128) -> Region {
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

/// Rows and columns swapped: from rows of `width` squares.
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

/// The least of a mask, its two reflections and its half turn.
fn least_image(squares: u128, width: usize, height: usize) -> u128 {
    let row_mask = u128::MAX >> (MAX_SQUARES - width);
    let mut upside_down = 0;
    let mut rest = squares;
    for row in (0..height).rev() {
        upside_down |= (rest & row_mask) << (row * width);
        rest >>= width;
    }
    // Reversing all bits is the half turn; both together reverse every row.
    let half_turn = |squares: u128| squares.reverse_bits() >> (MAX_SQUARES - width * height);
    let images = [upside_down, half_turn(squares), half_turn(upside_down)];
    images.into_iter().fold(squares, u128::min)
}

/// Looks at the neighbour of every square at once: bit `i` of `west(x)` is the bit of `x` to the west of square `i`.
struct View {
    width: usize,
    first: u128,
    last: u128,
}

impl View {
    #[inline(always)]
    fn new(width: usize) -> View {
        let first = first_column(width);
        View {
            width,
            first,
            last: first << (width - 1),
        }
    }

    #[inline(always)]
    fn west(&self, x: u128) -> u128 {
        (x & !self.last) << 1
    }

    #[inline(always)]
    fn east(&self, x: u128) -> u128 {
        (x & !self.first) >> 1
    }

    #[inline(always)]
    fn north(&self, x: u128) -> u128 {
        x << self.width
    }

    #[inline(always)]
    fn south(&self, x: u128) -> u128 {
        x >> self.width
    }

    /// Whether a square or the one above or below is in the set.
    #[inline(always)]
    fn column(&self, x: u128) -> u128 {
        x | self.north(x) | self.south(x)
    }

    /// Whether a square or the one to the left or right is in the set.
    #[inline(always)]
    fn row(&self, x: u128) -> u128 {
        x | self.west(x) | self.east(x)
    }
}

/// Takes one of each pair of twins away, one direction after the other. Two neighbours are twins if no square
/// is next to only one of them: for u and its eastern neighbour these are the columns to the west of u and to the east of the neighbour.
fn twins_removed(view: &View, squares: u128) -> u128 {
    let View { width, first, last } = *view;
    let (north, south) = (|x| view.north(x), |x| view.south(x));
    let (west, east) = (|x| view.west(x), |x| view.east(x));

    let free = squares;
    let beside = view.column(free);
    let twins = free & east(free) & !west(beside) & !east(east(beside));
    let free = free & !((twins & !last) << 1);

    let beside = view.row(free);
    let twins = free & south(free) & !north(beside) & !south(south(beside));
    let free = free & !(twins << width);

    // Diagonals: u above, its neighbour below to the east or west. `pair` is a column of the rows of both.
    let (beside, pair) = (view.row(free), free | south(free));
    let twins = free
        & south(east(free))
        & !(north(beside) | west(pair) | south(south(east(beside))) | east(east(pair)));
    let free = free & !((twins & !last) << (width + 1));

    let (beside, pair) = (view.row(free), free | south(free));
    let twins = free
        & south(west(free))
        & !(north(beside) | east(pair) | south(south(west(beside))) | west(west(pair)));
    free & !((twins & !first) << (width - 1))
}

/// Rows from top to bottom split by `/`, `.` for a square of the region, `#` for one that is not; `3x5` for a whole
/// rectangle.
impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (width, height) = (self.width(), self.height());
        if self.len() as usize == width * height {
            return write!(f, "{width}x{height}");
        }
        // Shown lying down, as boards mostly are.
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

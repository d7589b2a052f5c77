//! The shapes of boards: cells in rows and columns, in boxes also in layers, with their neighbours.

use super::graph::Graph;
use super::{MAX_SQUARES, Square};
use std::fmt;

/// The neighbourhood of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Form {
    /// The up to 8 cells around a cell.
    Rectangle = 0,
    /// The up to 4 cells that share a side: the game Regio.
    Regio = 1,
    /// 8 neighbours, rows and columns wrap.
    Torus = 2,
    /// 8 neighbours, columns wrap: the last one is next to the first.
    Cylinder = 3,
    /// 8 neighbours, columns wrap with the rows flipped.
    Moebius = 4,
    /// A parallelogram of hexagons: the four sides, and (+1, −1) and (−1, +1).
    Hex = 5,
    /// Layers of rows and columns: the up to 26 cells around a cell.
    Box = 6,
}

impl Form {
    pub const ALL: [Form; 7] = {
        use Form::*;
        [Rectangle, Regio, Torus, Cylinder, Moebius, Hex, Box]
    };

    /// Returns the prefix in notation; rectangles and boxes have none.
    pub fn word(self) -> Option<&'static str> {
        match self {
            Form::Rectangle | Form::Box => None,
            Form::Regio => Some("regio"),
            Form::Torus => Some("torus"),
            Form::Cylinder => Some("cylinder"),
            Form::Moebius => Some("moebius"),
            Form::Hex => Some("hex"),
        }
    }

    pub fn of_word(word: &str) -> Option<Form> {
        Form::ALL.into_iter().find(|form| form.word() == Some(word))
    }
}

/// Name of a cell or vertex, and of the turn that marks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// A square of a board with rows and columns: `r1c2`.
    Square(Square),
    /// A cell of a box: `l1r2c3`.
    Cell {
        /// The layer, counted from 0.
        layer: usize,
        square: Square,
    },
    Vertex(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Square(square) => square.fmt(f),
            Place::Cell { layer, square } => write!(f, "l{}{square}", layer + 1),
            Place::Vertex(number) => number.fmt(f),
        }
    }
}

/// A board of some form and size, without marks.
///
/// Invariants: 1 to [`MAX_SQUARES`] cells; only boxes have more than one layer, and every box has.
/// Cell `(layer · rows + row) · columns + column` is the vertex of that number in [`Grid::graph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Grid {
    form: Form,
    /// Layers, rows, columns.
    sides: [u8; 3],
}

impl Grid {
    /// Creates a board from layers, rows and columns; forms other than boxes ignore the layers, and
    /// a box of one layer is a rectangle. `None` unless it has 1 to [`MAX_SQUARES`] cells.
    pub fn of_sides(form: Form, sides: [usize; 3]) -> Option<Grid> {
        let (form, sides) = match form {
            Form::Box if sides[0] == 1 => (Form::Rectangle, sides),
            Form::Box => (form, sides),
            _ => (form, [1, sides[1], sides[2]]),
        };
        let cells = (sides.iter()).try_fold(1usize, |cells, &side| cells.checked_mul(side))?;
        (1..=MAX_SQUARES).contains(&cells).then(|| Grid {
            form,
            sides: sides.map(|side| side as u8),
        })
    }

    /// Creates a board from two sides, or three for a box; `None` unless it has 1 to
    /// [`MAX_SQUARES`] cells.
    pub fn new(form: Form, sides: &[usize]) -> Option<Grid> {
        match *sides {
            [rows, columns] if form != Form::Box => Grid::of_sides(form, [1, rows, columns]),
            [layers, rows, columns] if form == Form::Box => Grid::of_sides(form, [layers, rows, columns]),
            _ => None,
        }
    }

    /// Parses `torus:5x5`, `6x6` or `3x3x3` as form and sides, of any size; `None` if it is not a
    /// size.
    pub fn size(text: &str) -> Option<(Form, Vec<usize>)> {
        let (form, size) = match text.split_once(':') {
            Some((word, size)) => (Some(Form::of_word(word)?), size),
            None => (None, text),
        };
        let sides: Vec<usize> = size
            .split(['x', 'X', '×'])
            .map(crate::number)
            .collect::<Option<_>>()?;
        match (form, sides.len()) {
            (None, 3) => Some((Form::Box, sides)),
            (form, 2) => Some((form.unwrap_or(Form::Rectangle), sides)),
            _ => None,
        }
    }

    pub fn form(&self) -> Form {
        self.form
    }

    /// Returns layers, rows and columns.
    pub fn sides(&self) -> [usize; 3] {
        self.sides.map(usize::from)
    }

    pub fn cells(&self) -> usize {
        self.sides().iter().product()
    }

    /// Sorts the sides in ascending order if that gives an isomorphic board.
    pub fn upright(self) -> Grid {
        let mut sides = self.sides();
        match self.form {
            Form::Rectangle | Form::Regio | Form::Torus | Form::Hex => sides[1..].sort_unstable(),
            Form::Box => sides.sort_unstable(),
            Form::Cylinder | Form::Moebius => {}
        }
        Grid::of_sides(self.form, sides).expect("as many cells")
    }

    pub fn place(&self, cell: usize) -> Place {
        let [layer, row, column] = self.coordinates(cell).map(|at| at as usize);
        let square = Square { row, column };
        match self.form {
            Form::Box => Place::Cell { layer, square },
            _ => Place::Square(square),
        }
    }

    /// Returns the cell at coordinates (layer, row, column), with wrapping; `None` if it is off the
    /// board.
    fn cell(&self, at: [isize; 3]) -> Option<usize> {
        let sides = self.sides.map(isize::from);
        let [layer, mut row, mut column] = at;
        if self.form == Form::Torus {
            row = row.rem_euclid(sides[1]);
        }
        if matches!(self.form, Form::Torus | Form::Cylinder | Form::Moebius) {
            if self.form == Form::Moebius && column.div_euclid(sides[2]) % 2 != 0 {
                row = sides[1] - 1 - row;
            }
            column = column.rem_euclid(sides[2]);
        }
        let on_board = [layer, row, column]
            .iter()
            .zip(sides)
            .all(|(at, side)| (0..side).contains(at));
        on_board.then(|| ((layer * sides[1] + row) * sides[2] + column) as usize)
    }

    /// Returns layer, row and column of a cell.
    fn coordinates(&self, cell: usize) -> [isize; 3] {
        let [_, rows, columns] = self.sides();
        [cell / columns / rows, cell / columns % rows, cell % columns].map(|at| at as isize)
    }

    /// Builds the graph of neighbouring cells. A cell is never its own neighbour; neighbours that
    /// coincide count once.
    pub fn graph(&self) -> Graph {
        let mut graph = Graph::without_edges(self.cells()).expect("a grid has 1 to 128 cells");
        for cell in 0..self.cells() {
            let at = self.coordinates(cell);
            for step in steps(self.form) {
                let there = [at[0] + step[0], at[1] + step[1], at[2] + step[2]];
                if let Some(neighbour) = self.cell(there).filter(|&neighbour| neighbour != cell) {
                    graph.join(cell, neighbour);
                }
            }
        }
        graph
    }

    /// Returns the automorphisms among the shifts, reflections and quarter turns, as permutations
    /// of the cells without the identity.
    pub fn symmetries(&self, graph: &Graph) -> Vec<Vec<u8>> {
        let sides = self.sides.map(isize::from);
        let shifts = |axis: usize| match (self.form, axis) {
            (Form::Torus, 1 | 2) | (Form::Cylinder | Form::Moebius, 2) => sides[axis],
            _ => 1,
        };
        let mut found: Vec<Vec<u8>> = Vec::new();
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            if order.iter().zip(sides).any(|(&axis, side)| sides[axis] != side) {
                continue;
            }
            for flips in 0..8 {
                for (down, right) in
                    (0..shifts(1)).flat_map(|down| (0..shifts(2)).map(move |right| (down, right)))
                {
                    let image = |cell: usize| {
                        let at = self.coordinates(cell);
                        let mut to = order.map(|axis| at[axis]);
                        for axis in 0..3 {
                            if flips >> axis & 1 == 1 {
                                to[axis] = sides[axis] - 1 - to[axis];
                            }
                        }
                        self.cell([to[0], to[1] + down, to[2] + right])
                    };
                    let images: Option<Vec<u8>> =
                        (0..self.cells()).map(|cell| Some(image(cell)? as u8)).collect();
                    found.extend(images.filter(|images| graph.has_automorphism(images)));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found.retain(|images| !images.is_sorted());
        found
    }
}

/// Iterates over the steps to neighbours, before wrapping.
fn steps(form: Form) -> impl Iterator<Item = [isize; 3]> {
    let all = (0..27isize).map(|number| [number / 9 - 1, number / 3 % 3 - 1, number % 3 - 1]);
    all.filter(move |&[layer, row, column]| match form {
        Form::Box => true,
        Form::Regio => layer == 0 && row * column == 0,
        Form::Hex => layer == 0 && row * column <= 0,
        _ => layer == 0,
    })
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(word) = self.form.word() {
            write!(f, "{word}:")?;
        }
        let [layers, rows, columns] = self.sides;
        match self.form {
            Form::Box => write!(f, "{layers}x{rows}x{columns}"),
            _ => write!(f, "{rows}x{columns}"),
        }
    }
}

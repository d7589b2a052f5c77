//! Boards of any shape with their marks, and their notation.
//!
//! A size, `torus:5x5` or `3x3x3`; or the rows with their marks, split by `/`, layers by `//`: `torus:x..../...../...`,
//! `x../...//.../..x`. A graph is a list with its marks in it ([`graph`](mod@super::graph)).

use super::MAX_SQUARES;
use super::bits;
use super::graph::{self, Graph};
use super::grid::{Form, Grid, Place};
use super::notation::{Rows, no_squares, touching_marks};
use crate::games::number;
use crate::outcome::ParseError;
use std::fmt;
use std::sync::Arc;

/// What the vertices of a board are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Ground {
    /// The cells of a grid.
    Grid(Grid),
    /// Vertices of a graph, which have numbers only.
    Graph,
}

/// A board of any shape with its marks.
///
/// Invariants: `marks` are vertices of the graph, and no two of them are neighbours.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Marked {
    ground: Ground,
    graph: Arc<Graph>,
    marks: u128,
}

impl From<Grid> for Marked {
    fn from(grid: Grid) -> Marked {
        Marked {
            ground: Ground::Grid(grid),
            graph: Arc::new(grid.graph()),
            marks: 0,
        }
    }
}

impl Marked {
    /// A graph with marks on these vertices; `None` if two of them touch, or one is no vertex.
    pub fn on_graph(graph: Graph, marks: u128) -> Option<Marked> {
        let marked = Marked {
            ground: Ground::Graph,
            graph: Arc::new(graph),
            marks: 0,
        };
        marked.with_marks(marks)
    }

    /// The same board with other marks; `None` if two of them touch, or one is not on it.
    pub fn with_marks(self, marks: u128) -> Option<Marked> {
        let lonely = bits(marks)
            .all(|mark| mark < self.graph.vertices() && self.graph.near(mark) & marks == 1 << mark);
        lonely.then_some(Marked { marks, ..self })
    }

    /// The graph.
    pub fn graph(&self) -> &Arc<Graph> {
        &self.graph
    }

    /// The grid, if it is none of the graphs that were given as such.
    pub fn grid(&self) -> Option<&Grid> {
        match &self.ground {
            Ground::Grid(grid) => Some(grid),
            Ground::Graph => None,
        }
    }

    /// The vertices that may be marked, as bits.
    pub fn free(&self) -> u128 {
        self.graph.all() & !self.graph.with_neighbours(self.marks)
    }

    /// What a vertex is called.
    pub fn place(&self, vertex: usize) -> Place {
        match &self.ground {
            Ground::Grid(grid) => grid.place(vertex),
            Ground::Graph => Place::Vertex(vertex),
        }
    }

    /// Every turn, in the order of the vertices, with the board after it.
    pub fn turns(&self) -> impl Iterator<Item = (Place, Marked)> {
        bits(self.free()).map(|vertex| {
            let marks = self.marks | 1 << vertex;
            let graph = self.graph.clone();
            (
                self.place(vertex),
                Marked {
                    ground: self.ground,
                    graph,
                    marks,
                },
            )
        })
    }

    /// Whether a text is in this notation, and not in that of a rectangle.
    pub(super) fn claims(text: &str) -> bool {
        text.contains(':')
            || text.contains("//")
            || Grid::size(text).is_some_and(|(form, _)| form == Form::Box)
    }

    /// Reads the notation. What follows `graph:` and is no list is left to `file`.
    pub(super) fn read(
        text: &str,
        file: &dyn Fn(&str) -> Result<Marked, ParseError>,
    ) -> Result<Marked, ParseError> {
        let (form, body) = match text.split_once(':') {
            Some(("graph", name)) if !graph::is_list(name) => return file(name),
            Some(("graph", list)) => {
                let (graph, marks) = graph::parse(list)?;
                return Ok(Marked {
                    ground: Ground::Graph,
                    graph: Arc::new(graph),
                    marks,
                });
            }
            Some((word, body)) => match Form::of_word(word) {
                Some(form) => (form, body),
                None => {
                    let found: String = word.chars().take(40).collect();
                    return Err(ParseError(format!(
                        "there is no shape '{found}': write regio, torus, cylinder, moebius, hex or graph before the colon, and nothing before a rectangle or a box"
                    )));
                }
            },
            None => (Form::Box, text),
        };
        let numbers = |text: &str| text.split(['x', 'X', '×']).all(|side| number(side).is_some());
        let (sides, marks) = match Grid::size(text) {
            Some((_, sides)) => (sides, Vec::new()),
            None if numbers(body) => {
                let found: String = body.chars().take(40).collect();
                return Err(ParseError(format!(
                    "'{found}' is no size: write rows and columns as in torus:5x5, or the three sides of a box as in 3x3x3"
                )));
            }
            None => layers(form, body)?,
        };
        if sides.contains(&0) {
            return Err(no_squares());
        }
        let grid = Grid::new(form, &sides).ok_or_else(too_many_cells)?;
        let board = Marked::from(grid);
        let mark_set = marks.iter().fold(0u128, |set, &cell| set | 1 << cell);
        match board.touching(mark_set) {
            Some((first, second)) => Err(touching_marks(first, second)),
            None => Ok(Marked {
                marks: mark_set,
                ..board
            }),
        }
    }

    /// Two marks that touch.
    fn touching(&self, marks: u128) -> Option<(Place, Place)> {
        bits(marks).find_map(|first| {
            let second = bits(self.graph.near(first) & marks & !(1 << first)).next()?;
            Some((self.place(first), self.place(second)))
        })
    }
}

fn too_many_cells() -> ParseError {
    ParseError(format!(
        "too many cells: boards of up to {MAX_SQUARES} are possible"
    ))
}

/// The sides and the marked cells of rows, in a box of layers of rows.
fn layers(form: Form, text: &str) -> Result<(Vec<usize>, Vec<usize>), ParseError> {
    let texts: Vec<&str> = match form {
        Form::Box => text.split("//").collect(),
        _ => vec![text],
    };
    let layers: Vec<Rows> = texts.into_iter().map(Rows::read).collect::<Result<_, _>>()?;
    let (rows, columns) = (layers[0].rows, layers[0].columns);
    let same = |layer: &Rows| (layer.rows, layer.columns) == (rows, columns);
    if let Some(layer) = layers.iter().position(|layer| !same(layer)) {
        return Err(ParseError(format!(
            "layer {} is not as large as layer 1: all layers must have equally many rows, and all rows be equally long",
            layer + 1
        )));
    }
    let cells = (layers.len().saturating_mul(rows)).saturating_mul(columns);
    if cells > MAX_SQUARES {
        return Err(too_many_cells());
    }
    let marks = layers.iter().enumerate().flat_map(|(layer, squares)| {
        squares
            .marks
            .iter()
            .map(move |square| (layer * rows + square.row) * columns + square.column)
    });
    let marks = marks.collect();
    Ok(match form {
        Form::Box => (vec![layers.len(), rows, columns], marks),
        _ => (vec![rows, columns], marks),
    })
}

impl fmt::Display for Marked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ground::Grid(grid) = &self.ground else {
            f.write_str("graph:")?;
            return graph::write(&self.graph, self.marks, f);
        };
        if self.marks == 0 {
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
            f.write_str(if self.marks >> cell & 1 == 1 { "x" } else { "." })?;
        }
        Ok(())
    }
}

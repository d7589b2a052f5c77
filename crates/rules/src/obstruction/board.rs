//! Boards of any shape, with marks.

use super::bits;
use super::graph::Graph;
use super::grid::{Form, Grid, Place};
use phutbase_base::outcome::ParseError;
use std::sync::Arc;

/// A board of any shape, with marks.
///
/// Invariant: `marks` are vertices of the graph, no two of them neighbours.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// The grid with the vertices as cells; `None` for other graphs, which have numbered vertices.
    grid: Option<Grid>,
    graph: Arc<Graph>,
    marks: u128,
}

impl From<Grid> for Board {
    fn from(grid: Grid) -> Board {
        Board {
            grid: Some(grid),
            graph: Arc::new(grid.graph()),
            marks: 0,
        }
    }
}

impl Board {
    /// Creates a graph with marks, vertices as bits; no two of them may be neighbours.
    pub fn on_graph(graph: Graph, marks: u128) -> Result<Board, ParseError> {
        let unmarked = Board {
            grid: None,
            graph: Arc::new(graph),
            marks: 0,
        };
        unmarked.with_marks(marks)
    }

    /// Replaces the marks; no two of them may be neighbours.
    pub fn with_marks(self, marks: u128) -> Result<Board, ParseError> {
        assert!(marks & !self.graph.all() == 0, "marks are vertices");
        let near = |mark: usize| bits(self.graph.near(mark) & marks & !(1 << mark)).next();
        let touching = bits(marks).find_map(|first| Some((first, near(first)?)));
        if let Some((first, second)) = touching {
            let (at, square) = self.grid.map_or(("on", "vertex"), |_| ("at", "square"));
            let [first, second] = [first, second].map(|mark| self.place(mark));
            return Err(ParseError(format!(
                "the marks {at} {first} and {second} touch: a {square} next to a mark cannot be marked"
            )));
        }
        Ok(Board { marks, ..self })
    }

    pub fn graph(&self) -> &Arc<Graph> {
        &self.graph
    }

    /// Returns the grid; `None` for other graphs.
    pub fn grid(&self) -> Option<&Grid> {
        self.grid.as_ref()
    }

    /// Returns the number of columns of a rectangle.
    pub fn rectangle(&self) -> Option<usize> {
        let grid = self.grid().filter(|grid| grid.form() == Form::Rectangle)?;
        let [_, _, columns] = grid.sides();
        Some(columns)
    }

    /// Returns the marks, as bits.
    pub fn marks(&self) -> u128 {
        self.marks
    }

    /// Returns the vertices that may be marked, as bits.
    pub fn free(&self) -> u128 {
        self.graph.all() & !self.graph.with_neighbours(self.marks)
    }

    pub fn place(&self, vertex: usize) -> Place {
        match self.grid {
            Some(grid) => grid.place(vertex),
            None => Place::Vertex(vertex),
        }
    }

    /// Iterates over the turns in the order of the vertices, with the board after each.
    pub fn turns(&self) -> impl Iterator<Item = (Place, Board)> {
        bits(self.free()).map(|vertex| {
            let mut after = self.clone();
            after.marks |= 1 << vertex;
            (self.place(vertex), after)
        })
    }
}

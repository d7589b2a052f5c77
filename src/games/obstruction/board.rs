//! Boards of any shape with their marks.

use super::bits;
use super::graph::Graph;
use super::grid::{Form, Grid, Place};
use std::sync::Arc;

/// A board of any shape with its marks.
///
/// Invariants: `marks` are vertices of the graph, and no two of them are neighbours.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// The grid whose cells the vertices are; those of other graphs have numbers only.
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
    /// A graph with marks on these vertices; `None` if two of them touch, or one is no vertex.
    pub fn on_graph(graph: Graph, marks: u128) -> Option<Board> {
        let marked = Board {
            grid: None,
            graph: Arc::new(graph),
            marks: 0,
        };
        marked.with_marks(marks)
    }

    /// The same board with other marks; `None` if two of them touch, or one is not on it.
    pub fn with_marks(self, marks: u128) -> Option<Board> {
        let lonely = bits(marks)
            .all(|mark| mark < self.graph.vertices() && self.graph.near(mark) & marks == 1 << mark);
        lonely.then_some(Board { marks, ..self })
    }

    /// The graph.
    pub fn graph(&self) -> &Arc<Graph> {
        &self.graph
    }

    /// The grid, if it is none of the graphs that were given as such.
    pub fn grid(&self) -> Option<&Grid> {
        self.grid.as_ref()
    }

    /// The number of columns, if it is a rectangle.
    pub fn rectangle(&self) -> Option<usize> {
        let grid = self.grid().filter(|grid| grid.form() == Form::Rectangle)?;
        let [_, _, columns] = grid.sides();
        Some(columns)
    }

    /// The marks, as bits.
    pub fn marks(&self) -> u128 {
        self.marks
    }

    /// The vertices that may be marked, as bits.
    pub fn free(&self) -> u128 {
        self.graph.all() & !self.graph.with_neighbours(self.marks)
    }

    /// What a vertex is called.
    pub fn place(&self, vertex: usize) -> Place {
        match self.grid {
            Some(grid) => grid.place(vertex),
            None => Place::Vertex(vertex),
        }
    }

    /// Every turn, in the order of the vertices, with the board after it.
    pub fn turns(&self) -> impl Iterator<Item = (Place, Board)> {
        bits(self.free()).map(|vertex| {
            let mut after = self.clone();
            after.marks |= 1 << vertex;
            (self.place(vertex), after)
        })
    }

    /// Two marks that touch.
    pub(super) fn touching(&self, marks: u128) -> Option<(Place, Place)> {
        bits(marks).find_map(|first| {
            let second = bits(self.graph.near(first) & marks & !(1 << first)).next()?;
            Some((self.place(first), self.place(second)))
        })
    }
}

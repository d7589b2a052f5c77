//! The sets that prove a table of who wins, as text for the checker in `proofs/`, which is proved correct itself.
//!
//! Numbers, with words between them that the checker passes over: the number of squares; the number of levels; of every level the nodes
//! of its two sets; then for each node from 2 on where it leads to if its square is empty, has a stone, has the ball. Node 0 has no board,
//! node 1 all. Here a node stands on every square that a binary node of the table leaves out, so that a walk takes one step a square.

use super::ExportError;
use crate::diagram::{Diagram, View};
use crate::table::strip::sets::StripSets;
use hashbrown::DefaultHashBuilder;
use indexmap::IndexSet;
use std::hash::Hash;
use std::io::Write;

/// The nodes on one square, in the order in which they are first met.
struct Square<R> {
    nodes: IndexSet<R, DefaultHashBuilder>,
    /// The number of the first.
    first: usize,
}

impl<R: Copy + Eq + Hash> Square<R> {
    fn new(first: usize) -> Square<R> {
        Square {
            nodes: IndexSet::default(),
            first,
        }
    }

    /// The number of a node or leaf that is met.
    fn number<D: Diagram<Ref = R>>(&mut self, diagram: &D, at: R) -> usize {
        match diagram.view(at) {
            View::Bottom => 0,
            View::Top => 1,
            _ => self.first + self.nodes.insert_full(at).0,
        }
    }

    fn end(&self) -> usize {
        self.first + self.nodes.len()
    }
}

/// Writes the levels of a length; a table with depths has none.
pub fn write(table: &StripSets, mut out: impl Write) -> Result<(), ExportError> {
    // Equal sets must be equal nodes, or the text has them twice.
    let (diagram, roots) = table.reduced()?;
    let mut here = Square::new(2);
    writeln!(out, "squares {}\nlevels {}", diagram.length(), table.levels())?;
    for &[left, right] in roots.as_chunks::<2>().0 {
        let [left, right] = [left, right].map(|root| here.number(&diagram, root));
        writeln!(out, "Left {left} Right {right}")?;
    }
    for square in 0..diagram.length() {
        let mut next = Square::new(here.end());
        for &at in &here.nodes {
            let children = match diagram.view(at) {
                View::Ternary {
                    empty, stone, ball, ..
                } => [Some(empty), Some(stone), Some(ball)],
                View::Binary { level, empty, stone } if level == square => [Some(empty), Some(stone), None],
                _ => [Some(at), Some(at), None],
            };
            let [empty, stone, ball] =
                children.map(|child| child.map_or(0, |child| next.number(&diagram, child)));
            writeln!(out, "{empty} {stone} {ball}")?;
        }
        here = next;
    }
    Ok(out.flush()?)
}

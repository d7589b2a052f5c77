//! The sets that prove a table of who wins, as text for the verified checker in `proofs/`.
//!
//! Numbers, with words between them that the checker ignores: the number of squares; the number of
//! levels; the root nodes of each level's two sets; then for each node from 2 on its children for
//! an empty square, a stone and the ball. Node 0 is the empty set, node 1 the full one. Squares
//! that a binary node of the table skips get explicit nodes, so that a walk takes one step per
//! square.

use super::ExportError;
use crate::diagram::{Diagram, View};
use crate::table::strip::sets::StripSets;
use hashbrown::DefaultHashBuilder;
use indexmap::IndexSet;
use std::hash::Hash;
use std::io::Write;

/// The nodes on one square, in order of first visit.
struct Square<R> {
    nodes: IndexSet<R, DefaultHashBuilder>,
    first: usize,
}

impl<R: Copy + Eq + Hash> Square<R> {
    fn new(first: usize) -> Square<R> {
        Square {
            nodes: IndexSet::default(),
            first,
        }
    }

    /// Returns the number of a visited node or leaf.
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
    // Equal sets must be equal nodes, or the text would repeat them.
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
                View::Ternary(_, children) => children.map(Some),
                View::Binary(level, [empty, stone]) if level == square => [Some(empty), Some(stone), None],
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

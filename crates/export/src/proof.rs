//! The sets that prove a table of who wins, as text for the verified checker in `proofs/`.
//!
//! docs/FORMAT.md describes the text: the nodes, children first, then the two sets of all boards that
//! Left wins. The checker reads it once, from the first line to the last.

use super::ExportError;
use hashbrown::{DefaultHashBuilder, HashMap};
use indexmap::IndexSet;
use phutbase_base::outcome::Side;
use phutbase_sets::graph::TooLarge;
use phutbase_sets::{Diagram, View};
use phutbase_table::strip::sets::StripSets;
use std::io::Write;

/// References on one square, in order of first visit.
type Square<R> = IndexSet<R, DefaultHashBuilder>;

/// Nodes with different children, children first. The first is number 2.
#[derive(Default)]
struct Numbered {
    nodes: Vec<[usize; 3]>,
    unique: HashMap<[usize; 3], usize>,
}

impl Numbered {
    /// Returns the number of the node with these children.
    fn number(&mut self, children: [usize; 3]) -> usize {
        *self.unique.entry(children).or_insert_with(|| {
            self.nodes.push(children);
            self.nodes.len() + 1
        })
    }
}

/// Writes the boards of a length that Left wins, with either player to move.
pub fn write(table: &StripSets, mut out: impl Write) -> Result<(), ExportError> {
    // Equal sets must be equal nodes, or a node would be visited more than once.
    let mut diagram = table.workspace();
    let winners = [Side::Left, Side::Right].map(|to_move| table.won_by_left(to_move));
    let roots = (diagram.copy(table, &winners)).map_err(|TooLarge| table.unwieldy())?;
    let inner = |at: &_| !matches!(diagram.view(*at), View::Bottom | View::Top);
    let mut squares: Vec<Square<_>> = vec![roots.iter().copied().filter(inner).collect()];
    for square in 0..diagram.length() {
        let next = (squares[square].iter())
            .flat_map(|&at| children(&diagram, square, at))
            .flatten()
            .filter(inner)
            .collect();
        squares.push(next);
    }
    // A node's number, given those of its square.
    let number = |numbers: &[usize], square: usize, at| match diagram.view(at) {
        View::Bottom => 0,
        View::Top => 1,
        _ => numbers[squares[square].get_index_of(&at).expect("all nodes were visited")],
    };
    let mut numbered = Numbered::default();
    // The numbers of the nodes on the next square.
    let mut following: Vec<usize> = Vec::new();
    for square in (0..diagram.length()).rev() {
        following = (squares[square].iter())
            .map(|&at| {
                let number = |child| number(&following, square + 1, child);
                children(&diagram, square, at).map(|child| child.map_or(0, number))
            })
            .map(|children| numbered.number(children))
            .collect();
    }
    writeln!(out, "squares {}", diagram.length())?;
    writeln!(out, "nodes {}", numbered.nodes.len())?;
    for [empty, stone, ball] in numbered.nodes {
        writeln!(out, "{empty} {stone} {ball}")?;
    }
    let [left, right] = [roots[0], roots[1]].map(|root| number(&following, 0, root));
    writeln!(out, "Left {left} Right {right}")?;
    Ok(out.flush()?)
}

/// Returns a node's children for an empty square, a stone and the ball. A square that a binary node
/// skips gets a node of its own, so that a walk takes one step per square.
fn children<D: Diagram>(diagram: &D, square: usize, at: D::Ref) -> [Option<D::Ref>; 3] {
    match diagram.view(at) {
        View::Ternary(_, children) => children.map(Some),
        View::Binary(level, [empty, stone]) if level == square => [Some(empty), Some(stone), None],
        _ => [Some(at), Some(at), None],
    }
}

//! Converts diagrams in memory to the numbered nodes of a table.
//!
//! Reduced diagrams and the node order are unique, so equal sets give equal bytes from every
//! engine.

use super::nodes::{LEAVES, Node, Nodes, Squares};
use hashbrown::HashMap;
use phutbase_sets::{Diagram, TooLarge, View};

/// Returns the numbered nodes below some roots of a reduced diagram, and the numbers of the roots.
pub(super) fn encode<D: Diagram>(diagram: &D, roots: &[D::Ref]) -> Result<(Nodes, Vec<u32>), TooLarge> {
    let length = diagram.length();
    let [binary, ternary] = by_square(diagram, roots);
    let counts = |squares: &[Vec<D::Ref>]| -> Result<Vec<u32>, TooLarge> {
        let counts = squares.iter().map(|nodes| u32::try_from(nodes.len()));
        counts.collect::<Result<_, _>>().map_err(|_| TooLarge)
    };
    let squares = Squares::new(length, &counts(&binary)?, &counts(&ternary)?, u64::MAX >> 4);
    let squares = squares.ok_or(TooLarge)?;
    let mut numbers: HashMap<D::Ref, u32> = HashMap::new();
    let mut nodes = Vec::with_capacity(squares.nodes());
    for on_square in binary.into_iter().rev().chain(ternary.into_iter().rev()) {
        let number = |at: D::Ref| match diagram.view(at) {
            View::Bottom => 0,
            View::Top => 1,
            _ => numbers[&at],
        };
        let node = |&at: &D::Ref| match diagram.view(at) {
            View::Ternary(_, [empty, stone, ball]) => ([ball, empty, stone].map(number), None, at),
            View::Binary(level, [empty, stone]) => ([0, number(empty), number(stone)], Some(level), at),
            View::Bottom | View::Top => unreachable!("only nodes were collected"),
        };
        let mut sorted: Vec<_> = on_square.iter().map(node).collect();
        sorted.sort_unstable_by_key(|&(children, ..)| children);
        for ([ball, empty, stone], square, at) in sorted {
            numbers.insert(at, LEAVES + nodes.len() as u32);
            let ball = square.map_or(ball, |square| square as u32);
            nodes.push(Node { ball, empty, stone });
        }
    }
    let number = |root: &D::Ref| numbers.get(root).copied().unwrap_or(0);
    let roots = roots.iter().map(number).collect();
    Ok((Nodes { squares, nodes }, roots))
}

/// Returns the binary and the ternary nodes below some roots, on each square.
fn by_square<D: Diagram>(diagram: &D, roots: &[D::Ref]) -> [Vec<Vec<D::Ref>>; 2] {
    let [mut binary, mut ternary] = [0; 2].map(|_| vec![Vec::new(); diagram.length()]);
    let mut seen = hashbrown::HashSet::new();
    let mut stack = roots.to_vec();
    while let Some(at) = stack.pop() {
        if !seen.insert(at) {
            continue;
        }
        let view = diagram.view(at);
        match view {
            View::Bottom | View::Top => {}
            View::Ternary(level, _) => ternary[level].push(at),
            View::Binary(level, _) => binary[level].push(at),
        }
        stack.extend(view.children());
    }
    [binary, ternary]
}

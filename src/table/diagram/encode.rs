//! From diagrams in memory to the bytes of a table: every node numbered in one way only.
//!
//! Ternary and binary nodes are numbered separately, each kind in the order in which it is first met:
//!
//! * the roots are taken from the last to the first, and from each the ternary nodes breadth first, children in the order empty,
//!   stone, (ball);
//! * then the ball children of the ternary nodes, in the order of those, and from each the binary nodes breadth first.
//!
//! A set has one reduced diagram and this order leaves no choice, so equal sets give equal bytes, whoever found them.

use super::super::header::DiagramPayload;
use super::nodes::{LEAVES, width};
use crate::diagram::{Diagram, View};
use indexmap::IndexSet;
use std::collections::VecDeque;
use std::hash::Hash;

/// The nodes of a table.
pub(super) struct Encoded {
    /// How many there are.
    pub payload: DiagramPayload,
    /// The roots' numbers, four bytes each.
    pub roots: Vec<u8>,
    /// The nodes.
    pub nodes: Vec<u8>,
}

/// Numbers the nodes below some roots; `None` if there are more than 32-bit numbers.
pub(super) fn encode<D: Diagram>(diagram: &D, roots: &[D::Ref]) -> Option<Encoded> {
    let ternary = ternary_nodes(diagram, roots);
    let binary = binary_nodes(diagram, &ternary);
    let first_binary = u32::try_from(ternary.len()).ok()?.checked_add(LEAVES)?;
    let all = u32::try_from(binary.len()).ok()?.checked_add(first_binary)?;
    let place = |numbered: &IndexSet<D::Ref>, at| {
        let place = numbered.get_index_of(&at);
        place.expect("all nodes below the roots are numbered") as u32
    };
    let number = |at: D::Ref| match diagram.view(at) {
        View::Bottom => 0,
        View::Top => 1,
        View::Ternary { .. } => LEAVES + place(&ternary, at),
        View::Binary { .. } => first_binary + place(&binary, at),
    };
    let width = width(all);
    let mut nodes = Vec::new();
    let push = |nodes: &mut Vec<u8>, at| nodes.extend(&number(at).to_le_bytes()[..width]);
    for &at in ternary.iter().chain(&binary) {
        match diagram.view(at) {
            View::Ternary {
                empty, stone, ball, ..
            } => [empty, stone, ball]
                .into_iter()
                .for_each(|child| push(&mut nodes, child)),
            View::Binary { level, empty, stone } => {
                nodes.push(level as u8);
                [empty, stone]
                    .into_iter()
                    .for_each(|child| push(&mut nodes, child));
            }
            View::Bottom | View::Top => {}
        }
    }
    Some(Encoded {
        payload: DiagramPayload {
            ternary: first_binary - LEAVES,
            binary: all - first_binary,
        },
        roots: roots
            .iter()
            .flat_map(|&root| number(root).to_le_bytes())
            .collect(),
        nodes,
    })
}

/// Numbers nodes of one kind breadth first from one of them; `children` gives the children of the same kind.
fn number<R: Copy + Eq + Hash>(
    numbered: &mut IndexSet<R>,
    root: R,
    mut children: impl FnMut(R, &mut Vec<R>),
) {
    let mut queue = VecDeque::from([root]);
    let mut below = Vec::new();
    while let Some(at) = queue.pop_front() {
        if numbered.insert(at) {
            children(at, &mut below);
            queue.extend(below.drain(..));
        }
    }
}

fn ternary_nodes<D: Diagram>(diagram: &D, roots: &[D::Ref]) -> IndexSet<D::Ref> {
    let mut numbered = IndexSet::new();
    let is_ternary = |at: &D::Ref| matches!(diagram.view(*at), View::Ternary { .. });
    for &root in roots.iter().rev().filter(|root| is_ternary(root)) {
        number(&mut numbered, root, |at, below| {
            if let View::Ternary { empty, stone, .. } = diagram.view(at) {
                below.extend([empty, stone].into_iter().filter(is_ternary));
            }
        });
    }
    numbered
}

fn binary_nodes<D: Diagram>(diagram: &D, ternary: &IndexSet<D::Ref>) -> IndexSet<D::Ref> {
    let mut numbered = IndexSet::new();
    let is_binary = |at: &D::Ref| matches!(diagram.view(*at), View::Binary { .. });
    for &at in ternary {
        if let View::Ternary { ball, .. } = diagram.view(at)
            && is_binary(&ball)
        {
            number(&mut numbered, ball, |at, below| {
                if let View::Binary { empty, stone, .. } = diagram.view(at) {
                    below.extend([empty, stone].into_iter().filter(is_binary));
                }
            });
        }
    }
    numbered
}

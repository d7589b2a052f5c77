//! From diagrams in memory to the bytes of a file: every node numbered in one way only.
//!
//! Ternary and binary nodes are numbered separately, each kind in the order in which it is first met:
//!
//! * the roots are taken from the last to the first, and from each the ternary nodes breadth first, children in the order empty,
//!   stone, (ball);
//! * then the ball children of the ternary nodes, in the order of those, and from each the binary nodes breadth first.
//!
//! A set has one reduced diagram and this order leaves no choice, so equal sets give equal bytes, whoever found them.

use crate::diagram::{Diagram, View};
use hashbrown::HashMap;
use std::collections::VecDeque;

/// Numbers of the leaves; nodes are numbered after them.
pub(super) const LEAVES: u32 = 2;

/// The node parts of a file.
pub(super) struct Encoded {
    /// Nodes with three children.
    pub ternary: u32,
    /// Nodes with two children.
    pub binary: u32,
    /// The roots' numbers, four bytes each.
    pub roots: Vec<u8>,
    /// The nodes.
    pub nodes: Vec<u8>,
}

/// Numbers the nodes below some roots; `None` if there are more than 32-bit numbers.
pub(super) fn encode<D: Diagram>(diagram: &D, roots: &[D::Ref]) -> Option<Encoded> {
    let ternary = number_ternary(diagram, roots);
    let binary = number_binary(diagram, &ternary);
    let first_binary = u32::try_from(ternary.order.len()).ok()?.checked_add(LEAVES)?;
    let all = u32::try_from(binary.order.len())
        .ok()?
        .checked_add(first_binary)?;
    let number = |at: D::Ref| match diagram.view(at) {
        View::Bottom => 0,
        View::Top => 1,
        View::Ternary { .. } => LEAVES + ternary.numbers[&at],
        View::Binary { .. } => first_binary + binary.numbers[&at],
    };
    let width = width(all);
    let mut nodes = Vec::new();
    let push = |nodes: &mut Vec<u8>, at| nodes.extend(&number(at).to_le_bytes()[..width]);
    for &at in ternary.order.iter().chain(&binary.order) {
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
        ternary: first_binary - LEAVES,
        binary: all - first_binary,
        roots: roots
            .iter()
            .flat_map(|&root| number(root).to_le_bytes())
            .collect(),
        nodes,
    })
}

/// Bytes for numbers below `all`: at least two.
pub(super) fn width(all: u32) -> usize {
    match all {
        0..=0x1_0000 => 2,
        0x1_0001..=0x100_0000 => 3,
        _ => 4,
    }
}

/// Nodes of one kind in the order of their numbers.
struct Numbering<R> {
    numbers: HashMap<R, u32>,
    order: Vec<R>,
}

impl<R: Copy + Eq + std::hash::Hash> Numbering<R> {
    /// Numbers breadth first from one node; `children` gives the children of the same kind.
    fn extend(&mut self, root: R, mut children: impl FnMut(R, &mut Vec<R>)) {
        let mut queue = VecDeque::from([root]);
        let mut below = Vec::new();
        while let Some(at) = queue.pop_front() {
            let number = self.order.len() as u32;
            if let hashbrown::hash_map::Entry::Vacant(free) = self.numbers.entry(at) {
                free.insert(number);
                self.order.push(at);
                children(at, &mut below);
                queue.extend(below.drain(..));
            }
        }
    }
}

fn number_ternary<D: Diagram>(diagram: &D, roots: &[D::Ref]) -> Numbering<D::Ref> {
    let mut numbering = Numbering {
        numbers: HashMap::new(),
        order: Vec::new(),
    };
    let is_ternary = |at: &D::Ref| matches!(diagram.view(*at), View::Ternary { .. });
    for &root in roots.iter().rev().filter(|root| is_ternary(root)) {
        numbering.extend(root, |at, below| {
            if let View::Ternary { empty, stone, .. } = diagram.view(at) {
                below.extend([empty, stone].into_iter().filter(is_ternary));
            }
        });
    }
    numbering
}

fn number_binary<D: Diagram>(diagram: &D, ternary: &Numbering<D::Ref>) -> Numbering<D::Ref> {
    let mut numbering = Numbering {
        numbers: HashMap::new(),
        order: Vec::new(),
    };
    let is_binary = |at: &D::Ref| matches!(diagram.view(*at), View::Binary { .. });
    for &at in &ternary.order {
        let View::Ternary { ball, .. } = diagram.view(at) else {
            continue;
        };
        if !is_binary(&ball) {
            continue;
        }
        numbering.extend(ball, |at, below| {
            if let View::Binary { empty, stone, .. } = diagram.view(at) {
                below.extend([empty, stone].into_iter().filter(is_binary));
            }
        });
    }
    numbering
}

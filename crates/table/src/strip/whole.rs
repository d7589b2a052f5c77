//! A fully unpacked table in an order that suits walks.
//!
//! Nodes are numbered breadth first, starting with the most frequently probed sets. A lookup table
//! over the patterns of the first squares replaces the first steps of a walk.

use super::nodes::{LEAVES, Links, Node, Nodes};
use phutbase_rules::strip::Strip;

/// log2 of the maximum number of entries in [`Whole::entries`].
const ENTRY_BITS: usize = 16;

pub(super) struct Whole {
    /// The nodes, renumbered, from [`LEAVES`] on.
    pub links: Links,
    roots: Vec<u32>,
    /// Number of leading squares that a walk skips if the ball is not on them.
    skipped: usize,
    /// For each root, the node reached by each pattern of stones on these squares.
    entries: Vec<u32>,
}

impl Whole {
    pub fn new(nodes: &Nodes, roots: &[u32]) -> Whole {
        let order = in_order_of_walks(nodes, roots);
        let mut numbers = vec![0; nodes.nodes.len() + LEAVES as usize];
        numbers[1] = 1;
        for (number, &at) in (LEAVES..).zip(&order) {
            numbers[at as usize] = number;
        }
        let renumbered = |&at: &u32| {
            let node = nodes.node(at);
            let [empty, stone] = [node.empty, node.stone].map(|child| numbers[child as usize]);
            let ball = if nodes.squares.is_ternary(at) {
                numbers[node.ball as usize]
            } else {
                node.ball
            };
            Node { ball, empty, stone }
        };
        let links = Links::new(&order.iter().map(renumbered).collect::<Vec<_>>());
        let roots: Vec<u32> = roots.iter().map(|&root| numbers[root as usize]).collect();
        let root_bits = roots.len().next_power_of_two().ilog2() as usize;
        let skipped = (ENTRY_BITS - root_bits.min(ENTRY_BITS)).min(nodes.squares.length - 2);
        let child = |at: u32, stone: u32| match at {
            0 => 0,
            at => links.child((at - LEAVES) as usize, stone),
        };
        let entries = |&root: &u32| {
            (0..skipped).fold(vec![root], |nodes, _| {
                let children = |stone| nodes.iter().map(move |&at| child(at, stone));
                children(0).chain(children(1)).collect()
            })
        };
        Whole {
            entries: roots.iter().flat_map(entries).collect(),
            roots,
            skipped,
            links,
        }
    }

    /// Returns the node and the square from which a walk in the set of a root starts.
    #[inline]
    pub fn start(&self, root: usize, board: &Strip) -> (u32, usize) {
        if board.ball() < self.skipped {
            return (self.roots[root], 0);
        }
        let pattern = board.words()[0] as usize & ((1 << self.skipped) - 1);
        (self.entries[root << self.skipped | pattern], self.skipped)
    }
}

/// Returns the nodes breadth first: those of the two largest sets, then those behind the ball in
/// the order of their parents.
fn in_order_of_walks(nodes: &Nodes, roots: &[u32]) -> Vec<u32> {
    let mut met = vec![false; nodes.nodes.len() + LEAVES as usize];
    let mut order: Vec<u32> = Vec::with_capacity(nodes.nodes.len());
    let mut next = 0;
    let mut add_all_from = |order: &mut Vec<u32>, root: u32| {
        let mut meet = |order: &mut Vec<u32>, at: u32| {
            if at >= LEAVES && !std::mem::replace(&mut met[at as usize], true) {
                order.push(at);
            }
        };
        meet(order, root);
        while let Some(&at) = order.get(next) {
            next += 1;
            let Node { empty, stone, .. } = nodes.node(at);
            meet(order, empty);
            meet(order, stone);
        }
    };
    let (before, largest) = roots.split_at(roots.len().saturating_sub(2));
    for &root in largest.iter().rev().chain(before) {
        add_all_from(&mut order, root);
    }
    for ternary in 0..order.len() {
        let ball = nodes.node(order[ternary]).ball;
        add_all_from(&mut order, ball);
    }
    order
}

//! Hash-consed diagrams in memory.

use super::{Diagram, View};
use hashbrown::{DefaultHashBuilder, HashTable, hash_table::Entry};
use phutbase_base::fault::Fault;
use std::hash::BuildHasher;

/// A reference to a leaf, ⊥ or ⊤, or to a node of one graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ref(u32);

impl Ref {
    pub const BOTTOM: Ref = Ref(0);
    /// After the ball: every arrangement of the remaining squares.
    pub const TOP: Ref = Ref(1);
    /// The ball child of a binary node.
    const ABSENT: Ref = Ref(u32::MAX);

    fn place(self) -> Option<usize> {
        (self.0 as usize).checked_sub(LEAVES)
    }
}

/// ⊥ and ⊤; inner nodes are numbered after them.
const LEAVES: usize = 2;

/// A limit on the work in a graph, so that a small malicious file cannot consume much time or
/// memory.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Remaining number of results to compute, each of which makes or finds a node.
    steps: u64,
    nodes: u64,
}

impl Budget {
    /// Returns the budget for work on sets with this many nodes of nine bytes. A node's share grows
    /// with the square root of the bytes: for tables from this program, verification takes at most
    /// 11 steps per byte at 64 squares, 24 at 96 and 56 at 128.
    pub fn of_sets(nodes: u64) -> Budget {
        let node_bytes = 9 * nodes;
        let steps = (1 << 20) + node_bytes * (32 + node_bytes.isqrt() / 64);
        Budget { steps, nodes: steps }
    }

    pub fn nodes(self) -> u64 {
        self.nodes
    }

    /// Returns the remaining number of steps.
    pub fn steps(self) -> u64 {
        self.steps
    }

    /// Returns the budget with at most this many nodes.
    pub fn with_most_nodes(self, most: u64) -> Budget {
        let nodes = self.nodes.min(most);
        Budget { nodes, ..self }
    }
}

/// A graph exceeded its node numbers or its budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the diagram exceeds its node limit")]
pub struct TooLarge;

impl Fault for TooLarge {}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Node {
    level: u8,
    empty: Ref,
    stone: Ref,
    ball: Ref,
}

/// The nodes of diagrams of one length. Children precede parents.
#[derive(Clone, Debug)]
pub struct Graph {
    length: usize,
    nodes: Vec<Node>,
    unique: HashTable<u32>,
    hasher: DefaultHashBuilder,
    budget: Budget,
}

impl Graph {
    const MOST_NODES: u64 = u32::MAX as u64 - LEAVES as u64 - 1;

    /// Returns an empty graph for strips of `length` squares.
    pub fn new(length: usize) -> Graph {
        let (steps, nodes) = (u64::MAX, Graph::MOST_NODES);
        Graph::within(length, Budget { steps, nodes })
    }

    pub fn within(length: usize, budget: Budget) -> Graph {
        Graph {
            length,
            nodes: Vec::new(),
            unique: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
            budget,
        }
    }

    /// Charges steps to the budget.
    #[inline]
    pub fn take_steps(&mut self, steps: u64) -> Result<(), TooLarge> {
        self.budget.steps = self.budget.steps.checked_sub(steps).ok_or(TooLarge)?;
        Ok(())
    }

    /// Returns the number of nodes.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the allocated memory, in bytes.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>() + self.unique.allocation_size()
    }

    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// Replaces the remaining number of steps.
    pub fn allow_steps(&mut self, steps: u64) {
        self.budget.steps = steps;
    }

    #[inline]
    fn node(&self, at: Ref) -> Option<Node> {
        at.place().map(|place| self.nodes[place])
    }

    /// Prefetches a node.
    #[inline]
    pub(super) fn prefetch(&self, at: Ref) {
        if let Some(place) = at.place() {
            prefetch(&self.nodes[place]);
        }
    }

    /// Returns the first branching square of a binary diagram; the strip's length for a leaf.
    #[inline]
    pub fn level(&self, at: Ref) -> usize {
        self.node(at).map_or(self.length, |node| node.level.into())
    }

    #[inline]
    pub fn is_ternary(&self, at: Ref) -> bool {
        self.node(at).is_some_and(|node| node.ball != Ref::ABSENT)
    }

    /// Returns the children of a binary diagram at a square, which it may skip: empty, stone.
    #[inline]
    pub fn halves(&self, at: Ref, level: usize) -> (Ref, Ref) {
        match self.node(at) {
            Some(node) if usize::from(node.level) == level => (node.empty, node.stone),
            _ => (at, at),
        }
    }

    /// Returns the children of a ternary diagram: empty, stone, ball.
    #[inline]
    pub fn thirds(&self, at: Ref) -> (Ref, Ref, Ref) {
        match self.node(at) {
            Some(node) => (node.empty, node.stone, node.ball),
            None => (Ref::BOTTOM, Ref::BOTTOM, Ref::BOTTOM),
        }
    }

    /// Returns the ternary node on a square before the ball or with the ball.
    pub fn ternary(&mut self, level: usize, empty: Ref, stone: Ref, ball: Ref) -> Result<Ref, TooLarge> {
        self.take_steps(1)?;
        if [empty, stone, ball] == [Ref::BOTTOM; 3] {
            return Ok(Ref::BOTTOM);
        }
        self.find_or_insert(Node {
            level: level as u8,
            empty,
            stone,
            ball,
        })
    }

    /// Returns the binary node on a square after the ball.
    pub fn binary(&mut self, level: usize, empty: Ref, stone: Ref) -> Result<Ref, TooLarge> {
        self.take_steps(1)?;
        if empty == stone {
            return Ok(empty);
        }
        self.find_or_insert(Node {
            level: level as u8,
            empty,
            stone,
            ball: Ref::ABSENT,
        })
    }

    /// Like [`ternary`](Graph::ternary); often the result is an operand, which needs no look-up.
    pub fn ternary_like<const N: usize>(
        &mut self,
        operands: [Ref; N],
        level: usize,
        (empty, stone, ball): (Ref, Ref, Ref),
    ) -> Result<Ref, TooLarge> {
        let is_same = |at: Ref| self.is_ternary(at) && self.thirds(at) == (empty, stone, ball);
        match operands.into_iter().find(|&at| is_same(at)) {
            Some(operand) => self.take_steps(1).map(|()| operand),
            None => self.ternary(level, empty, stone, ball),
        }
    }

    /// Like [`binary`](Graph::binary); often the result is an operand, which needs no look-up.
    pub fn binary_like<const N: usize>(
        &mut self,
        operands: [Ref; N],
        level: usize,
        (empty, stone): (Ref, Ref),
    ) -> Result<Ref, TooLarge> {
        let is_same = |at: Ref| self.halves(at, level) == (empty, stone);
        match operands.into_iter().find(|&at| is_same(at)) {
            Some(operand) => self.take_steps(1).map(|()| operand),
            None => self.binary(level, empty, stone),
        }
    }

    /// Returns a leaf or node with these children.
    pub fn make(&mut self, view: View<Ref>) -> Result<Ref, TooLarge> {
        match view {
            View::Bottom => Ok(Ref::BOTTOM),
            View::Top => Ok(Ref::TOP),
            View::Ternary(level, [empty, stone, ball]) => self.ternary(level, empty, stone, ball),
            View::Binary(level, [empty, stone]) => self.binary(level, empty, stone),
        }
    }

    fn find_or_insert(&mut self, node: Node) -> Result<Ref, TooLarge> {
        let Graph {
            nodes,
            unique,
            hasher,
            budget,
            ..
        } = self;
        let same = |&place: &u32| nodes[place as usize] == node;
        let rehash = |&place: &u32| hasher.hash_one(nodes[place as usize]);
        let place = match unique.entry(hasher.hash_one(node), same, rehash) {
            Entry::Occupied(found) => *found.get(),
            Entry::Vacant(free) => {
                if nodes.len() as u64 >= budget.nodes.min(Graph::MOST_NODES) {
                    return Err(TooLarge);
                }
                let place = nodes.len() as u32;
                free.insert(place);
                nodes.push(node);
                place
            }
        };
        Ok(Ref(place + LEAVES as u32))
    }

    /// Copies diagrams of another kind into this graph; equal references give equal results.
    pub fn copy<D: Diagram>(&mut self, diagram: &D, roots: &[D::Ref]) -> Result<Vec<Ref>, TooLarge> {
        let mut known = hashbrown::HashMap::new();
        (roots.iter())
            .map(|&root| self.copy_one(diagram, root, &mut known))
            .collect()
    }

    fn copy_one<D: Diagram>(
        &mut self,
        diagram: &D,
        at: D::Ref,
        known: &mut hashbrown::HashMap<D::Ref, Ref>,
    ) -> Result<Ref, TooLarge> {
        if let Some(&copied) = known.get(&at) {
            return Ok(copied);
        }
        let mut copy = |child| self.copy_one(diagram, child, known);
        let view = match diagram.view(at) {
            View::Bottom => View::Bottom,
            View::Top => View::Top,
            View::Ternary(level, [empty, stone, ball]) => {
                View::Ternary(level, [copy(empty)?, copy(stone)?, copy(ball)?])
            }
            View::Binary(level, [empty, stone]) => View::Binary(level, [copy(empty)?, copy(stone)?]),
        };
        let copied = self.make(view)?;
        known.insert(at, copied);
        Ok(copied)
    }
}

impl Diagram for Graph {
    type Ref = Ref;

    fn length(&self) -> usize {
        self.length
    }

    #[inline]
    fn view(&self, at: Ref) -> View<Ref> {
        match self.node(at) {
            None if at == Ref::BOTTOM => View::Bottom,
            None => View::Top,
            Some(node) if node.ball == Ref::ABSENT => {
                View::Binary(node.level.into(), [node.empty, node.stone])
            }
            Some(node) => View::Ternary(node.level.into(), [node.empty, node.stone, node.ball]),
        }
    }
}

/// Prefetches the target of a reference.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        #![allow(unsafe_code)]
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch has no effect on values, and every x86-64 processor has the
        // instruction.
        unsafe { _mm_prefetch(std::ptr::from_ref(value).cast(), _MM_HINT_T0) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

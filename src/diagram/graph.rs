//! Diagrams in memory: every node once.
//!
//! A graph can also hold a *function*, with values 0 … 255 for leaves instead of ⊥ (0) and ⊤ (1). Read as a set it has the
//! boards whose value is not 0.

use super::{Diagram, View};
use hashbrown::{DefaultHashBuilder, HashTable, hash_table::Entry};
use std::hash::BuildHasher;

/// A leaf or a node of one graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ref(u32);

impl Ref {
    /// No board.
    pub const BOTTOM: Ref = Ref(0);
    /// After the ball: every arrangement of what is left of the strip.
    pub const TOP: Ref = Ref(1);
    /// In a binary node, in place of the ball's child.
    const ABSENT: Ref = Ref(u32::MAX);

    /// The leaf of a function.
    pub const fn leaf(value: u8) -> Ref {
        Ref(value as u32)
    }

    /// The value, if this is a leaf.
    pub fn value(self) -> Option<u8> {
        u8::try_from(self.0).ok()
    }

    /// The place among the nodes, if this is one.
    fn place(self) -> Option<usize> {
        (self.0 as usize).checked_sub(LEAVES)
    }
}

/// Numbers set apart for leaves.
const LEAVES: usize = 256;

/// How much work a graph may be: what is made of a small file must not take much time or memory, however cunningly it is made up.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Results that may be worked out, each of which makes or finds a node.
    steps: u64,
    /// Nodes that there may be.
    nodes: u64,
}

impl Budget {
    /// For work with the sets of a table whose nodes have so many bytes. Those that this program makes take up to 7 steps a byte to be verified at 80
    /// squares, 11 at 96, and so on as the square root of the bytes.
    pub fn of_sets(node_bytes: u64) -> Budget {
        let steps = (1 << 22) + node_bytes * (32 + node_bytes.isqrt() / 64);
        Budget { steps, nodes: steps }
    }

    /// The most nodes.
    pub fn nodes(self) -> u64 {
        self.nodes
    }
}

/// More nodes than a graph can number, or more work than it may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("more nodes than can be numbered, or than are allowed")]
pub struct TooLarge;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Node {
    level: u8,
    empty: Ref,
    stone: Ref,
    ball: Ref,
}

/// The nodes of the diagrams of one length. Children are made before parents.
#[derive(Debug)]
pub struct Graph {
    length: usize,
    nodes: Vec<Node>,
    unique: HashTable<u32>,
    hasher: DefaultHashBuilder,
    /// What may still be done.
    budget: Budget,
}

impl Graph {
    /// The most nodes that a graph can have.
    pub const MOST_NODES: u64 = u32::MAX as u64 - LEAVES as u64 - 1;

    /// An empty graph for strips of `length` squares.
    pub fn new(length: usize) -> Graph {
        let (steps, nodes) = (u64::MAX, Graph::MOST_NODES);
        Graph::within(length, Budget { steps, nodes })
    }

    /// The same for so much work.
    pub fn within(length: usize, budget: Budget) -> Graph {
        Graph {
            length,
            nodes: Vec::new(),
            unique: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
            budget,
        }
    }

    /// Takes so many steps.
    #[inline]
    pub fn take_steps(&mut self, steps: u64) -> Result<(), TooLarge> {
        self.budget.steps = self.budget.steps.checked_sub(steps).ok_or(TooLarge)?;
        Ok(())
    }

    /// How many nodes there are.
    pub(super) fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// What may still be done.
    pub fn budget(&self) -> Budget {
        self.budget
    }

    #[inline]
    fn node(&self, at: Ref) -> Option<Node> {
        at.place().map(|place| self.nodes[place])
    }

    /// The square on which a binary diagram branches first; the strip's end for a leaf.
    #[inline]
    pub fn level(&self, at: Ref) -> usize {
        self.node(at).map_or(self.length, |node| node.level.into())
    }

    /// Whether this is a node before the ball, or on its square.
    #[inline]
    pub fn is_ternary(&self, at: Ref) -> bool {
        self.node(at).is_some_and(|node| node.ball != Ref::ABSENT)
    }

    /// The two halves of a binary diagram at a square that it may skip: empty, stone.
    #[inline]
    pub fn halves(&self, at: Ref, level: usize) -> (Ref, Ref) {
        match self.node(at) {
            Some(node) if usize::from(node.level) == level => (node.empty, node.stone),
            _ => (at, at),
        }
    }

    /// The three parts of a ternary diagram: empty, stone, ball.
    #[inline]
    pub fn thirds(&self, at: Ref) -> (Ref, Ref, Ref) {
        match self.node(at) {
            Some(node) => (node.empty, node.stone, node.ball),
            None => (Ref::BOTTOM, Ref::BOTTOM, Ref::BOTTOM),
        }
    }

    /// The node on a square before the ball or the ball's own.
    pub fn ternary(&mut self, level: usize, empty: Ref, stone: Ref, ball: Ref) -> Result<Ref, TooLarge> {
        self.take_steps(1)?;
        if [empty, stone, ball] == [Ref::BOTTOM; 3] {
            return Ok(Ref::BOTTOM);
        }
        self.consed(Node {
            level: level as u8,
            empty,
            stone,
            ball,
        })
    }

    /// The node on a square after the ball.
    pub fn binary(&mut self, level: usize, empty: Ref, stone: Ref) -> Result<Ref, TooLarge> {
        self.take_steps(1)?;
        if empty == stone {
            return Ok(empty);
        }
        self.consed(Node {
            level: level as u8,
            empty,
            stone,
            ball: Ref::ABSENT,
        })
    }

    fn consed(&mut self, node: Node) -> Result<Ref, TooLarge> {
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
        let copied = match diagram.view(at) {
            View::Bottom => Ref::BOTTOM,
            View::Top => Ref::TOP,
            View::Ternary {
                level,
                empty,
                stone,
                ball,
            } => {
                let empty = self.copy_one(diagram, empty, known)?;
                let stone = self.copy_one(diagram, stone, known)?;
                let ball = self.copy_one(diagram, ball, known)?;
                self.ternary(level, empty, stone, ball)?
            }
            View::Binary { level, empty, stone } => {
                let empty = self.copy_one(diagram, empty, known)?;
                let stone = self.copy_one(diagram, stone, known)?;
                self.binary(level, empty, stone)?
            }
        };
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
            Some(Node {
                level,
                empty,
                stone,
                ball,
            }) if ball == Ref::ABSENT => View::Binary {
                level: level.into(),
                empty,
                stone,
            },
            Some(node) => View::Ternary {
                level: node.level.into(),
                empty: node.empty,
                stone: node.stone,
                ball: node.ball,
            },
        }
    }
}

//! The nodes of a check.
//!
//! A node has a child for each thing that its square may hold, and every walk takes one step per
//! square: no square is skipped but below a leaf. So a node needs no square of its own, and a set has
//! one node. Nodes are never forgotten: a check makes few.

use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashMap, HashTable};
use phutbase_sets::{Diagram, Symbol, View};
use std::hash::BuildHasher;

/// A set of the contents of the last squares: a leaf or a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Set(pub(super) u32);

impl Set {
    pub const NONE: Set = Set(0);
    pub const ALL: Set = Set(1);
}

/// There is no room for another node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

/// Bytes that a node takes at most: its children and its place in the index, while either grows.
pub const NODE_BYTES: u64 = 48;

/// The number of leaves.
const LEAVES: u32 = 2;

pub struct Nodes {
    /// By number, the parts of each set by [`Symbol`]; a leaf has itself.
    children: Vec<[Set; 3]>,
    index: HashTable<u32>,
    hasher: DefaultHashBuilder,
    /// The most leaves and nodes.
    most: usize,
}

impl Nodes {
    /// Returns the leaves, with room for this many nodes.
    pub fn up_to(most: usize) -> Nodes {
        Nodes {
            children: vec![[Set::NONE; 3], [Set::ALL; 3]],
            index: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
            most: most.min(u32::MAX as usize),
        }
    }

    /// Returns the part of a set with `symbol` on its first square.
    #[inline(always)]
    pub fn child(&self, set: Set, symbol: Symbol) -> Set {
        self.children[set.0 as usize][symbol as usize]
    }

    /// Returns the parts of a set by [`Symbol`].
    #[inline(always)]
    pub fn children(&self, set: Set) -> [Set; 3] {
        self.children[set.0 as usize]
    }

    /// Returns the set with these parts, by [`Symbol`]. Past the ball there is no part with a ball:
    /// `ball` is false, and the third part is ⊥.
    pub fn make(&mut self, ball: bool, parts: [Set; 3]) -> Result<Set, Full> {
        let [empty, stone, with_ball] = parts;
        if empty == stone && empty.0 < LEAVES && (!ball || with_ball == empty) {
            return Ok(empty);
        }
        let Nodes {
            children,
            index,
            hasher,
            most,
        } = self;
        let same = |&number: &u32| children[number as usize] == parts;
        let rehash = |&number: &u32| hasher.hash_one(children[number as usize]);
        match index.entry(hasher.hash_one(parts), same, rehash) {
            Entry::Occupied(found) => Ok(Set(*found.get())),
            Entry::Vacant(_) if children.len() >= *most => Err(Full),
            Entry::Vacant(free) => {
                let number = children.len() as u32;
                free.insert(number);
                children.push(parts);
                Ok(Set(number))
            }
        }
    }

    /// Copies a set of the contents of the squares from `square` on.
    pub fn copy<D: Diagram>(
        &mut self,
        diagram: &D,
        square: usize,
        at: D::Ref,
        known: &mut HashMap<D::Ref, Set>,
    ) -> Result<Set, Full> {
        let (own, ball, children) = match diagram.view(at) {
            View::Bottom => return Ok(Set::NONE),
            View::Top => return Ok(Set::ALL),
            View::Ternary(own, children) => (own, true, children.map(Some)),
            View::Binary(own, [empty, stone]) => (own, false, [Some(empty), Some(stone), None]),
        };
        let mut copy = match known.get(&at) {
            Some(&copy) => copy,
            None => {
                let mut parts = [Set::NONE; 3];
                for (part, child) in parts.iter_mut().zip(children) {
                    if let Some(child) = child {
                        *part = self.copy(diagram, own + 1, child, known)?;
                    }
                }
                self.make(ball, parts)?
            }
        };
        known.insert(at, copy);
        // The squares that the diagram skips get nodes.
        for _ in square..own {
            copy = self.make(false, [copy, copy, Set::NONE])?;
        }
        Ok(copy)
    }
}

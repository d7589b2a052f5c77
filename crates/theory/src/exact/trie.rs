//! Functions of half strips as minimal automata that read from the goal line to the ball.
//!
//! A [`Map`] assigns a number to each half strip of one length. It is a *trie with shared
//! subtrees*: a node of level k has read all but the k squares next to the ball and branches on the
//! next of them; at level 0 the number is known. Nodes are unique ([`Tries::join`]), so two maps
//! are equal exactly if their roots are, and the nodes of a map are the states of the minimal
//! automaton that reads half strips of that length.
//!
//! Nodes with equal branches are kept: every square is read, so the levels count automaton states.

use hashbrown::{DefaultHashBuilder, HashMap};
use indexmap::IndexSet;
use phutbase_rules::half::Half;
use std::collections::BTreeMap;
use std::hash::Hash;

/// The index of a node within its level; at level 0 the value itself.
type Node = u32;

#[derive(Default)]
pub struct Tries {
    /// Indexed by level − 1.
    levels: Vec<IndexSet<[Node; 2], DefaultHashBuilder>>,
}

/// A number for each half strip of one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Map {
    length: usize,
    root: Node,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class {
    pub value: u32,
    pub size: u128,
    /// The half strip with the least pattern, where bit 0 is next to the ball.
    pub smallest: Half,
}

impl Tries {
    /// Finds or inserts the node of a level ≥ 1 with two branches of the level below.
    pub fn join(&mut self, level: usize, branches: [Node; 2]) -> Node {
        while self.levels.len() < level {
            self.levels.push(IndexSet::default());
        }
        self.levels[level - 1].insert_full(branches).0 as Node
    }

    pub fn constant(&mut self, length: usize, value: u32) -> Map {
        let root = (1..=length).fold(value, |below, level| self.join(level, [below, below]));
        Map { length, root }
    }

    /// Returns the map computed by an automaton that reads from the goal line: `read` advances by
    /// one square, `value` converts the final state to a number.
    pub fn from_automaton<S: Copy + Eq + Hash>(
        &mut self,
        length: usize,
        start: S,
        read: &dyn Fn(S, bool) -> S,
        value: &mut dyn FnMut(S) -> u32,
    ) -> Map {
        let read = |_: &Tries, _, state, stone| read(state, stone);
        let root = self.unroll(length, start, &read, value, &mut HashMap::new());
        Map { length, root }
    }

    /// Returns the node of a level from which the automaton computes a state's values; `read` also
    /// gets the nodes and the level.
    fn unroll<S: Copy + Eq + Hash>(
        &mut self,
        level: usize,
        state: S,
        read: &dyn Fn(&Tries, usize, S, bool) -> S,
        value: &mut dyn FnMut(S) -> u32,
        known: &mut HashMap<(usize, S), Node>,
    ) -> Node {
        if level == 0 {
            return value(state);
        }
        if let Some(&node) = known.get(&(level, state)) {
            return node;
        }
        let [empty, stone] = [false, true].map(|stone| read(self, level, state, stone));
        let empty = self.unroll(level - 1, empty, read, value, known);
        let stone = self.unroll(level - 1, stone, read, value, known);
        let node = self.join(level, [empty, stone]);
        known.insert((level, state), node);
        node
    }

    fn branches(&self, level: usize, node: Node) -> [Node; 2] {
        self.levels[level - 1][node as usize]
    }

    pub fn value(&self, map: Map, half: Half) -> u32 {
        assert_eq!(map.length, half.length(), "a half strip of another length");
        let squares = (0..map.length).rev();
        squares.fold(map.root, |node, square| {
            self.branches(square + 1, node)[usize::from(half.stone(square))]
        })
    }

    pub fn relabelled(&mut self, map: Map, label: &mut dyn FnMut(u32) -> u32) -> Map {
        self.combined(map, map, &mut |value, _| label(value))
    }

    pub fn combined(&mut self, a: Map, b: Map, combine: &mut dyn FnMut(u32, u32) -> u32) -> Map {
        assert_eq!(a.length, b.length, "half strips of two lengths");
        let read = |tries: &Tries, level, nodes: [Node; 2], stone: bool| {
            nodes.map(|node| tries.branches(level, node)[usize::from(stone)])
        };
        let mut value = |[a, b]: [Node; 2]| combine(a, b);
        let root = self.unroll(a.length, [a.root, b.root], &read, &mut value, &mut HashMap::new());
        Map { root, ..a }
    }

    /// Returns the map to the indices of the pairs of numbers in two maps, with the list of pairs.
    pub fn paired(&mut self, a: Map, b: Map) -> (Map, Vec<(u32, u32)>) {
        let mut pairs = IndexSet::new();
        let map = self.combined(a, b, &mut |a, b| pairs.insert_full((a, b)).0 as u32);
        (map, pairs.into_iter().collect())
    }

    /// Groups the half strips of a map by value.
    pub fn classes(&self, map: Map) -> Vec<Class> {
        // For each node of the current level: the number of half strips that lead to it, and the
        // least of them.
        let mut reached: BTreeMap<Node, (u128, u128)> = BTreeMap::from([(map.root, (1, 0))]);
        for level in (1..=map.length).rev() {
            let mut below: BTreeMap<Node, (u128, u128)> = BTreeMap::new();
            for (node, (size, least)) in reached {
                for (bit, child) in self.branches(level, node).into_iter().enumerate() {
                    let least = least | (bit as u128) << (level - 1);
                    let entry = below.entry(child).or_insert((0, least));
                    *entry = (entry.0 + size, entry.1.min(least));
                }
            }
            reached = below;
        }
        let class = |(value, (size, least)): (Node, (u128, u128))| {
            let smallest = Half::new(map.length, least)?;
            Some(Class {
                value,
                size,
                smallest,
            })
        };
        reached.into_iter().filter_map(class).collect()
    }

    /// Returns the number of states of the minimal automaton by level: the root's level first, the
    /// values last.
    pub fn states(&self, map: Map) -> Vec<usize> {
        let mut nodes = vec![map.root];
        let mut states = Vec::new();
        for level in (0..=map.length).rev() {
            nodes.sort_unstable();
            nodes.dedup();
            states.push(nodes.len());
            if level > 0 {
                nodes = nodes
                    .iter()
                    .flat_map(|&node| self.branches(level, node))
                    .collect();
            }
        }
        states
    }
}

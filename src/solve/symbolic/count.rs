//! Reading a finished diagram: membership, size, numbers of members.

use super::store::{Id, Store};
use crate::games::strip::Strip;
use num_bigint::BigUint;
use std::collections::HashMap;

impl Store {
    /// Whether a board, whoever is to move on it, belongs to a set.
    pub fn contains(&self, set: Id, strip: &Strip) -> bool {
        let mut at = set;
        for square in 0..self.length() {
            let node = self.node(at);
            if node.level() != square {
                // ⊥ and ⊤ stand past the last square, and a binary node may be further on.
                continue;
            }
            at = if square == strip.ball() {
                node.ball
            } else if strip.stones() >> square & 1 == 1 {
                node.stone
            } else {
                node.empty
            };
        }
        at == Id::TOP
    }

    /// The inner nodes of some diagrams together.
    pub fn size(&self, sets: &[Id]) -> usize {
        self.below(sets).len()
    }

    /// The inner nodes of some diagrams, parents before children.
    fn below(&self, sets: &[Id]) -> Vec<Id> {
        let mut seen: HashMap<Id, ()> = HashMap::new();
        let mut stack = sets.to_vec();
        while let Some(id) = stack.pop() {
            if id == Id::BOTTOM || id == Id::TOP || seen.insert(id, ()).is_some() {
                continue;
            }
            let node = self.node(id);
            stack.extend([node.empty, node.stone]);
            if node.is_ternary() {
                stack.push(node.ball);
            }
        }
        let mut nodes: Vec<Id> = seen.into_keys().collect();
        nodes.sort_unstable_by(|a, b| b.cmp(a));
        nodes
    }

    /// The members of a set with the ball on each square, from square 0.
    ///
    /// One ball square has at most 2^127 arrangements of stones; all together pass 128 bits, see [`Store::count`].
    pub fn count_by_ball(&self, set: Id) -> Vec<u128> {
        let nodes = self.below(&[set]);
        let mut members = HashMap::from([(Id::BOTTOM, 0u128), (Id::TOP, 1)]);
        for &id in nodes.iter().rev() {
            let node = self.node(id);
            if !node.is_ternary() {
                let half = |child: Id| members[&child] << (self.node(child).level() - node.level() - 1);
                let both = half(node.empty) + half(node.stone);
                members.insert(id, both);
            }
        }
        let mut by_ball = vec![0; self.length()];
        let mut ways: HashMap<Id, u128> = HashMap::from([(set, 1)]);
        for id in nodes {
            let node = self.node(id);
            if !node.is_ternary() {
                continue;
            }
            let here = ways[&id];
            for child in [node.empty, node.stone] {
                *ways.entry(child).or_default() += here;
            }
            let skipped = self.node(node.ball).level() - node.level() - 1;
            by_ball[node.level()] += here * (members[&node.ball] << skipped);
        }
        by_ball
    }

    /// The members of a set.
    pub fn count(&self, set: Id) -> BigUint {
        self.count_by_ball(set).into_iter().map(BigUint::from).sum()
    }
}

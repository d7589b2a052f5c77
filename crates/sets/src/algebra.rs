//! Union, intersection and difference of sets in a graph.

use super::cache::Cache;
use super::graph::{Graph, Ref, TooLarge};
use super::members::Members;
use num_bigint::BigUint;
use phutbase_base::outcome::Side;
use phutbase_rules::strip::Strip;

/// A set operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Join {
    Or,
    And,
    Minus,
}

/// A graph with a cache of results.
#[derive(Debug)]
pub struct Sets {
    graph: Graph,
    known: Cache<Key>,
}

impl Sets {
    pub fn new(graph: Graph) -> Sets {
        Sets {
            graph,
            known: Cache::new(),
        }
    }

    /// Returns the allocated memory, in bytes.
    pub fn bytes(&self) -> usize {
        self.graph.bytes() + self.known.bytes()
    }

    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    pub fn graph_mut(&mut self) -> &mut Graph {
        &mut self.graph
    }

    /// Joins two sets, or two parts of sets on the same square.
    pub fn join(&mut self, how: Join, a: Ref, b: Ref) -> Result<Ref, TooLarge> {
        if let Some(result) = at_once(how, a, b) {
            return Ok(result);
        }
        let key = key(how, a, b);
        if let Some(result) = self.known.get(key) {
            return Ok(result);
        }
        // ⊥ also denotes an empty ternary set, so the other operand determines the kind.
        let ternary = [a, b].into_iter().any(|at| self.graph.is_ternary(at));
        let level = self.graph.level(a).min(self.graph.level(b));
        let result = if ternary {
            let ((a0, a1, a2), (b0, b1, b2)) = (self.graph.thirds(a), self.graph.thirds(b));
            self.prefetch(how, a1, b1);
            self.prefetch(how, a2, b2);
            let empty = self.join(how, a0, b0)?;
            let stone = self.join(how, a1, b1)?;
            let ball = self.join(how, a2, b2)?;
            self.graph.ternary_like([a, b], level, (empty, stone, ball))?
        } else {
            let ((a0, a1), (b0, b1)) = (self.graph.halves(a, level), self.graph.halves(b, level));
            self.prefetch(how, a1, b1);
            let empty = self.join(how, a0, b0)?;
            let stone = self.join(how, a1, b1)?;
            self.graph.binary_like([a, b], level, (empty, stone))?
        };
        self.known.insert(key, result);
        Ok(result)
    }

    /// Prefetches what the join of two sets reads first.
    #[inline(always)]
    fn prefetch(&self, how: Join, a: Ref, b: Ref) {
        self.known.prefetch(key(how, a, b));
        self.graph.prefetch(a);
        self.graph.prefetch(b);
    }

    /// Returns the first board, by notation and with `side` to move, in the first set but not in
    /// the second.
    pub fn first_beyond(&mut self, a: Ref, b: Ref, side: Side) -> Result<Option<Strip>, TooLarge> {
        let only = self.join(Join::Minus, a, b)?;
        Ok(Members::new(&self.graph, only).nth(&BigUint::ZERO, side))
    }
}

type Key = (Join, Ref, Ref);

/// Returns the key of a join; the order of operands matters only for a difference.
#[inline(always)]
fn key(how: Join, a: Ref, b: Ref) -> Key {
    match how {
        Join::Or | Join::And => (how, a.min(b), a.max(b)),
        Join::Minus => (how, a, b),
    }
}

/// Returns the result if a leaf or equality determines it.
fn at_once(how: Join, a: Ref, b: Ref) -> Option<Ref> {
    const NONE: Ref = Ref::BOTTOM;
    const ALL: Ref = Ref::TOP;
    match (how, a, b) {
        (Join::Or, NONE, other) | (Join::Or, other, NONE) => Some(other),
        (Join::Or, ALL, _) | (Join::Or, _, ALL) => Some(ALL),
        (Join::And, NONE, _) | (Join::And, _, NONE) => Some(NONE),
        (Join::And, ALL, other) | (Join::And, other, ALL) => Some(other),
        (Join::Minus, NONE, _) | (Join::Minus, _, ALL) => Some(NONE),
        (Join::Minus, other, NONE) => Some(other),
        _ if a == b && how == Join::Minus => Some(NONE),
        _ if a == b => Some(a),
        _ => None,
    }
}

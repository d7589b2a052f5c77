//! Enumeration of the members of a set: count, k-th and random members.
//!
//! Members are ordered by notation (`.` < `o` < `@`), with square 0 most significant. Counts below
//! every node lead straight to the k-th member, so first and random members cost the same.

use super::count::members;
use super::{Diagram, Symbol, View};
use hashbrown::HashMap;
use num_bigint::BigUint;
use phutbase_base::outcome::Side;
use phutbase_rules::strip::{SquareSet, Strip};

pub struct Members<'a, D: Diagram> {
    diagram: &'a D,
    set: D::Ref,
    /// Number of members below each node, from its own square on.
    known: HashMap<D::Ref, BigUint>,
    total: BigUint,
}

impl<'a, D: Diagram> Members<'a, D> {
    pub fn new(diagram: &'a D, set: D::Ref) -> Members<'a, D> {
        let mut known = HashMap::new();
        let total = members(diagram, &mut known, set, 0);
        Members {
            diagram,
            set,
            known,
            total,
        }
    }

    pub fn total(&self) -> &BigUint {
        &self.total
    }

    /// Returns the k-th member, from 0, with `side` to move; `None` past the last.
    pub fn nth(&mut self, k: &BigUint, side: Side) -> Option<Strip> {
        if *k >= self.total {
            return None;
        }
        let mut rest = k.clone();
        let mut at = self.set;
        let mut ball = None;
        let mut stones = SquareSet::ZERO;
        for square in 0..self.diagram.length() {
            for (symbol, child) in self.branches(at, square, ball.is_some()) {
                let below = members(self.diagram, &mut self.known, child, square + 1);
                if rest < below {
                    match symbol {
                        Symbol::Empty => {}
                        Symbol::Stone => stones |= SquareSet::ONE << square,
                        Symbol::Ball => ball = Some(square),
                    }
                    at = child;
                    break;
                }
                rest -= below;
            }
        }
        Strip::new(self.diagram.length(), ball?, stones, side)
    }

    pub fn first(&mut self, most: usize, side: Side) -> Vec<Strip> {
        (0..most).map_while(|k| self.nth(&k.into(), side)).collect()
    }

    /// Returns the children of a node on a square, in order.
    fn branches(
        &self,
        at: D::Ref,
        square: usize,
        ball_met: bool,
    ) -> impl Iterator<Item = (Symbol, D::Ref)> + use<D> {
        let (empty, stone, ball) = match self.diagram.view(at) {
            View::Ternary(level, [empty, stone, ball]) if level == square && !ball_met => {
                (empty, stone, Some(ball))
            }
            View::Binary(level, [empty, stone]) if level == square => (empty, stone, None),
            _ => (at, at, None),
        };
        [
            (Symbol::Empty, Some(empty)),
            (Symbol::Stone, Some(stone)),
            (Symbol::Ball, ball),
        ]
        .into_iter()
        .filter_map(|(symbol, child)| child.map(|child| (symbol, child)))
    }
}

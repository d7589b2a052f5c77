//! The chain property, asked of whole tables: with the ball fixed, of the sets of right halves that go with two left halves, one
//! contains the other.
//!
//! A diagram reads the strip from the left. Down to the ball it is an automaton that reads the left half, and the binary node below
//! the ball is the set of right halves that go with it. So equal sets are equal nodes, and the chain is a question about few of them:
//! sorted by size, does each lie within the next?

use crate::diagram::count::members_after_ball;
use crate::diagram::{Diagram, View};
use crate::games::strip::Strip;
use crate::outcome::Side;
use crate::table::diagram::DiagramTable;
use hashbrown::{HashMap, HashSet};
use rayon::prelude::*;

/// Two left halves of which neither's set of right halves contains the other's: four boards that show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// Boards, with the player to move, that Left wins: the first left half with a right half, the second with another.
    pub won: [Strip; 2],
    /// Boards that Left does not win: the same left halves, the right halves exchanged.
    pub not_won: [Strip; 2],
}

/// A crossing in a table, if there is one: among the boards that Left wins with Left, or with Right, to move, the ball as far to the left as
/// possible.
pub fn crossing(table: &DiagramTable) -> Option<Crossing> {
    let (nodes, length) = (table.nodes(), table.header().length);
    [Side::Left, Side::Right].into_iter().find_map(|side| {
        let by_ball = right_halves(&nodes, table.won_by_left(side));
        (by_ball.into_par_iter().enumerate()).find_map_first(|(ball, sets)| {
            let [(first, one), (second, other)] = break_in_chain(&nodes, ball, &sets)?;
            let mut inclusion = Inclusion::new(&nodes);
            let only = [inclusion.beyond(one, other), inclusion.beyond(other, one)];
            let board = |left: u128, right: u128| {
                Strip::new(length, ball, left | right, side)
                    .expect("the ball's square is empty in both halves")
            };
            Some(Crossing {
                won: [board(first, only[0]), board(second, only[1])],
                not_won: [board(first, only[1]), board(second, only[0])],
            })
        })
    })
}

/// For every ball square the different sets of right halves, each with the stones of a left half that it goes with.
fn right_halves<D: Diagram>(diagram: &D, set: D::Ref) -> Vec<Vec<(u128, D::Ref)>> {
    let mut here = HashMap::from([(set, 0u128)]);
    let mut by_ball = Vec::new();
    for square in 0..diagram.length() {
        let (mut further, mut sets) = (HashMap::new(), HashMap::new());
        for (at, stones) in here {
            if let View::Ternary {
                empty, stone, ball, ..
            } = diagram.view(at)
            {
                further.insert(empty, stones);
                further.insert(stone, stones | 1 << square);
                sets.insert(ball, stones);
            }
        }
        by_ball.push(sets.into_iter().map(|(set, stones)| (stones, set)).collect());
        here = further;
    }
    by_ball
}

/// Two of the sets of which neither contains the other.
fn break_in_chain<D: Diagram>(
    diagram: &D,
    ball: usize,
    sets: &[(u128, D::Ref)],
) -> Option<[(u128, D::Ref); 2]> {
    let nodes: Vec<D::Ref> = sets.iter().map(|&(_, set)| set).collect();
    let sizes = members_after_ball(diagram, &nodes, ball + 1);
    let mut sorted: Vec<(u128, (u128, D::Ref))> = sizes.into_iter().zip(sets.iter().copied()).collect();
    sorted.sort_by_key(|&(size, (stones, _))| (size, stones));
    let mut inclusion = Inclusion::new(diagram);
    let broken = sorted
        .windows(2)
        .find(|pair| !inclusion.holds(pair[0].1.1, pair[1].1.1));
    broken.map(|pair| [pair[0].1, pair[1].1])
}

/// A square, and two sets where it is empty and where it has a stone.
type Split<R> = (usize, [R; 2], [R; 2]);

struct Inclusion<'a, D: Diagram> {
    diagram: &'a D,
    /// Pairs of which the first is known to lie within the second.
    known: HashSet<(D::Ref, D::Ref)>,
}

impl<'a, D: Diagram> Inclusion<'a, D> {
    fn new(diagram: &'a D) -> Inclusion<'a, D> {
        Inclusion {
            diagram,
            known: HashSet::new(),
        }
    }

    /// The stones of a right half that is in the first set and not in the second, which does not contain it.
    fn beyond(&mut self, a: D::Ref, b: D::Ref) -> u128 {
        match self.split(a, b) {
            None => 0,
            Some((_, [a0, b0], _)) if !self.holds(a0, b0) => self.beyond(a0, b0),
            Some((level, _, [a1, b1])) => 1 << level | self.beyond(a1, b1),
        }
    }

    /// The next square on which one of two sets depends, and both sets where it is empty and where it has a stone; `None` for two leaves.
    fn split(&self, a: D::Ref, b: D::Ref) -> Option<Split<D::Ref>> {
        let views = [self.diagram.view(a), self.diagram.view(b)];
        let level_of = |view: &View<D::Ref>| match view {
            View::Binary { level, .. } => Some(*level),
            _ => None,
        };
        let level = views.iter().filter_map(level_of).min()?;
        let children = |view, at| match view {
            View::Binary {
                level: own,
                empty,
                stone,
            } if own == level => (empty, stone),
            _ => (at, at),
        };
        let ((a0, a1), (b0, b1)) = (children(views[0], a), children(views[1], b));
        Some((level, [a0, b0], [a1, b1]))
    }

    /// Whether one set of right halves lies within another.
    fn holds(&mut self, a: D::Ref, b: D::Ref) -> bool {
        if a == b || self.known.contains(&(a, b)) {
            return true;
        }
        if matches!(self.diagram.view(a), View::Bottom) || matches!(self.diagram.view(b), View::Top) {
            return true;
        }
        let Some((_, [a0, b0], [a1, b1])) = self.split(a, b) else {
            return false;
        };
        let holds = self.holds(a0, b0) && self.holds(a1, b1);
        if holds {
            self.known.insert((a, b));
        }
        holds
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagram::graph::{Graph, Ref};

    #[test]
    fn two_sets_that_cross_are_no_chain() {
        let mut graph = Graph::new(5);
        let set = |graph: &mut Graph, level, empty, stone| graph.binary(level, empty, stone).unwrap();
        let first = set(&mut graph, 3, Ref::TOP, Ref::BOTTOM);
        let other = set(&mut graph, 3, Ref::BOTTOM, Ref::TOP);
        let less = set(&mut graph, 4, Ref::TOP, Ref::BOTTOM);
        let part = set(&mut graph, 3, less, Ref::BOTTOM);
        let broken = |sets: &[Ref]| {
            let sets: Vec<(u128, Ref)> = (0..).zip(sets.iter().copied()).collect();
            break_in_chain(&graph, 2, &sets).is_some()
        };
        assert!(!broken(&[Ref::TOP, part, first, Ref::BOTTOM]));
        assert!(broken(&[first, other]));
        assert!(broken(&[other, part]));
        let mut inclusion = Inclusion::new(&graph);
        assert_eq!(
            [inclusion.beyond(first, part), inclusion.beyond(other, first)],
            [1 << 4, 1 << 3]
        );
    }
}

//! The chain property on whole tables: with the ball fixed, the sets of right halves that win with
//! two left halves are nested.
//!
//! A diagram reads the strip from the left. Down to the ball it is an automaton that reads the left
//! half, and the binary node below the ball is the set of right halves that win with it. Equal sets
//! are equal nodes, so only few sets must be compared: after sorting by size, each must be
//! contained in the next.

use super::claim::{Law, Statement};
use ethnum::U256;
use hashbrown::{HashMap, HashSet};
use phutbase_base::outcome::Side;
use phutbase_rules::strip::Strip;
use phutbase_sets::count::members_after_ball;
use phutbase_sets::{Diagram, TooLarge, View};
use phutbase_table::{StripSets, TableError};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

pub const LAW: Law = Law {
    statement: Statement {
        words: "The chain property: of the right halves that two left halves win against, one set contains the other.",
        source: "This project",
    },
    holds: "the sets of half strips beaten by two half strips are nested",
    exception: |table, length| {
        let found = crossing(&table.sets(length)?)?;
        Ok(found.map(|Crossing { won, not_won }| {
            format!(
                "no chain: Left wins '{}' and '{}', but not '{}' and '{}'",
                won[0], won[1], not_won[0], not_won[1]
            )
        }))
    },
};

/// A set of right halves, with the stones of a left half that leads to it.
type Right<R> = (U256, R);

/// Four boards that show that the sets of right halves of two left halves are not nested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// Boards, with the player to move, that Left wins: each left half with a right half.
    pub won: [Strip; 2],
    /// Boards that Left does not win: the same left halves with the right halves exchanged.
    pub not_won: [Strip; 2],
}

/// Returns a crossing among the strips of a length, if there is one, among the boards that Left
/// wins with Left or Right to move, with the ball as far left as possible.
pub fn crossing(table: &StripSets) -> Result<Option<Crossing>, TableError> {
    let too_large = |TooLarge| table.unwieldy();
    // Equal sets must be equal nodes.
    let mut graph = table.workspace();
    let budget = AtomicU64::new(graph.budget().nodes());
    let roots = [Side::Left, Side::Right].map(|side| table.won_by_left(side));
    let roots = graph.copy(table, &roots).map_err(too_large)?;
    let found = [Side::Left, Side::Right]
        .into_iter()
        .zip(roots)
        .find_map(|(side, root)| {
            let by_ball = right_halves(&graph, root);
            (by_ball.into_par_iter().enumerate())
                .find_map_first(|(ball, sets)| crossing_at(&graph, &budget, side, ball, &sets).transpose())
        });
    found.transpose().map_err(too_large)
}

/// Returns the crossing of two sets of right halves with the ball on a square.
fn crossing_at<D: Diagram>(
    diagram: &D,
    budget: &AtomicU64,
    side: Side,
    ball: usize,
    sets: &[Right<D::Ref>],
) -> Result<Option<Crossing>, TooLarge> {
    let Some([(first, one), (second, other)]) = break_in_chain(diagram, budget, ball, sets)? else {
        return Ok(None);
    };
    let mut inclusion = Inclusion::new(diagram, budget);
    let mut only = |a, b| Ok(inclusion.beyond(a, b)?.expect("neither contains the other"));
    let only = [only(one, other)?, only(other, one)?];
    let board = |left: U256, right: U256| {
        Strip::new(diagram.length(), ball, left | right, side)
            .expect("the ball's square is empty in both halves")
    };
    Ok(Some(Crossing {
        won: [board(first, only[0]), board(second, only[1])],
        not_won: [board(first, only[1]), board(second, only[0])],
    }))
}

/// Returns the distinct sets of right halves for every ball square.
fn right_halves<D: Diagram>(diagram: &D, set: D::Ref) -> Vec<Vec<Right<D::Ref>>> {
    let mut here = HashMap::from([(set, U256::ZERO)]);
    let mut by_ball = Vec::new();
    // Keep the first left half that leads to a node, so that the result is deterministic.
    let keep = |found: &mut HashMap<D::Ref, U256>, at, stones| {
        let first = found.entry(at).or_insert(stones);
        *first = stones.min(*first);
    };
    for square in 0..diagram.length() {
        let (mut further, mut sets) = (HashMap::new(), HashMap::new());
        for (at, stones) in here {
            if let View::Ternary(_, [empty, stone, ball]) = diagram.view(at) {
                keep(&mut further, empty, stones);
                keep(&mut further, stone, stones | U256::ONE << square);
                keep(&mut sets, ball, stones);
            }
        }
        by_ball.push(sets.into_iter().map(|(set, stones)| (stones, set)).collect());
        here = further;
    }
    by_ball
}

/// Returns two of the sets that are not nested.
pub fn break_in_chain<D: Diagram>(
    diagram: &D,
    budget: &AtomicU64,
    ball: usize,
    sets: &[Right<D::Ref>],
) -> Result<Option<[Right<D::Ref>; 2]>, TooLarge> {
    let nodes: Vec<D::Ref> = sets.iter().map(|&(_, set)| set).collect();
    let sizes = members_after_ball(diagram, &nodes, ball + 1);
    let mut sorted: Vec<(U256, Right<D::Ref>)> = sizes.into_iter().zip(sets.iter().copied()).collect();
    sorted.sort_by_key(|&(size, (stones, _))| (size, stones));
    let mut inclusion = Inclusion::new(diagram, budget);
    for pair in sorted.windows(2) {
        if !inclusion.holds(pair[0].1.1, pair[1].1.1)? {
            return Ok(Some([pair[0].1, pair[1].1]));
        }
    }
    Ok(None)
}

/// A square, and two sets where it is empty and where it has a stone.
type Split<R> = (usize, [R; 2], [R; 2]);

/// Inclusion tests of sets of right halves.
pub struct Inclusion<'a, D: Diagram> {
    diagram: &'a D,
    /// Remaining number of pairs to compare, shared by all threads.
    budget: &'a AtomicU64,
    /// Pairs in which the first is known to be contained in the second.
    known: HashSet<(D::Ref, D::Ref)>,
}

impl<'a, D: Diagram> Inclusion<'a, D> {
    /// Creates a test that may compare `budget` pairs of sets.
    pub fn new(diagram: &'a D, budget: &'a AtomicU64) -> Inclusion<'a, D> {
        Inclusion {
            diagram,
            budget,
            known: HashSet::new(),
        }
    }

    /// Returns the stones of a right half, by squares of the board, in the first set but not in the
    /// second; `None` if the second contains the first.
    pub fn beyond(&mut self, a: D::Ref, b: D::Ref) -> Result<Option<U256>, TooLarge> {
        if self.holds(a, b)? {
            return Ok(None);
        }
        let Some((level, [a0, b0], [a1, b1])) = self.split(a, b) else {
            return Ok(Some(U256::ZERO));
        };
        if let Some(stones) = self.beyond(a0, b0)? {
            return Ok(Some(stones));
        }
        Ok(self.beyond(a1, b1)?.map(|stones| U256::ONE << level | stones))
    }

    /// Returns the next square on which a set depends, and the children of both sets for an empty
    /// square and a stone; `None` for two leaves.
    fn split(&self, a: D::Ref, b: D::Ref) -> Option<Split<D::Ref>> {
        let views = [self.diagram.view(a), self.diagram.view(b)];
        let level_of = |view: &View<D::Ref>| match view {
            View::Binary(level, _) => Some(*level),
            _ => None,
        };
        let level = views.iter().filter_map(level_of).min()?;
        let children = |view, at| match view {
            View::Binary(own, children) if own == level => children,
            _ => [at, at],
        };
        let ([a0, a1], [b0, b1]) = (children(views[0], a), children(views[1], b));
        Some((level, [a0, b0], [a1, b1]))
    }

    /// Returns whether the first set contains no right half outside the second.
    fn holds(&mut self, a: D::Ref, b: D::Ref) -> Result<bool, TooLarge> {
        if a == b || self.known.contains(&(a, b)) {
            return Ok(true);
        }
        if matches!(self.diagram.view(a), View::Bottom) || matches!(self.diagram.view(b), View::Top) {
            return Ok(true);
        }
        let Some((_, [a0, b0], [a1, b1])) = self.split(a, b) else {
            return Ok(false);
        };
        let less = |budget: u64| budget.checked_sub(1);
        (self
            .budget
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less))
        .map_err(|_| TooLarge)?;
        let holds = self.holds(a0, b0)? && self.holds(a1, b1)?;
        if holds {
            self.known.insert((a, b));
        }
        Ok(holds)
    }
}

//! The chain property, asked of whole tables: with the ball fixed, of the sets of right halves that go with two left halves, one
//! contains the other.
//!
//! A diagram reads the strip from the left. Down to the ball it is an automaton that reads the left half, and the binary node below
//! the ball is the set of right halves that go with it. So equal sets are equal nodes, and the chain is a question about few of them:
//! sorted by size, does each lie within the next?

use crate::diagram::count::members_after_ball;
use crate::diagram::graph::TooLarge;
use crate::diagram::{Diagram, View};
use crate::games::strip::Strip;
use crate::outcome::Side;
use crate::table::error::TableError;
use crate::table::strip::sets::StripSets;
use hashbrown::{HashMap, HashSet};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// A set of right halves, with the stones of a left half that it goes with.
type Right<R> = (u128, R);

/// Two left halves of which neither's set of right halves contains the other's: four boards that show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// Boards, with the player to move, that Left wins: the first left half with a right half, the second with another.
    pub won: [Strip; 2],
    /// Boards that Left does not win: the same left halves, the right halves exchanged.
    pub not_won: [Strip; 2],
}

/// A crossing among the strips of a length, if there is one: among the boards that Left wins with Left, or with Right, to move, the ball
/// as far to the left as possible.
///
/// # Errors
/// [`TableError::Limit`] if that is more work than a file of this size warrants.
pub fn crossing(table: &StripSets) -> Result<Option<Crossing>, TableError> {
    let too_large = |TooLarge| table.unwieldy();
    // Equal sets must be equal nodes.
    let mut graph = table.workspace();
    let room = AtomicU64::new(graph.budget().nodes());
    let roots = [Side::Left, Side::Right].map(|side| table.won_by_left(side));
    let roots = graph.copy(table, &roots).map_err(too_large)?;
    let found = [Side::Left, Side::Right]
        .into_iter()
        .zip(roots)
        .find_map(|(side, root)| {
            let by_ball = right_halves(&graph, root);
            (by_ball.into_par_iter().enumerate())
                .find_map_first(|(ball, sets)| crossing_at(&graph, &room, side, ball, &sets).transpose())
        });
    found.transpose().map_err(too_large)
}

/// A crossing with the ball on a square, of which these are the sets of right halves.
fn crossing_at<D: Diagram>(
    diagram: &D,
    room: &AtomicU64,
    side: Side,
    ball: usize,
    sets: &[Right<D::Ref>],
) -> Result<Option<Crossing>, TooLarge> {
    let Some([(first, one), (second, other)]) = break_in_chain(diagram, room, ball, sets)? else {
        return Ok(None);
    };
    let mut inclusion = Inclusion::new(diagram, room);
    let mut only = |a, b| Ok(inclusion.beyond(a, b)?.expect("neither contains the other"));
    let only = [only(one, other)?, only(other, one)?];
    let board = |left: u128, right: u128| {
        Strip::new(diagram.length(), ball, left | right, side)
            .expect("the ball's square is empty in both halves")
    };
    Ok(Some(Crossing {
        won: [board(first, only[0]), board(second, only[1])],
        not_won: [board(first, only[1]), board(second, only[0])],
    }))
}

/// For every ball square the different sets of right halves.
fn right_halves<D: Diagram>(diagram: &D, set: D::Ref) -> Vec<Vec<Right<D::Ref>>> {
    let mut here = HashMap::from([(set, 0u128)]);
    let mut by_ball = Vec::new();
    // Of the left halves that lead to a node the first is kept, so that the same crossing is found every time.
    let keep = |found: &mut HashMap<D::Ref, u128>, at, stones| {
        let first = found.entry(at).or_insert(stones);
        *first = stones.min(*first);
    };
    for square in 0..diagram.length() {
        let (mut further, mut sets) = (HashMap::new(), HashMap::new());
        for (at, stones) in here {
            if let View::Ternary {
                empty, stone, ball, ..
            } = diagram.view(at)
            {
                keep(&mut further, empty, stones);
                keep(&mut further, stone, stones | 1 << square);
                keep(&mut sets, ball, stones);
            }
        }
        by_ball.push(sets.into_iter().map(|(set, stones)| (stones, set)).collect());
        here = further;
    }
    by_ball
}

/// Two of the sets of which neither contains the other.
pub fn break_in_chain<D: Diagram>(
    diagram: &D,
    room: &AtomicU64,
    ball: usize,
    sets: &[Right<D::Ref>],
) -> Result<Option<[Right<D::Ref>; 2]>, TooLarge> {
    let nodes: Vec<D::Ref> = sets.iter().map(|&(_, set)| set).collect();
    let sizes = members_after_ball(diagram, &nodes, ball + 1);
    let mut sorted: Vec<(u128, Right<D::Ref>)> = sizes.into_iter().zip(sets.iter().copied()).collect();
    sorted.sort_by_key(|&(size, (stones, _))| (size, stones));
    let mut inclusion = Inclusion::new(diagram, room);
    for pair in sorted.windows(2) {
        if !inclusion.holds(pair[0].1.1, pair[1].1.1)? {
            return Ok(Some([pair[0].1, pair[1].1]));
        }
    }
    Ok(None)
}

/// A square, and two sets where it is empty and where it has a stone.
type Split<R> = (usize, [R; 2], [R; 2]);

/// Whether sets of right halves lie within each other.
pub struct Inclusion<'a, D: Diagram> {
    diagram: &'a D,
    /// Pairs that may still be looked at, by all threads.
    room: &'a AtomicU64,
    /// Pairs of which the first is known to lie within the second.
    known: HashSet<(D::Ref, D::Ref)>,
}

impl<'a, D: Diagram> Inclusion<'a, D> {
    /// Nothing is known yet; `room` pairs of sets may be looked at.
    pub fn new(diagram: &'a D, room: &'a AtomicU64) -> Inclusion<'a, D> {
        Inclusion {
            diagram,
            room,
            known: HashSet::new(),
        }
    }

    /// The stones of a right half, by squares of the board, that is in the first set and not in the second; `None` if that contains it.
    pub fn beyond(&mut self, a: D::Ref, b: D::Ref) -> Result<Option<u128>, TooLarge> {
        if self.holds(a, b)? {
            return Ok(None);
        }
        let Some((level, [a0, b0], [a1, b1])) = self.split(a, b) else {
            return Ok(Some(0));
        };
        if let Some(stones) = self.beyond(a0, b0)? {
            return Ok(Some(stones));
        }
        Ok(self.beyond(a1, b1)?.map(|stones| 1 << level | stones))
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
        let less = |room: u64| room.checked_sub(1);
        (self.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less)).map_err(|_| TooLarge)?;
        let holds = self.holds(a0, b0)? && self.holds(a1, b1)?;
        if holds {
            self.known.insert((a, b));
        }
        Ok(holds)
    }
}

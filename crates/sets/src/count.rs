//! Membership, size and cardinality of sets.

use super::{Diagram, View};
use ethnum::U256;
use hashbrown::{HashMap, HashSet};
use num_bigint::BigUint;
use phutbase_base::count::big;
use phutbase_rules::strip::{Halves, Strip};
use std::ops::{Add, Shl};

/// Returns whether a set contains a board, for either player to move.
pub fn contains<D: Diagram>(diagram: &D, set: D::Ref, strip: &Strip) -> bool {
    let stone_on = |square: usize| strip.stone(square);
    let mut at = set;
    loop {
        at = match diagram.view(at) {
            View::Bottom => return false,
            View::Top => return true,
            View::Ternary(level, [_, _, ball]) if level == strip.ball() => ball,
            View::Ternary(level, [empty, stone, _]) | View::Binary(level, [empty, stone]) => {
                if stone_on(level) { stone } else { empty }
            }
        };
    }
}

/// Counts the distinct inner nodes of some diagrams.
pub fn size<D: Diagram>(diagram: &D, sets: &[D::Ref]) -> usize {
    let mut seen = HashSet::new();
    let mut stack = sets.to_vec();
    while let Some(at) = stack.pop() {
        let view = diagram.view(at);
        if !view.children().is_empty() && seen.insert(at) {
            stack.extend(view.children());
        }
    }
    seen.len()
}

/// Counts the members of a set with the ball on each square, from square 0.
///
/// One ball square has at most 2^254 arrangements of stones; the total can exceed 256 bits, see
/// [`count`].
pub fn count_by_ball<D: Diagram>(diagram: &D, set: D::Ref) -> Vec<U256> {
    let mut known: HashMap<D::Ref, U256> = HashMap::new();
    // The ternary nodes of one square, with the number of paths to each.
    let mut ways: HashMap<D::Ref, U256> = HashMap::from([(set, U256::ONE)]);
    let mut by_ball = vec![U256::ZERO; diagram.length()];
    for (square, here) in by_ball.iter_mut().enumerate() {
        let mut further = HashMap::new();
        for (at, ways) in ways {
            if let View::Ternary(_, [empty, stone, ball]) = diagram.view(at) {
                *further.entry(empty).or_insert(U256::ZERO) += ways;
                *further.entry(stone).or_insert(U256::ZERO) += ways;
                *here += ways * members(diagram, &mut known, ball, square + 1);
            }
        }
        ways = further;
    }
    by_ball
}

pub fn count<D: Diagram>(diagram: &D, set: D::Ref) -> BigUint {
    count_by_ball(diagram, set).into_iter().map(big).sum()
}

/// Counts the members from `square` on of a node there or further right. `known` keeps the counts of
/// inner nodes, each from its own square on.
pub(crate) fn members<D: Diagram, N>(
    diagram: &D,
    known: &mut HashMap<D::Ref, N>,
    at: D::Ref,
    square: usize,
) -> N
where
    N: Clone + From<u8> + Add<Output = N> + Shl<usize, Output = N>,
{
    let view = diagram.view(at);
    let level = match view {
        View::Bottom => return 0.into(),
        View::Top => return N::from(1) << (diagram.length() - square),
        View::Ternary(level, _) | View::Binary(level, _) => level,
    };
    let here = known.get(&at).cloned().unwrap_or_else(|| {
        let below = (view.children().iter()).map(|&child| members(diagram, known, child, level + 1));
        let here = below.fold(N::from(0), N::add);
        known.insert(at, here.clone());
        here
    });
    // The skipped squares after the ball may each be empty or hold a stone.
    here << (level - square)
}

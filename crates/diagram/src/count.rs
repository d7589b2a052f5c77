//! Membership, size and cardinality of sets.

use super::{Diagram, View};
use ethnum::U256;
use hashbrown::{HashMap, HashSet};
use num_bigint::BigUint;
use phutbase_base::count::big;
use phutbase_rules::strip::{Halves, Strip};

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

/// Counts the members of some sets of squares after the ball, starting at `square`.
pub fn members_after_ball<D: Diagram>(diagram: &D, sets: &[D::Ref], square: usize) -> Vec<U256> {
    let mut after_ball = AfterBall {
        diagram,
        known: HashMap::new(),
    };
    (sets.iter()).map(|&set| after_ball.count(set, square)).collect()
}

/// Counts the members of a set with the ball on each square, from square 0.
///
/// One ball square has at most 2^254 arrangements of stones; the total can exceed 256 bits, see
/// [`count`].
pub fn count_by_ball<D: Diagram>(diagram: &D, set: D::Ref) -> Vec<U256> {
    let length = diagram.length();
    let mut after_ball = AfterBall {
        diagram,
        known: HashMap::new(),
    };
    // The ternary nodes of one square, with the number of paths to each.
    let mut ways: HashMap<D::Ref, U256> = HashMap::from([(set, U256::ONE)]);
    let mut by_ball = vec![U256::ZERO; length];
    for (square, members) in by_ball.iter_mut().enumerate() {
        let mut further = HashMap::new();
        for (at, ways) in ways {
            if let View::Ternary(_, [empty, stone, ball]) = diagram.view(at) {
                *further.entry(empty).or_insert(U256::ZERO) += ways;
                *further.entry(stone).or_insert(U256::ZERO) += ways;
                *members += ways * after_ball.count(ball, square + 1);
            }
        }
        ways = further;
    }
    by_ball
}

pub fn count<D: Diagram>(diagram: &D, set: D::Ref) -> BigUint {
    count_by_ball(diagram, set).into_iter().map(big).sum()
}

/// Memoized counts of binary diagrams.
struct AfterBall<'a, D: Diagram> {
    diagram: &'a D,
    /// Arrangements of the squares from a node's own to the end of the strip.
    known: HashMap<D::Ref, U256>,
}

impl<D: Diagram> AfterBall<'_, D> {
    /// Counts the arrangements of the squares from `square` on.
    fn count(&mut self, at: D::Ref, square: usize) -> U256 {
        match self.diagram.view(at) {
            View::Bottom | View::Ternary(..) => U256::ZERO,
            View::Top => U256::ONE << (self.diagram.length() - square),
            View::Binary(level, [empty, stone]) => {
                let here = match self.known.get(&at) {
                    Some(&here) => here,
                    None => {
                        let here = self.count(empty, level + 1) + self.count(stone, level + 1);
                        self.known.insert(at, here);
                        here
                    }
                };
                here << (level - square)
            }
        }
    }
}

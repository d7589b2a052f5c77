//! Ball squares whose boards are all decided.
//!
//! If Left wins all boards of two sets, the mirror image of a board in the one is not in the other
//! with the other player to move. So if the one, and the mirror image of the other, have all boards
//! of a ball square between them, both are *complete* there, and nothing remains to be computed. The
//! test compares diagrams node by node and makes no node. It ends at the first difference.

use super::algebra::Algebra;
use super::mirrored::{Readings, reading};
use super::store::Id;
use hashbrown::{HashMap, HashSet};
use phutbase_sets::{Diagram, View};

impl Algebra {
    /// Returns whether two pairs of sets, whose boards are all won by Left, have every won board with
    /// the ball on a square.
    ///
    /// Only the reading of its own half needs to be up to date for a ball square: the other may lack
    /// boards.
    pub(super) fn is_complete(&self, sets: &Readings, square: usize) -> bool {
        let (_, balls) = reading(self.length(), &(square..=square));
        let (one, other) = (sets.from_left, sets.from_right);
        let pairs = [
            (one.left_to_move, other.right_to_move),
            (one.right_to_move, other.left_to_move),
        ];
        (pairs.into_iter()).all(|(set, image)| self.are_complements(set, image, *balls.start()))
    }

    /// Returns whether exactly one of two sets has each board with the ball on a square.
    pub fn are_complements(&self, a: Id, b: Id, ball: usize) -> bool {
        let mut after_ball = HashMap::new();
        let mut seen = HashSet::new();
        let mut stack = vec![(0, a, b)];
        while let Some((square, a, b)) = stack.pop() {
            let (x, y) = (self.store.node(a), self.store.node(b));
            if square == ball {
                if !self.are_complements_after_ball(x.ball, y.ball, &mut after_ball) {
                    return false;
                }
            } else if a == Id::BOTTOM && b == Id::BOTTOM {
                return false;
            } else if seen.insert((a, b)) {
                stack.push((square + 1, x.empty, y.empty));
                stack.push((square + 1, x.stone, y.stone));
            }
        }
        true
    }

    /// Compares sets of squares after the ball. A set has one complement, which `known` remembers.
    fn are_complements_after_ball(&self, a: Id, b: Id, known: &mut HashMap<Id, Id>) -> bool {
        let mut stack = vec![(a, b)];
        while let Some((a, b)) = stack.pop() {
            match (self.store.view(a), self.store.view(b)) {
                (View::Bottom, View::Top) | (View::Top, View::Bottom) => {}
                (View::Binary(level, x), View::Binary(other, y)) if level == other => {
                    match known.insert(a, b) {
                        None => stack.extend(x.into_iter().zip(y)),
                        Some(complement) if complement == b => {}
                        Some(_) => return false,
                    }
                }
                _ => return false,
            }
        }
        true
    }
}

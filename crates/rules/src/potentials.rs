//! The two potentials of Grossman & Nowakowski, *One-Dimensional Phutball*: [`OddishSum`] (§2) decides
//! Oddish Phutball (GN Theorem 1); [`Generalized`] (§3) almost decides the strip.
//!
//! Both are sums over a half strip from the goal line to the ball: +1 for an empty square, −1 for a
//! stone, but never below 0. A player's own half is the one towards the goal that the player
//! attacks.

use super::half::{self, HalfAutomaton};
use super::strip::Halves;
use crate::oddish::Oddish;
use phutbase_base::outcome::Side;

/// Returns Left's and Right's generalized potential of a strip.
pub fn of_strip(strip: &impl Halves) -> (u32, u32) {
    let [left, right] = half::values::<Generalized>(strip);
    (right, left)
}

/// Returns the winner that the generalized potential predicts.
pub fn predicted_winner(strip: &impl Halves) -> Side {
    half::winner::<Generalized>(strip)
}

/// Returns Left's and Right's potential of an Oddish position.
pub fn of_oddish(position: &Oddish) -> (u32, u32) {
    let stone = |square: usize| position.stones() >> square & 1 == 1;
    let right = (position.gap()..position.squares()).rev().map(stone);
    let left = (0..position.gap()).map(stone);
    (OddishSum::value_of(right), OddishSum::value_of(left))
}

/// Returns the winner of Oddish Phutball by GN Theorem 1.
pub fn oddish_winner(position: &Oddish) -> Side {
    let (left, right) = of_oddish(position);
    half::winner_of::<OddishSum>([right, left], position.side())
}

/// The state of the automaton that computes the potential of Oddish Phutball (§2): ⌊bsum/2⌋ + (1 − δ).
/// psum is the sum without the last square, and δ is 1 if bsum = psum, else 0.
///
/// It is the number of stones that the player must still place before a jump wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OddishSum {
    sum: u32,
    /// True if the last square changed the sum.
    is_changed: bool,
}

impl HalfAutomaton for OddishSum {
    type Value = u32;

    const START: OddishSum = OddishSum {
        sum: 0,
        is_changed: false,
    };

    fn step(self, stone: bool) -> OddishSum {
        let sum = if stone {
            self.sum.saturating_sub(1)
        } else {
            self.sum + 1
        };
        let is_changed = sum != self.sum;
        OddishSum { sum, is_changed }
    }

    fn value(self) -> u32 {
        self.sum / 2 + u32::from(self.is_changed)
    }
}

/// The state of the automaton that computes the generalized potential (§3), for the strip: ⌊bsum/4⌋ + (1 − δ),
/// over the half and the ball's square.
///
/// In this order: the ball's square gets the symbol of its neighbour; then the outermost square of
/// each odd group of empty squares becomes a stone; then the sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Generalized {
    /// The sum before the current group of empty squares.
    sum: u32,
    /// The number of squares of that group so far.
    group: u32,
    /// True if the last square read has a stone.
    stone: bool,
}

impl Generalized {
    /// Returns the sum with a group of `group` squares; if the number is odd, the outermost counts
    /// as a stone.
    fn sum_after_group(self, group: u32) -> u32 {
        match group % 2 {
            0 => self.sum + group,
            _ => self.sum.saturating_sub(1) + group - 1,
        }
    }
}

impl HalfAutomaton for Generalized {
    type Value = u32;

    const START: Generalized = Generalized {
        sum: 0,
        group: 0,
        stone: false,
    };

    fn step(self, stone: bool) -> Generalized {
        if stone {
            Generalized {
                sum: self.sum_after_group(self.group).saturating_sub(1),
                group: 0,
                stone,
            }
        } else {
            Generalized {
                group: self.group + 1,
                stone,
                ..self
            }
        }
    }

    fn value(self) -> u32 {
        let (bsum, psum) = if self.stone {
            (self.sum.saturating_sub(1), self.sum)
        } else {
            // The ball's square extends the group by one. A group of two or more ends with an empty
            // square.
            let bsum = self.sum_after_group(self.group + 1);
            (bsum, bsum.wrapping_sub(1))
        };
        bsum / 4 + u32::from(bsum != psum)
    }
}

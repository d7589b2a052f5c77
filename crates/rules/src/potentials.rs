//! The two potentials of Grossman & Nowakowski, *One-Dimensional Phutball*: [`oddish`] (§2) decides
//! Oddish Phutball (GN Theorem 1); [`generalized`] (§3) almost decides the strip.
//!
//! Both are sums over a half strip from the goal line to the ball: +1 for an empty square, −1 for a
//! stone, but never below 0. A player's own half is the one towards the goal that the player
//! attacks.

use super::Half;
use super::strip::Halves;
use crate::oddish::Oddish;
use phutbase_base::outcome::Side;
use std::cmp::Ordering;

/// Returns Left's and Right's generalized potential of a strip.
pub fn of_strip(strip: &impl Halves) -> (u32, u32) {
    let potential = |goal| {
        let squares = strip.towards(goal);
        squares.fold(Reading::default(), Reading::read).potential()
    };
    (potential(Side::Left), potential(Side::Right))
}

/// Returns the winner that the generalized potential predicts.
pub fn predicted_winner(strip: &impl Halves) -> Side {
    winner(of_strip(strip), strip.side())
}

/// Returns Left's and Right's potential of an Oddish position.
pub fn of_oddish(position: &Oddish) -> (u8, u8) {
    let (stones, gap) = (position.stones().into(), position.gap());
    let right = Half::right_of(stones, gap, position.squares());
    (oddish(right), oddish(Half::left_of(stones, gap)))
}

/// Returns the winner of Oddish Phutball by GN Theorem 1.
pub fn oddish_winner(position: &Oddish) -> Side {
    winner(of_oddish(position), position.side())
}

/// Returns the winner that the potentials of Left and Right predict: the lower one, or the mover if
/// they are equal.
pub fn winner<P: Ord>((left, right): (P, P), mover: Side) -> Side {
    match left.cmp(&right) {
        Ordering::Less => Side::Left,
        Ordering::Greater => Side::Right,
        Ordering::Equal => mover,
    }
}

/// Returns the potential of Oddish Phutball (§2): ⌊bsum/2⌋ + (1 − δ), where δ = 1 if bsum = psum.
///
/// It is the number of stones that the player must still place before a jump wins.
pub fn oddish(half: Half) -> u8 {
    // The sum from the goal line to the ball, and the sum without the last square.
    let (mut bsum, mut psum) = (0u32, 0);
    for square in (0..half.length()).rev() {
        psum = bsum;
        bsum = if half.stone(square) {
            bsum.saturating_sub(1)
        } else {
            bsum + 1
        };
    }
    (bsum / 2) as u8 + u8::from(bsum != psum)
}

/// Returns the generalized potential (§3), for the strip: ⌊bsum/4⌋ + (1 − δ), over the half and the
/// ball's square.
///
/// In this order: the ball's square gets the symbol of its neighbour; then the outermost square of
/// each odd group of empty squares becomes a stone; then the sum.
pub fn generalized(half: Half) -> u8 {
    let squares = (0..half.length()).rev().map(|square| half.stone(square));
    squares.fold(Reading::default(), Reading::read).potential() as u8
}

/// The state of the automaton that computes the generalized potential from the goal line inward.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Reading {
    /// The sum before the current group of empty squares.
    sum: u32,
    /// The number of squares of that group so far.
    group: u32,
    /// True if the last square read has a stone.
    stone: bool,
}

impl Reading {
    /// Reads one more square.
    pub fn read(self, stone: bool) -> Reading {
        if stone {
            Reading {
                sum: self.sum_after_group(self.group).saturating_sub(1),
                group: 0,
                stone,
            }
        } else {
            Reading {
                group: self.group + 1,
                stone,
                ..self
            }
        }
    }

    /// Returns the sum with a group of `group` squares; if the number is odd, the outermost counts
    /// as a stone.
    fn sum_after_group(self, group: u32) -> u32 {
        match group % 2 {
            0 => self.sum + group,
            _ => self.sum.saturating_sub(1) + group - 1,
        }
    }

    /// Returns the potential of the squares read.
    pub fn potential(self) -> u32 {
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

//! The two potentials of Grossman & Nowakowski, *One-Dimensional Phutball*: [`oddish`] (§2) decides
//! Oddish Phutball (Theorem 1); [`generalized`] (§3) almost decides the strip.
//!
//! Both are sums over a half board from the goal line to the ball: +1 for an empty square, −1 for a
//! stone, but never below 0. A player's own half is the one towards the goal that the player
//! attacks.

use super::{Half, Strip};
use crate::games::oddish::Oddish;
use crate::outcome::Side;
use std::cmp::Ordering;

/// Returns Left's and Right's generalized potential of a strip.
pub fn of_strip(strip: &Strip) -> (u8, u8) {
    let (pattern, ball) = (strip.pattern(), strip.ball());
    let right = Half::right_of(pattern, ball, strip.length() - 1);
    (generalized(right), generalized(Half::left_of(pattern, ball)))
}

/// Returns the winner that the generalized potential predicts.
pub fn predicted_winner(strip: &Strip) -> Side {
    winner(of_strip(strip), strip.side())
}

/// Returns Left's and Right's potential of an Oddish position.
pub fn of_oddish(position: &Oddish) -> (u8, u8) {
    let (stones, gap) = (position.stones().into(), position.gap());
    let right = Half::right_of(stones, gap, position.squares());
    (oddish(right), oddish(Half::left_of(stones, gap)))
}

/// Returns the winner of Oddish Phutball by Theorem 1.
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

/// Returns the sum over squares from the goal line to the ball, and the sum without the last of
/// them: (bsum, psum).
fn sums(symbols: impl Iterator<Item = bool>) -> (u32, u32) {
    symbols.fold((0, 0), |(sum, _), stone| {
        let next = if stone { sum.saturating_sub(1) } else { sum + 1 };
        (next, sum)
    })
}

/// Returns the potential of Oddish Phutball (§2): ⌊bsum/2⌋ + (1 − δ), where δ = 1 if bsum = psum.
///
/// It is the number of stones that the player must still place before a jump wins.
pub fn oddish(half: Half) -> u8 {
    let (bsum, psum) = sums((0..half.length()).rev().map(|square| half.stone(square)));
    (bsum / 2) as u8 + u8::from(bsum != psum)
}

/// Returns the generalized potential (§3), for the strip: ⌊bsum/4⌋ + (1 − δ), over the half and the
/// ball's square.
///
/// In this order: the ball's square gets the symbol of its neighbour; then the outermost square of
/// each odd group of empty squares becomes a stone; then the sum.
pub fn generalized(half: Half) -> u8 {
    let (bsum, psum) = generalized_sums(half);
    (bsum / 4) as u8 + u8::from(bsum != psum)
}

/// Returns the sums of the generalized potential with and without the ball's square: bsum, psum.
pub fn generalized_sums(half: Half) -> (u32, u32) {
    // Square 0 is the ball's.
    let stones = half.stones() << 1 | half.stones() & 1;
    let (mut bsum, mut psum) = (0u32, 0);
    // Size of the group of empty squares that contains `square`; 0 outside of groups.
    let mut group = 0;
    for square in (0..=half.length()).rev() {
        let empty = stones >> square & 1 == 0;
        let begins = empty && group == 0;
        if begins {
            // Count the squares inward up to the next stone or the ball.
            group = (!(stones << (127 - square)))
                .leading_ones()
                .min(square as u32 + 1);
        }
        psum = bsum;
        bsum = if !empty || (begins && group % 2 == 1) {
            bsum.saturating_sub(1)
        } else {
            bsum + 1
        };
        if !empty {
            group = 0;
        }
    }
    (bsum, psum)
}

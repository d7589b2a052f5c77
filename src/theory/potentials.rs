//! The two potentials of Grossman & Nowakowski, *One-Dimensional Phutball*: [`oddish`] (§2) decides Oddish Phutball
//! (Theorem 1); [`generalized`] (§3) almost decides the strip.
//!
//! Both are sums over a half board from the goal line to the ball: +1 for an empty square, −1 for a stone, but never
//! below 0. A player's own half is the one that lies towards the goal attacked.

use super::half::Half;
use crate::outcome::Side;
use std::cmp::Ordering;

/// The winner that the potentials of Left and Right predict: the lower one, or the mover if they are equal.
pub fn winner((left, right): (u8, u8), mover: Side) -> Side {
    match left.cmp(&right) {
        Ordering::Less => Side::Left,
        Ordering::Greater => Side::Right,
        Ordering::Equal => mover,
    }
}

/// The sum over squares from the goal line to the ball, and the sum without the last of them: (bsum, psum).
fn sums(symbols: impl Iterator<Item = bool>) -> (u32, u32) {
    symbols.fold((0, 0), |(sum, _), stone| {
        let next = if stone { sum.saturating_sub(1) } else { sum + 1 };
        (next, sum)
    })
}

/// The potential of Oddish Phutball (§2): ⌊bsum/2⌋ + (1 − δ), where δ = 1 if bsum = psum.
///
/// It is the number of stones that the player must still place before a jump wins.
pub fn oddish(half: Half) -> u8 {
    let (bsum, psum) = sums((0..half.length()).rev().map(|square| half.stone(square)));
    (bsum / 2) as u8 + u8::from(bsum != psum)
}

/// The generalized potential (§3), for the strip: ⌊bsum/4⌋ + (1 − δ), over the half and the ball's square.
///
/// In this order: the ball's square gets the symbol of its neighbour; then the outermost square of each odd group of
/// empty squares becomes a stone; then the sum.
pub fn generalized(half: Half) -> u8 {
    let (bsum, psum) = generalized_sums(half);
    (bsum / 4) as u8 + u8::from(bsum != psum)
}

/// The sums of the generalized potential with and without the ball's square: bsum, psum.
pub fn generalized_sums(half: Half) -> (u32, u32) {
    // Square 0 is the ball's.
    let stones = half.stones() << 1 | half.stones() & 1;
    let (mut bsum, mut psum) = (0u32, 0);
    // The size of the group of empty squares that `square` begins, seen from outside; 0 outside of groups.
    let mut group = 0;
    for square in (0..=half.length()).rev() {
        let empty = stones >> square & 1 == 0;
        let begins = empty && group == 0;
        if begins {
            // The squares further in, up to the next stone or the ball's.
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

//! How often the mover wins on ever longer strips: an estimate from exact counts.
//!
//! Let W(n) be the wins of length n divided by 2^(n−1), the arrangements of stones: the share of wins summed over the ball's squares.
//! If far from both ends of the strip the share no longer depends on where the ball stands, W(n) grows by this share, L, with every
//! square, but for what the ends do; then wins / positions = W(n) / (n − 2) goes to L like 1/n, and far too slowly to be seen.
//! W itself shows L much earlier. Its growth per square, taken over [`STRIDE`] squares so that the strip's rhythm of four squares
//! cancels out, comes near its limit by a nearly constant factor, and Aitken's Δ² takes such a limit from three values.
//!
//! Nothing of this is proved: the counts are exact, their limit is an estimate. The same estimate without the longest strips says how
//! much it still moves, and that is given as its error; it is no bound.

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use std::collections::BTreeMap;

/// Squares between the lengths that are compared.
pub const STRIDE: usize = 8;

/// The share of wins in the limit, as far as it can be told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// The longest length that was used; the others are 8, 16 and 24 squares shorter.
    pub length: usize,
    /// The estimated limit of wins / positions.
    pub share: f64,
    /// The same without the longest length, and the one 32 squares shorter instead.
    pub share_before: f64,
    /// The growth of W per square, over the last 8 squares.
    pub growth: f64,
    /// The factor by which the growth comes nearer to its limit with every square.
    pub decay: f64,
}

impl Limit {
    /// The estimated limit of wins / losses.
    pub fn ratio(&self) -> f64 {
        self.share / (1.0 - self.share)
    }

    /// How much the ratio moved when the longest length was added.
    pub fn error(&self) -> f64 {
        (self.ratio() - self.share_before / (1.0 - self.share_before)).abs()
    }
}

/// The limit from the wins of some lengths; `None` if there are no five lengths, each 8 squares longer than the one before, that
/// behave as the head of this module says.
pub fn estimate(wins: &BTreeMap<usize, BigUint>) -> Option<Limit> {
    wins.keys().rev().find_map(|&length| {
        let (share, growth, decay) = aitken(wins, length)?;
        let (share_before, ..) = aitken(wins, length.checked_sub(STRIDE)?)?;
        Some(Limit {
            length,
            share,
            share_before,
            growth,
            decay,
        })
    })
}

/// Limit, last growth and factor per square from four lengths, of which `length` is the longest.
fn aitken(wins: &BTreeMap<usize, BigUint>, length: usize) -> Option<(f64, f64, f64)> {
    let summed = |back: usize| {
        let length = length.checked_sub(back * STRIDE)?;
        Some(wins.get(&length)?.to_f64()? / 2f64.powi(length as i32 - 1))
    };
    let summed = [summed(3)?, summed(2)?, summed(1)?, summed(0)?];
    let growth = [0, 1, 2].map(|place| (summed[place + 1] - summed[place]) / STRIDE as f64);
    let steps = [growth[1] - growth[0], growth[2] - growth[1]];
    let factor = steps[1] / steps[0];
    (0.0 < factor && factor < 1.0).then(|| {
        let share = growth[2] + steps[1] * factor / (1.0 - factor);
        (share, growth[2], factor.powf(1.0 / STRIDE as f64))
    })
}

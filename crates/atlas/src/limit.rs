//! The limit of the share of wins on long strips, estimated from exact counts.
//!
//! Let W(n) be the wins of length n divided by 2^(n−1), the number of arrangements of stones: the
//! share of wins summed over the ball's squares. If far from both ends this share, L, does not
//! depend on the ball's square, W(n) grows by L per square, up to end effects. Then wins /
//! positions = W(n) / (n − 2) approaches L like 1/n, which is too slow to observe. The growth of W
//! per square, over [`STRIDE`] squares to cancel the strip's period of four, approaches its limit
//! by a nearly constant factor, and Aitken's Δ² estimates that limit from three values.
//!
//! The counts are exact; their limit is an estimate without proof. The change of the estimate when
//! the longest strips are added is given as its error, which is no bound.

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use std::collections::BTreeMap;

/// Distance between the compared lengths, in squares.
pub const STRIDE: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// The longest length used; the others are 8, 16 and 24 squares shorter.
    pub length: usize,
    pub share: f64,
    /// The estimate from lengths 8 squares shorter.
    pub share_before: f64,
    /// The growth of W per square, over the last 8 squares.
    pub growth: f64,
    /// The factor per square by which the growth approaches its limit.
    pub decay: f64,
}

impl Limit {
    pub fn ratio(&self) -> f64 {
        self.share / (1.0 - self.share)
    }

    /// Returns the change of the ratio when the longest length was added.
    pub fn error(&self) -> f64 {
        (self.ratio() - self.share_before / (1.0 - self.share_before)).abs()
    }
}

/// Estimates the limit from the wins by length; `None` without five lengths, 8 squares apart, that
/// satisfy the module's assumptions.
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

/// Returns limit, last growth and factor per square from four lengths, the longest being `length`.
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

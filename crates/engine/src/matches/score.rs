//! The score of a match, and the estimated strength of the engines.
//!
//! Both games of an opening form one sample, because the opening may decide both. Error bars and
//! the test are therefore computed from the points of pairs. Games that repeat are no new sample.

use super::play::Played;
use serde::Serialize;
use std::collections::HashSet;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

/// Half-width of a 95 % error bar, in standard deviations.
const DEVIATIONS: f64 = 1.959_964;
/// Stands for the count of a kind of pair that has not occurred, as in fishtest: a distribution
/// without a kind on one side of a share cannot have that share.
const UNSEEN: f64 = 1e-3;
/// The shares of the points for the five kinds of pairs.
const SHARES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MatchScore {
    pub wins: usize,
    pub losses: usize,
    pub draws: usize,
    /// Games lost by a fault, for each engine.
    pub failed: [usize; 2],
    /// Games with the opening, the colours, the turns and the result of an earlier game.
    pub repeated: usize,
    /// Finished pairs, by the half points of the first engine: 0 to 4. Pairs of two repeated games
    /// are left out.
    pub pairs: [usize; 5],
    /// Half points in the first game of an unfinished pair, and true if it is repeated.
    #[serde(skip)]
    open: (usize, bool),
    /// Hashes of the games so far.
    #[serde(skip)]
    seen: HashSet<u64>,
}

/// A sequential probability ratio test: the first engine is stronger by `elo1` (H1) or `elo0` (H0).
/// Elo is logistic: the share of the points is 1 / (1 + 10^(-Elo / 400)).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    pub elo0: f64,
    pub elo1: f64,
    /// Probability of accepting H1 although H0 holds.
    pub alpha: f64,
    /// Probability of accepting H0 although H1 holds.
    pub beta: f64,
}

impl MatchScore {
    /// Counts a game; games must come in the order of their numbers.
    pub fn add(&mut self, game: &Played) {
        let half_points = match game.ending.winner {
            Some(0) => 2,
            Some(_) => 0,
            None => 1,
        };
        match half_points {
            2 => self.wins += 1,
            1 => self.draws += 1,
            _ => self.losses += 1,
        }
        if let (Some(winner), Some(_)) = (game.ending.winner, &game.ending.fault) {
            self.failed[1 - winner] += 1;
        }
        let turns: Vec<&str> = game.turns.iter().map(|made| &*made.turn).collect();
        let played = (&game.opening.position, game.first, turns, game.ending.winner);
        let is_repeated = !self
            .seen
            .insert(BuildHasherDefault::<DefaultHasher>::default().hash_one(played));
        self.repeated += usize::from(is_repeated);
        let (earlier, is_earlier_repeated) = self.open;
        if game.number.is_multiple_of(2) {
            self.open = (half_points, is_repeated);
        } else if !(is_repeated && is_earlier_repeated) {
            self.pairs[earlier + half_points] += 1;
        }
    }

    pub fn games(&self) -> usize {
        self.wins + self.losses + self.draws
    }

    /// Returns the share of the points, from 0 to 1; `None` before the first game.
    pub fn share(&self) -> Option<f64> {
        let half_points = 2 * self.wins + self.draws;
        (self.games() > 0).then(|| half_points as f64 / (2 * self.games()) as f64)
    }

    /// Returns the Elo difference, infinite for 0 or 100 %; `None` before the first pair.
    pub fn elo(&self) -> Option<f64> {
        let (pairs, mean, _) = moments(self.pairs.map(|count| count as f64));
        (pairs > 0.0).then(|| elo_of(mean))
    }

    /// Returns the 95 % error bars; `None` before the second pair, or if all pairs ended alike.
    pub fn error_bars(&self) -> Option<[f64; 2]> {
        let [mean, deviation] = self.mean()?;
        let reach = DEVIATIONS * deviation;
        Some([mean - reach, mean + reach].map(|share| elo_of(share.clamp(0.0, 1.0))))
    }

    /// Returns the likelihood of superiority: the probability that the first engine is stronger, if the
    /// mean of the pairs is normally distributed. `None` as for [`error_bars`](MatchScore::error_bars).
    pub fn los(&self) -> Option<f64> {
        let [mean, deviation] = self.mean()?;
        Some(normal((mean - 0.5) / deviation))
    }

    /// Returns the mean share of the pairs, and its standard deviation.
    fn mean(&self) -> Option<[f64; 2]> {
        let (pairs, mean, variance) = moments(self.pairs.map(|count| count as f64));
        let is_known = pairs >= 2.0 && variance > 0.0;
        is_known.then(|| [mean, (variance / (pairs - 1.0)).sqrt()])
    }

    /// Returns the generalized log-likelihood ratio of H1 to H0: of the likeliest distributions of
    /// pairs with the shares of the hypotheses (Van den Bergh, *Normalized Elo*; fishtest computes
    /// the same).
    pub fn llr(&self, sprt: &Sprt) -> f64 {
        let pairs = self
            .pairs
            .map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let [tilt0, tilt1] = [sprt.elo0, sprt.elo1].map(|elo| Tilt::of(&pairs, share_of(elo)));
        let terms = pairs.iter().zip(SHARES);
        terms
            .map(|(count, share)| count * (tilt0.divisor(share) / tilt1.divisor(share)).ln())
            .sum()
    }
}

/// The likeliest distribution of pairs with a given mean share: it divides each observed frequency
/// by `1 + multiplier * (share - mean)`.
struct Tilt {
    mean: f64,
    multiplier: f64,
}

impl Tilt {
    /// Finds the multiplier by bisection; the mean of the divided frequencies falls with it.
    /// `pairs` are positive, and `mean` is strictly between 0 and 1.
    fn of(pairs: &[f64; 5], mean: f64) -> Tilt {
        // The divisors of the shares 0 and 1 vanish at the ends.
        let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
        loop {
            let multiplier = low.midpoint(high);
            let tilt = Tilt { mean, multiplier };
            if multiplier <= low || multiplier >= high {
                return tilt;
            }
            let terms = pairs.iter().zip(SHARES);
            let excess = terms.map(|(count, share)| count * (share - mean) / tilt.divisor(share));
            if excess.sum::<f64>() > 0.0 {
                low = multiplier;
            } else {
                high = multiplier;
            }
        }
    }

    fn divisor(&self, share: f64) -> f64 {
        1.0 + self.multiplier * (share - self.mean)
    }
}

impl Sprt {
    /// Returns the bounds: H0 is accepted at or below the first, H1 at or above the second.
    pub fn bounds(&self) -> [f64; 2] {
        [
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        ]
    }

    /// Returns `Some(true)` if H1 is accepted, `Some(false)` for H0, `None` if undecided.
    pub fn verdict(&self, score: &MatchScore) -> Option<bool> {
        let [low, high] = self.bounds();
        let llr = score.llr(self);
        (llr >= high || llr <= low).then_some(llr >= high)
    }
}

/// Returns the number of pairs, and the mean and variance of their shares.
fn moments(pairs: [f64; 5]) -> (f64, f64, f64) {
    let total: f64 = pairs.iter().sum();
    let average = |of: &dyn Fn(f64) -> f64| {
        let shares = pairs.iter().zip(SHARES);
        shares.map(|(count, share)| count * of(share)).sum::<f64>() / total
    };
    let mean = average(&|share| share);
    (total, mean, average(&|share| (share - mean).powi(2)))
}

/// Returns the distribution function of the standard normal distribution.
fn normal(x: f64) -> f64 {
    libm::erfc(-x / std::f64::consts::SQRT_2) / 2.0
}

fn elo_of(share: f64) -> f64 {
    400.0 * (share / (1.0 - share)).log10()
}

fn share_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

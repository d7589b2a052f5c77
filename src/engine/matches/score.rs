//! The score of a match, and the estimated strength of the engines.
//!
//! Both games of an opening form one sample, because the opening may decide both. Error bars and
//! the test are therefore computed from the points of pairs.

use super::play::Played;
use serde::Serialize;

/// Half-width of a 95 % error bar, in standard deviations.
const DEVIATIONS: f64 = 1.959_964;
/// Added to the count of every kind of pair, so that the variance of equal pairs is not zero.
const PRIOR: f64 = 1e-3;

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Score {
    pub wins: usize,
    pub losses: usize,
    pub draws: usize,
    /// Games lost by a fault, for each engine.
    pub faults: [usize; 2],
    /// Finished pairs, by the half points of the first engine: 0 to 4.
    pub pairs: [usize; 5],
    /// Half points in the first game of an unfinished pair.
    #[serde(skip)]
    open: usize,
}

/// A sequential probability ratio test: the first engine is stronger by `elo1` (H1) or `elo0` (H0).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    pub elo0: f64,
    pub elo1: f64,
    /// Probability of accepting H1 although H0 holds.
    pub alpha: f64,
    /// Probability of accepting H0 although H1 holds.
    pub beta: f64,
}

impl Score {
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
            self.faults[1 - winner] += 1;
        }
        match game.number % 2 {
            0 => self.open = half_points,
            _ => self.pairs[self.open + half_points] += 1,
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

    /// Returns the Elo difference, infinite for 0 or 100 %; `None` before the first game.
    pub fn elo(&self) -> Option<f64> {
        self.share().map(elo_of)
    }

    /// Returns the 95 % error bars; `None` before the second pair, or if all pairs ended alike.
    pub fn error_bars(&self) -> Option<[f64; 2]> {
        let (pairs, mean, variance) = moments(self.pairs.map(|count| count as f64));
        if pairs < 2.0 || variance <= 0.0 {
            return None;
        }
        let reach = DEVIATIONS * (variance / (pairs - 1.0)).sqrt();
        Some([mean - reach, mean + reach].map(|share| elo_of(share.clamp(0.0, 1.0))))
    }

    /// Returns the log-likelihood ratio of H1 to H0, in the normal approximation for pairs.
    pub fn llr(&self, sprt: &Sprt) -> f64 {
        let (pairs, mean, variance) = moments(self.pairs.map(|count| count as f64 + PRIOR));
        let [share0, share1] = [sprt.elo0, sprt.elo1].map(share_of);
        pairs * (share1 - share0) * (2.0 * mean - share0 - share1) / (2.0 * variance)
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
    pub fn verdict(&self, score: &Score) -> Option<bool> {
        let [low, high] = self.bounds();
        let llr = score.llr(self);
        (llr >= high || llr <= low).then_some(llr >= high)
    }
}

/// Returns the number of pairs, and the mean and variance of their shares.
fn moments(pairs: [f64; 5]) -> (f64, f64, f64) {
    let total: f64 = pairs.iter().sum();
    let average = |of: &dyn Fn(f64) -> f64| {
        let shares = pairs.iter().zip([0.0, 0.25, 0.5, 0.75, 1.0]);
        shares.map(|(count, share)| count * of(share)).sum::<f64>() / total
    };
    let mean = average(&|share| share);
    (total, mean, average(&|share| (share - mean).powi(2)))
}

fn elo_of(share: f64) -> f64 {
    -400.0 * (1.0 / share - 1.0).log10()
}

fn share_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

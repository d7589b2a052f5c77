//! The score of a match, and the estimated strength of the engines.
//!
//! Both games of an opening form one sample, because the opening may decide both. Error bars and
//! the test are therefore computed from the points of pairs. Games that repeat are no new sample.

use super::play::Played;
use phutbase_base::outcome::words;
use serde::Serialize;
use std::array;
use std::collections::HashSet;
use std::f64::consts::{LN_10, SQRT_2};
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
    /// Turns with a false score or line, for each engine.
    pub false_claims: [usize; 2],
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
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    pub model: EloModel,
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
        if let Some(winner) = game.ending.winner.filter(|_| game.ending.is_fault()) {
            self.failed[1 - winner] += 1;
        }
        for (engine, ..) in game.false_claims() {
            self.false_claims[engine] += 1;
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

    /// Adds the score of another match of the first engine. With `is_second` it was the second there.
    pub fn join(&mut self, other: &MatchScore, is_second: bool) {
        let (mut wins, mut losses) = (other.wins, other.losses);
        let (mut failed, mut claims, mut pairs) = (other.failed, other.false_claims, other.pairs);
        if is_second {
            std::mem::swap(&mut wins, &mut losses);
            failed.reverse();
            claims.reverse();
            pairs.reverse();
        }
        self.wins += wins;
        self.losses += losses;
        self.draws += other.draws;
        self.repeated += other.repeated;
        for engine in 0..2 {
            self.failed[engine] += failed[engine];
            self.false_claims[engine] += claims[engine];
        }
        (self.pairs.iter_mut().zip(pairs)).for_each(|(sum, count)| *sum += count);
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
    /// pairs with the Elo of the hypotheses (Van den Bergh, *Normalized Elo*; fishtest computes the
    /// same).
    pub fn llr(&self, sprt: &Sprt) -> f64 {
        let pairs = self
            .pairs
            .map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let [one, other] = [sprt.elo0, sprt.elo1].map(|elo| sprt.model.likeliest(&pairs, elo));
        let terms = pairs.iter().zip(one.iter().zip(other));
        terms.map(|(count, (p0, p1))| count * (p1 / p0).ln()).sum()
    }
}

/// The meaning of Elo in a test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EloModel {
    /// The share of the points is 1 / (1 + 10^(-Elo / 400)).
    #[default]
    Logistic,
    /// Elo is 800 / ln 10 · (μ − ½) / (√2 σ), with the mean μ and the variance σ² of the points of pairs:
    /// equal differences need matches of equal length, however many pairs end 1:1.
    Normalized,
}

words!(EloModel: Logistic = "logistic", Normalized = "normalized");

impl EloModel {
    /// Returns the likeliest distribution of pairs with this Elo. `pairs` are positive.
    fn likeliest(self, pairs: &[f64; 5], elo: f64) -> [f64; 5] {
        if self == EloModel::Logistic {
            let share = share_of(elo);
            return tilted(pairs, SHARES.map(|kind| kind - share)).expect("shares lie on both sides of one");
        }
        let deviations = elo * LN_10 / 800.0 * SQRT_2;
        let mut found = [0.2; 5];
        for _ in 0..MAX_STEPS {
            let (_, mean, variance) = moments(found);
            let deviation = variance.sqrt();
            // μ − ½ − deviations · σ, as a linear function of the distribution near the one found.
            let bound =
                |kind: f64| deviations * deviation * (1.0 + ((kind - mean) / deviation).powi(2)) / 2.0;
            let Some(next) = tilted(pairs, SHARES.map(|kind| kind - 0.5 - bound(kind))) else {
                break;
            };
            let change = found.iter().zip(next).map(|(old, new)| (old - new).abs());
            let is_steady = change.sum::<f64>() < STEADY;
            found = next;
            if is_steady {
                break;
            }
        }
        found
    }
}

/// The most steps to a distribution with a normalized Elo, and the change below which there is no other.
const MAX_STEPS: usize = 20;
const STEADY: f64 = 1e-9;

/// Returns the likeliest distribution of pairs in which this excess has the mean 0: it divides each
/// frequency by `1 + multiplier · excess`, with the multiplier that bisection finds. `None` if no
/// distribution has it.
fn tilted(pairs: &[f64; 5], excess: [f64; 5]) -> Option<[f64; 5]> {
    let total: f64 = pairs.iter().sum();
    let most = excess.iter().copied().fold(f64::MIN, f64::max);
    let least = excess.iter().copied().fold(f64::MAX, f64::min);
    if least >= 0.0 || most <= 0.0 {
        return None;
    }
    // The divisors of the greatest and least excess vanish at the ends.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    loop {
        let multiplier = low.midpoint(high);
        let divided = |kind: usize| pairs[kind] / total / (1.0 + multiplier * excess[kind]);
        if multiplier <= low || multiplier >= high {
            return Some(array::from_fn(divided));
        }
        let mean: f64 = (0..5).map(|kind| divided(kind) * excess[kind]).sum();
        if mean > 0.0 {
            low = multiplier;
        } else {
            high = multiplier;
        }
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
    libm::erfc(-x / SQRT_2) / 2.0
}

fn elo_of(share: f64) -> f64 {
    400.0 * (share / (1.0 - share)).log10()
}

fn share_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

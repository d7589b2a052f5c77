//! Numbers of wins, exact.
//!
//! The words of a length are counted by their states, then by their values; the wins of a strip are
//! products of the counts of its two halves. There are about n³/60 states of words of up to n
//! squares, so the work is polynomial.

use crate::half::HalfState;
use crate::rule::{Kind, Value, wins};
use ethnum::U256;
use hashbrown::HashMap;
use num_bigint::BigUint;
use phutbase_base::job::{Job, Stopped};
use std::collections::BTreeMap;
use std::hash::Hash;
use std::ops::RangeInclusive;

/// Greatest length whose words are counted: their numbers fit in 256 bits.
pub const MAX_LENGTH: usize = 256;

/// Numbers of words of each length, by value.
pub struct Counts {
    /// By length, from 0 on.
    words: Vec<BTreeMap<Value, U256>>,
}

impl Counts {
    /// Counts the words of up to `length − 2` squares, for strips of at most this length. 250 squares
    /// take some seconds and 100 MB.
    ///
    /// # Errors
    /// The job was stopped.
    ///
    /// # Panics
    /// If the length is greater than [`MAX_LENGTH`].
    pub fn up_to(length: usize, job: &Job) -> Result<Counts, Stopped> {
        assert!(length <= MAX_LENGTH, "words of at most 254 squares");
        let longest = length.saturating_sub(2);
        let words = words_by_value(longest, HalfState::EMPTY, HalfState::step, HalfState::value, job)?;
        Ok(Counts { words })
    }

    /// Returns the lengths of strips whose wins are known.
    pub fn lengths(&self) -> RangeInclusive<usize> {
        3..=self.words.len() + 1
    }

    /// Counts the positions that Left wins, with Left to move and the ball on a square.
    ///
    /// # Panics
    /// If the length is not in [`lengths`](Counts::lengths) or the ball not between the goal lines.
    pub fn wins_by_ball(&self, length: usize, ball: usize) -> U256 {
        let (behind, ahead) = (&self.words[ball], &self.words[length - 1 - ball]);
        // For each potential, the words ahead by type, and the words with a smaller one.
        let most = ahead.keys().map(|value| value.potential).max().unwrap_or(0);
        let mut kinds = vec![[U256::ZERO; Kind::ALL.len()]; most as usize + 1];
        for (value, &count) in ahead {
            kinds[value.potential as usize][value.kind as usize] += count;
        }
        let mut below = vec![U256::ZERO];
        for kinds in &kinds {
            below.push(below[below.len() - 1] + kinds.iter().sum::<U256>());
        }
        let mut sum = U256::ZERO;
        for (&g, &count) in behind {
            // A lead of 1 or more wins, and none of −2 or less.
            let mut won = below[(g.potential as usize).min(below.len() - 1)];
            for potential in g.potential..=g.potential + 1 {
                let Some(kinds) = kinds.get(potential as usize) else {
                    continue;
                };
                for (kind, &count) in Kind::ALL.into_iter().zip(kinds) {
                    if wins(g, Value { potential, kind }) {
                        won += count;
                    }
                }
            }
            sum += count * won;
        }
        sum
    }

    /// Counts the positions of a length that Left wins, with Left to move.
    ///
    /// # Panics
    /// If the length is not in [`lengths`](Counts::lengths).
    pub fn wins(&self, length: usize) -> BigUint {
        let balls = 1..length - 1;
        let count = |ball| BigUint::from_bytes_le(&self.wins_by_ball(length, ball).to_le_bytes());
        balls.map(count).sum()
    }

    /// Counts the words of a length by value.
    ///
    /// # Panics
    /// If the length is not counted.
    pub fn words(&self, length: usize) -> &BTreeMap<Value, U256> {
        &self.words[length]
    }
}

/// Counts the words of each length up to `longest` by value, from the states that they lead to.
///
/// # Errors
/// The job was stopped.
pub fn words_by_value<S: Copy + Eq + Hash, V: Ord>(
    longest: usize,
    start: S,
    step: impl Fn(S, bool) -> S,
    value: impl Fn(S) -> V,
    job: &Job,
) -> Result<Vec<BTreeMap<V, U256>>, Stopped> {
    let mut words = vec![BTreeMap::from([(value(start), U256::ONE)])];
    let mut states = vec![(start, U256::ONE)];
    for _ in 0..longest {
        job.check()?;
        let mut next: HashMap<S, U256> = HashMap::with_capacity(states.len() * 5 / 4);
        for &(state, count) in &states {
            for stone in [false, true] {
                *next.entry(step(state, stone)).or_insert(U256::ZERO) += count;
            }
        }
        states.clear();
        states.extend(next);
        let mut values = BTreeMap::new();
        for &(state, count) in &states {
            *values.entry(value(state)).or_insert(U256::ZERO) += count;
        }
        words.push(values);
    }
    Ok(words)
}

/// Number of squares after which the distribution of states has converged to the precision of a float.
const SETTLED: usize = 480;
/// Shares of states below this are dropped.
const NEGLIGIBLE: f64 = 1e-18;

/// Returns the limit of the share of wins for the player to move on long strips: the probability that he
/// wins with two long random words, from the stationary distribution of their values. It takes seconds.
///
/// # Errors
/// The job was stopped.
pub fn limit(job: &Job) -> Result<f64, Stopped> {
    let mut states = vec![(HalfState::EMPTY, 1.0f64)];
    for _ in 0..SETTLED {
        job.check()?;
        let mut next: HashMap<HalfState, f64> = HashMap::with_capacity(states.len() * 5 / 4);
        for &(half, share) in &states {
            for stone in [false, true] {
                *next.entry(half.step(stone)).or_default() += share / 2.0;
            }
        }
        next.retain(|_, share| *share > NEGLIGIBLE);
        states.clear();
        states.extend(next);
    }
    let mut shares: BTreeMap<Value, f64> = BTreeMap::new();
    for (half, share) in states {
        *shares.entry(half.value()).or_default() += share;
    }
    let won = |(&behind, one): (&Value, &f64)| {
        let ahead = shares.iter().filter(|&(&ahead, _)| wins(behind, ahead));
        one * ahead.map(|(_, other)| other).sum::<f64>()
    };
    Ok(shares.iter().map(won).sum())
}

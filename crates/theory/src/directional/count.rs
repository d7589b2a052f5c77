//! Counts of won positions of the directional game, exact for any length, and the limit of their
//! share.

use num_bigint::BigUint;
use num_traits::Zero;
use phutbase_solution::directional::automaton::PotentialState;
use std::collections::HashMap;
use std::ops::AddAssign;

/// Iterator over lengths from 1: the number of half strips by potential.
pub struct Halves {
    states: HashMap<PotentialState, BigUint>,
}

impl Default for Halves {
    fn default() -> Halves {
        Halves {
            states: HashMap::from([(PotentialState::HOME, 1u8.into())]),
        }
    }
}

impl Iterator for Halves {
    type Item = Vec<BigUint>;

    fn next(&mut self) -> Option<Vec<BigUint>> {
        self.states = longer(&self.states);
        Some(by_potential(&self.states))
    }
}

/// Returns the weights of the states after one more square, a stone or an empty one.
fn longer<W: Clone + Default + AddAssign>(states: &HashMap<PotentialState, W>) -> HashMap<PotentialState, W> {
    let mut longer: HashMap<PotentialState, W> = HashMap::with_capacity(2 * states.len());
    for (state, weight) in states {
        for stone in [false, true] {
            *longer.entry(state.step(stone)).or_default() += weight.clone();
        }
    }
    longer
}

fn by_potential<W: Clone + Default + AddAssign>(states: &HashMap<PotentialState, W>) -> Vec<W> {
    let mut weights: Vec<W> = Vec::new();
    for (state, weight) in states {
        let p = usize::try_from(state.potential()).expect("a potential is not negative");
        weights.resize(weights.len().max(p + 1), W::default());
        weights[p] += weight.clone();
    }
    weights
}

/// Returns the number of positions of a length, with Left to move, that Left wins; the others are
/// lost. `halves` has the counts of half strips of lengths 1 to `length` − 2.
pub fn wins(length: usize, halves: &[Vec<BigUint>]) -> BigUint {
    let mut wins = BigUint::zero();
    for ball in 1..=length - 2 {
        let (left, right) = (&halves[ball - 1], &halves[length - ball - 2]);
        // The left halves with at least the potential of the right half.
        let mut beaten: BigUint = left.iter().sum();
        for (p, count) in right.iter().enumerate() {
            wins += count * &beaten;
            beaten -= left.get(p).unwrap_or(&BigUint::ZERO);
        }
    }
    wins
}

/// Length at which the distribution of the potential has converged to the precision of a float.
const SETTLED: usize = 600;
/// Shares below this are dropped.
const NEGLIGIBLE: f64 = 1e-22;

/// Returns the limit of the share of wins for the player to move: the probability that of two long
/// random half strips the attacked one has at most the potential of the other.
pub fn limit() -> f64 {
    let mut states = HashMap::from([(PotentialState::HOME, 1.0f64)]);
    for _ in 0..SETTLED {
        states = longer(&states);
        states.values_mut().for_each(|share| *share /= 2.0);
        states.retain(|_, share| *share > NEGLIGIBLE);
    }
    let shares = by_potential(&states);
    // With equal distributions, equal potentials count as wins.
    let equal: f64 = shares.iter().map(|share| share * share).sum();
    (1.0 + equal) / 2.0
}

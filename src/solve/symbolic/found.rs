//! Solved levels.

use super::Totals;
use super::algebra::Algebra;
use super::closure::Pair;
use super::store::{Id, Store};
use crate::diagram::count::{count, size};
use num_bigint::BigUint;

/// Flattens pairs of sets.
pub(super) fn flat(pairs: &[Pair]) -> Vec<Id> {
    pairs.iter().flat_map(|pair| pair.sets()).collect()
}

/// Groups sets in pairs.
pub(super) fn pairs(sets: &[Id]) -> Vec<Pair> {
    let pairs = sets.as_chunks::<2>().0.iter();
    pairs.map(|&[left, right]| Pair::new(left, right)).collect()
}

/// The levels of a length: the boards that Left wins, with Left and with Right to move.
pub struct Levels {
    pub(super) algebra: Algebra,
    pub(super) levels: Vec<Pair>,
}

impl Levels {
    /// Returns the nodes.
    pub fn store(&self) -> &Store {
        self.algebra.store()
    }

    /// Returns the number of levels.
    pub fn count(&self) -> usize {
        self.levels.len()
    }

    /// Returns the sets of all levels, from level 0, Left and Right to move alternating.
    pub fn roots(&self) -> Vec<Id> {
        flat(&self.levels)
    }

    /// Returns all boards that Left wins (the last level), with Left and with Right to move.
    pub fn winners(&self) -> [Id; 2] {
        self.levels.last().copied().unwrap_or_default().sets()
    }

    /// Returns the totals with Left to move.
    pub fn totals(&self) -> Totals {
        let length = self.store().length();
        let positions = BigUint::from(length - 2) << (length - 1);
        let [wins, losses] = self.winners().map(|set| count(self.store(), set));
        let draws = positions - &wins - &losses;
        Totals { wins, losses, draws }
    }

    /// Returns the number of nodes of both sets of winners.
    pub fn nodes(&self) -> usize {
        size(self.store(), &self.winners())
    }
}

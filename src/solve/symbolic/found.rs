//! Solved levels, and initial guesses for longer strips made from them.

use super::Totals;
use super::algebra::Algebra;
use super::closure::Pair;
use super::portable::Portable;
use super::store::{Halt, Id, Store};
use crate::diagram::Diagram;
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

    /// Returns the sets of level 0, with Left and with Right to move.
    pub fn first(&self) -> [Id; 2] {
        self.levels.first().copied().unwrap_or_default().sets()
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

/// Returns the parts of a guess: the shorter strip's sets with the ball on the left and in the
/// middle, and those with the ball on the right, with the number of squares by which to shift them
/// to the right.
pub(super) fn halves<D: Diagram>(diagram: &D, level: [D::Ref; 2], length: usize) -> [(Portable, usize); 2] {
    let shorter = diagram.length();
    let (middle, shift) = ((length - 1) / 2, length - shorter);
    let near = Portable::with_balls(diagram, &level, 1..=middle.min(shorter - 2));
    let first = (middle + 1).saturating_sub(shift).max(1);
    let far = Portable::with_balls(diagram, &level, first..=shorter - 2);
    [(near, 0), (far, shift)]
}

/// Returns the guess: on the longer side of the ball, the outermost squares are unconstrained.
pub(super) fn joined(algebra: &Algebra, halves: &[(Portable, usize); 2]) -> Result<Pair, Halt> {
    let [near, far] = halves
        .each_ref()
        .map(|(half, shift)| half.make(algebra.store(), *shift));
    let (near, far) = (near?, far?);
    Ok(Pair::new(
        algebra.or(near[0], far[0])?,
        algebra.or(near[1], far[1])?,
    ))
}

//! Levels that were found, and the guess that they are for a longer strip.

use super::Totals;
use super::algebra::Algebra;
use super::closure::Pair;
use super::portable::Portable;
use super::store::{Halt, Id, Store};
use crate::diagram::Diagram;
use crate::diagram::count::{count, size};
use num_bigint::BigUint;

/// Sets, one by one.
pub(super) fn flat(pairs: &[Pair]) -> Vec<Id> {
    pairs.iter().flat_map(|pair| pair.sets()).collect()
}

/// Sets, two by two.
pub(super) fn pairs(sets: &[Id]) -> Vec<Pair> {
    let pairs = sets.as_chunks::<2>().0.iter();
    pairs.map(|&[left, right]| Pair::new(left, right)).collect()
}

/// The levels of a length, the boards that Left wins in each, Left to move and Right to move.
pub struct Levels {
    pub(super) algebra: Algebra,
    pub(super) levels: Vec<Pair>,
}

impl Levels {
    /// The nodes.
    pub fn store(&self) -> &Store {
        self.algebra.store()
    }

    /// The number of levels.
    pub fn count(&self) -> usize {
        self.levels.len()
    }

    /// The sets of all levels, from level 0, Left to move and Right to move in turn.
    pub fn roots(&self) -> Vec<Id> {
        flat(&self.levels)
    }

    /// The sets of level 0, Left to move and Right to move.
    pub fn first(&self) -> [Id; 2] {
        self.levels.first().copied().unwrap_or_default().sets()
    }

    /// All boards that Left wins, those of the last level: with Left to move and with Right to move.
    pub fn winners(&self) -> [Id; 2] {
        self.levels.last().copied().unwrap_or_default().sets()
    }

    /// Totals with Left to move.
    pub fn totals(&self) -> Totals {
        let length = self.store().length();
        let positions = BigUint::from(length - 2) << (length - 1);
        let [wins, losses] = self.winners().map(|set| count(self.store(), set));
        let draws = positions - &wins - &losses;
        Totals { wins, losses, draws }
    }

    /// Nodes of both sets of winners together.
    pub fn nodes(&self) -> usize {
        size(self.store(), &self.winners())
    }
}

/// What a strip's sets may be guessed from: those of a shorter one with the ball on the left and in the middle, and with the ball on
/// the right, which is moved so many squares to the right.
pub(super) fn halves<D: Diagram>(diagram: &D, level: [D::Ref; 2], length: usize) -> [(Portable, usize); 2] {
    let shorter = diagram.length();
    let (middle, shift) = ((length - 1) / 2, length - shorter);
    let near = Portable::with_balls(diagram, &level, 1..=middle.min(shorter - 2));
    let first = (middle + 1).saturating_sub(shift).max(1);
    let far = Portable::with_balls(diagram, &level, first..=shorter - 2);
    [(near, 0), (far, shift)]
}

/// The guess: where the ball has as many squares on its left as on its right, or fewer, the last squares may hold anything; elsewhere the
/// first ones.
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

//! Exact depths: ply by ply, as the dense engine does it, on whole sets at once.
//!
//! Ply d adds to one set what some turn of Left (odd d) or every turn of Right (even d) leads into the other set as it
//! stands after ply d − 1. The sets after each ply are kept: the first to hold a position is its depth.

use super::algebra::{Algebra, Quantifier};
use super::checkpoint::{CheckpointError, Saved, unusable};
use super::store::{Halt, Id, Store, SymbolicLimits};
use super::{SymbolicError, begin, stopped};
use crate::diagram::count::count;
use crate::games::rules::Rules;
use num_bigint::BigUint;
use num_traits::CheckedSub;
use std::path::Path;

/// The name of this solver in checkpoints.
const SOLVER: &str = "depths";

/// The work on one length, ply by ply.
pub struct DepthSolver {
    algebra: Algebra,
    /// The set that each ply left, from ply 1: Left to move after odd plies, Right to move after even ones.
    plies: Vec<Id>,
    counts: Vec<BigUint>,
}

impl DepthSolver {
    /// Begins a length.
    ///
    /// # Errors
    /// [`SymbolicError::Length`], [`SymbolicError::MemoryLimit`].
    pub fn new(length: usize, limits: SymbolicLimits) -> Result<DepthSolver, SymbolicError> {
        Ok(DepthSolver {
            algebra: begin(length, limits)?,
            plies: Vec::new(),
            counts: Vec::new(),
        })
    }

    /// Plays by these rules; to be said before the first ply.
    pub fn under(self, rules: Rules) -> DepthSolver {
        DepthSolver {
            algebra: self.algebra.under(rules),
            ..self
        }
    }

    /// Writes a checkpoint, in place of what `file` names.
    ///
    /// # Errors
    /// [`CheckpointError::File`]; what was there before is then still there.
    pub fn save(&self, file: &Path) -> Result<(), CheckpointError> {
        Saved::new(SOLVER, self.algebra.rules, self.algebra.store(), &self.plies).write(file)
    }

    /// Goes on from a checkpoint of this length under these rules.
    pub fn resume(
        length: usize,
        rules: Rules,
        limits: SymbolicLimits,
        file: &Path,
    ) -> Result<DepthSolver, CheckpointError> {
        let (algebra, plies) = Saved::read(file, SOLVER, rules, length)?.restore(limits)?;
        let members: Vec<BigUint> = plies.iter().map(|&set| count(algebra.store(), set)).collect();
        let before = |place: usize| {
            place
                .checked_sub(2)
                .map_or(BigUint::ZERO, |place| members[place].clone())
        };
        let counts = (members.iter().enumerate())
            .map(|(place, upto)| upto.checked_sub(&before(place)))
            .collect::<Option<_>>()
            .ok_or_else(|| unusable(file, "its sets do not grow"))?;
        Ok(DepthSolver {
            algebra,
            plies,
            counts,
        })
    }

    /// Does the next ply and returns how many positions it decided; none means that all is decided that ever will be.
    pub fn step(&mut self) -> Result<BigUint, SymbolicError> {
        // If memory runs out on the way, try again without any garbage.
        let set = self.next_set().or_else(|_| {
            self.collect();
            self.next_set()
        });
        let set = set.map_err(|_| stopped(&self.algebra))?;
        let members = |set| count(self.algebra.store(), set);
        let count = members(set) - members(self.before(2));
        self.plies.push(set);
        self.counts.push(count.clone());
        if self.store().is_untidy() {
            self.collect();
        }
        Ok(count)
    }

    /// The set that some plies before the next one left.
    fn before(&self, plies: usize) -> Id {
        match self.plies.len().checked_sub(plies) {
            Some(place) => self.plies[place],
            None => Id::BOTTOM,
        }
    }

    fn next_set(&mut self) -> Result<Id, Halt> {
        let (known, target) = (self.before(2), self.before(1));
        let q = match self.plies.len() % 2 {
            0 => Quantifier::Some,
            _ => Quantifier::Every,
        };
        let everywhere = 1..=self.algebra.length() - 2;
        self.algebra.growing(|algebra| {
            let placements = algebra.placements(q, target)?;
            let jumps = algebra.jumps(q, target, &algebra.starts(&everywhere)?)?;
            let decided = algebra.join(q, placements, jumps)?;
            algebra.or(known, decided)
        })
    }

    fn collect(&mut self) {
        let mut roots: Vec<&mut Id> = self.plies.iter_mut().collect();
        self.algebra.collect(&mut roots);
    }

    /// The set that each ply left, from ply 1: with Left to move after odd plies, with Right to move after even ones.
    pub fn plies(&self) -> &[Id] {
        &self.plies
    }

    /// New positions in each ply so far, from ply 1.
    pub fn counts(&self) -> &[BigUint] {
        &self.counts
    }

    /// The nodes.
    pub fn store(&self) -> &Store {
        self.algebra.store()
    }
}

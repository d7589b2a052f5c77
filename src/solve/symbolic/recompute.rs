//! Recomputing a zone: which of its boards does Left win, by the sets as they stand?
//!
//! Jumps lead to other zones, placements stay ([`closure`](super::closure)). What was known of the zone is replaced, not added to,
//! so it does not matter whether it was right.

use super::algebra::{Algebra, Quantifier};
use super::closure::Pair;
use super::counters::Phases;
use super::placements::Stones;
use super::store::{Halt, Id};
use crate::games::rules::Rules;
use std::ops::RangeInclusive;
use std::time::Instant;

/// What a zone is recomputed from.
pub struct Task {
    /// The ball squares of the zone.
    pub balls: RangeInclusive<usize>,
    /// The boards of this level that Left wins, as far as is known.
    pub sets: Pair,
    /// Those of the level below.
    pub below: Pair,
    /// The boards of the zone with Left to move that are won whatever this level's sets, if that was found before.
    pub won: Option<Id>,
    /// What jumps decided, with the boards that are won anyway, when the zone was last recomputed.
    pub jumps: Option<Pair>,
}

/// What was found.
pub struct Found {
    /// The boards that are won anyway.
    pub won: Id,
    /// What jumps decide, with these.
    pub jumps: Pair,
    /// The sets with the boards of the zone.
    pub sets: Pair,
    /// What it took.
    pub phases: Phases,
}

impl Task {
    /// Recomputes the zone.
    pub fn run(&self, algebra: &Algebra) -> Result<Found, Halt> {
        let mut begun = Instant::now();
        let mut lap = || {
            std::mem::replace(&mut begun, Instant::now())
                .elapsed()
                .as_secs_f64()
        };
        let mut phases = Phases::default();
        let from = algebra.starts(&self.balls)?;
        let won = match self.won {
            Some(won) => won,
            None => self.won_anyway(algebra)?,
        };
        phases.won_anyway = lap();
        let forward = algebra.forward_jumps(Quantifier::Some, self.sets.right_to_move, &from)?;
        let jumps = Pair::new(
            algebra.or(forward, won)?,
            algebra.jumps(Quantifier::Every, self.sets.left_to_move, &from)?,
        );
        phases.jumps = lap();
        // Where jumps decide what they decided the last time, nothing changes.
        let mut sets = self.sets;
        if self.jumps != Some(jumps) {
            let boards = algebra.close(jumps, &from)?;
            phases.close = lap();
            sets = self.replaced(algebra, boards)?;
            phases.replace = lap();
        }
        Ok(Found {
            won,
            jumps,
            sets,
            phases,
        })
    }

    /// The boards with Left to move that the level below has or that a turn leads into it which is not forward.
    ///
    /// Boards of the level below would be found anyway. With them from the start, every set on the way is close to the result, and
    /// small; without them, most of the time would go into boards that are known.
    pub fn won_anyway(&self, algebra: &Algebra) -> Result<Id, Halt> {
        let from = algebra.starts(&self.balls)?;
        let mut known = algebra.only(self.below.left_to_move, &self.balls)?;
        if algebra.rules == Rules::Ordinary {
            let jumps = algebra.backward_jumps(Quantifier::Some, self.below.right_to_move, &from)?;
            known = algebra.or(known, jumps)?;
        }
        let targets = algebra.only(self.below.right_to_move, &self.balls)?;
        algebra.join_placements(Quantifier::Some, Stones::Backward, known, targets)
    }

    /// The sets with other boards in the zone.
    fn replaced(&self, algebra: &Algebra, boards: Pair) -> Result<Pair, Halt> {
        Ok(Pair::new(
            algebra.replace(self.sets.left_to_move, &self.balls, boards.left_to_move)?,
            algebra.replace(self.sets.right_to_move, &self.balls, boards.right_to_move)?,
        ))
    }
}

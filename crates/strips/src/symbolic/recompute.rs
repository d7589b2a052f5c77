//! Recomputation of a zone: the boards of the zone that Left wins, given the current sets.
//!
//! Jumps lead to other zones, placements stay in the zone ([`closure`](super::closure)). The
//! previous result for the zone is replaced, so its errors do not matter.

use super::algebra::{Algebra, Quantifier};
use super::closure::Pair;
use super::counters::Phases;
use super::mirrored::{Readings, reading};
use super::placements::Stones;
use super::store::{Halt, Id};
use std::ops::RangeInclusive;
use std::time::Instant;

/// The turns of Left that may lead into the sets of the current stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftTurns {
    /// Forward turns; any other turn must lead into the sets of the stage below.
    Forward,
    /// Proper turns ([`Algebra::proper_jumps`], and stones to the right of the ball); the boards of
    /// the stage below are won.
    Proper,
}

/// The input of a recomputation.
pub struct Task {
    pub turns: LeftTurns,
    /// The ball squares of the zone.
    pub balls: RangeInclusive<usize>,
    /// The current approximation of this stage's sets.
    pub sets: Readings,
    /// The sets of the stage below.
    pub below: Readings,
    /// The boards of the zone with Left to move that are won independently of this stage's sets, if
    /// already known.
    pub won: Option<Id>,
    /// The previous result of jumps for the zone, including `won`.
    pub jumps: Option<Pair>,
}

/// The result of a recomputation.
pub struct Recomputed {
    /// The boards that are won independently of this stage's sets.
    pub won: Id,
    /// The result of jumps, including `won`.
    pub jumps: Pair,
    /// The sets with the boards of the zone, updated only in the zone's own reading.
    pub sets: Readings,
    /// The time spent.
    pub phases: Phases,
}

impl Task {
    /// Recomputes the zone.
    pub fn run(&self, algebra: &Algebra) -> Result<Recomputed, Halt> {
        let mut begun = Instant::now();
        let mut lap = || {
            std::mem::replace(&mut begun, Instant::now())
                .elapsed()
                .as_secs_f64()
        };
        let mut phases = Phases::default();
        let (from_right, balls) = reading(algebra.length(), &self.balls);
        let from = algebra.ball_set(&balls, from_right)?;
        let known = self.sets.reading(from_right);
        let won = match self.won {
            Some(won) => won,
            None => match self.turns {
                LeftTurns::Forward => self.won_from_below(algebra)?,
                LeftTurns::Proper => algebra.only(self.below.reading(from_right).left_to_move, &balls)?,
            },
        };
        phases.won_from_below = lap();
        let some = || match self.turns {
            LeftTurns::Forward => algebra.forward_jumps(Quantifier::Exists, known.right_to_move, &from),
            LeftTurns::Proper => algebra.proper_jumps(known.right_to_move, &from),
        };
        let (left, right) = algebra.both_forking(
            || algebra.or(some()?, won),
            || algebra.jumps(Quantifier::ForAll, known.left_to_move, &from),
        )?;
        let jumps = Pair::new(left, right);
        phases.jumps = lap();
        let mut sets = self.sets;
        if !self.is_unchanged(algebra, jumps, known.right_to_move, &balls)? {
            let boards = algebra.close(jumps, &from)?;
            phases.close = lap();
            let (left, right) = algebra.both_forking(
                || algebra.replace(known.left_to_move, &balls, boards.left_to_move),
                || algebra.replace(known.right_to_move, &balls, boards.right_to_move),
            )?;
            *sets.reading_mut(from_right) = Pair::new(left, right);
            phases.replace = lap();
        }
        Ok(Recomputed {
            won,
            jumps,
            sets,
            phases,
        })
    }

    /// Returns whether the boards of the zone are known to remain the same.
    ///
    /// They do if jumps decide the same as before. They also do if the seed L is the same, and the new
    /// bound B is a subset of the old one and has all boards that Left wins with Right to move: the
    /// closure (A, R) of L and the old bound then satisfies the equations of the closure of L and B,
    /// which have one solution.
    fn is_unchanged(
        &self,
        algebra: &Algebra,
        jumps: Pair,
        right_to_move: Id,
        balls: &RangeInclusive<usize>,
    ) -> Result<bool, Halt> {
        let Some(before) = self.jumps else {
            return Ok(false);
        };
        if jumps.left_to_move != before.left_to_move {
            return Ok(false);
        }
        let (bound, old) = (jumps.right_to_move, before.right_to_move);
        if bound == old {
            return Ok(true);
        }
        let won = algebra.only(right_to_move, balls)?;
        Ok(algebra.and(won, bound)? == won && algebra.and(bound, old)? == bound)
    }

    /// Returns the boards with Left to move in the stage below, or with a turn into it that is not
    /// forward.
    ///
    /// Boards of the stage below would be found anyway. Starting with them keeps all intermediate
    /// sets close to the result and small; otherwise most of the time would be spent on known
    /// boards.
    pub fn won_from_below(&self, algebra: &Algebra) -> Result<Id, Halt> {
        let (from_right, balls) = reading(algebra.length(), &self.balls);
        let from = algebra.ball_set(&balls, from_right)?;
        let below = self.below.reading(from_right);
        let (known, jumps) = algebra.both_forking(
            || algebra.only(below.left_to_move, &balls),
            || algebra.backward_jumps(Quantifier::Exists, below.right_to_move, &from),
        )?;
        let known = algebra.or(known, jumps)?;
        let targets = algebra.only(below.right_to_move, &balls)?;
        let backward = if from_right {
            Stones::AfterBall
        } else {
            Stones::BeforeBall
        };
        algebra.join_placements(Quantifier::Exists, backward, known, targets)
    }
}

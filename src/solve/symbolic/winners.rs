//! Who wins, in any order: rounds of jumps between closures under placements, over a growing zone.
//!
//! Both sets only grow, and everything that is put into them is true, so the order in which they grow is free: the
//! least fixpoint is the same. Two things make it small and soon reached.
//!
//! * Between two rounds of jumps both sets are closed under placements ([`closure`](super::closure)), so rounds count only how
//!   often *jumps* have to answer one another.
//! * The ball squares are admitted gradually. While the zone is small, positions with the ball elsewhere are taken
//!   as undecided, which is true of them so far. Each zone is brought to its fixpoint before the next begins, so
//!   the diagrams on the way look like final ones, instead of bulging with half-decided sets.

use super::algebra::{Algebra, Quantifier};
use super::closure::Pair;
use super::store::{Full, Limits, Store};
use super::{SymbolicError, Winners, begin, stopped};

/// Where the work stands after a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Positions were decided.
    Round,
    /// Nothing more can be decided in the zone; the next one has this many ball squares.
    Zone(usize),
    /// Everything is decided that ever will be.
    Done,
}

/// The work on one length, round by round.
pub struct WinnerSolver {
    algebra: Algebra,
    sets: Pair,
    /// Ball squares admitted.
    zone: usize,
    rounds: usize,
}

fn env(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

impl WinnerSolver {
    /// Begins a length.
    ///
    /// # Errors
    /// [`SymbolicError::Length`], [`SymbolicError::MemoryLimit`].
    pub fn new(length: usize, limits: Limits) -> Result<WinnerSolver, SymbolicError> {
        let mut solver = WinnerSolver {
            algebra: begin(length, limits)?,
            sets: Pair::EMPTY,
            zone: 0,
            rounds: 0,
        };
        solver.widen().map_err(|Full| stopped(&solver.algebra))?;
        Ok(solver)
    }

    fn widen(&mut self) -> Result<usize, Full> {
        let balls = self.algebra.length() - 2;
        let step = if self.zone == 0 { env("ZSTART", 4) } else { env("ZSTEP", 4) };
        self.zone = (self.zone + step).min(balls);
        let (first, last) = if env("ZEND", 0) == 0 { (1, self.zone) } else { (balls + 1 - self.zone, balls) };
        self.algebra.set_zone(first..=last)?;
        Ok(self.zone)
    }

    /// Does the next round.
    ///
    /// # Errors
    /// [`SymbolicError::MemoryLimit`].
    pub fn step(&mut self) -> Result<Progress, SymbolicError> {
        self.round().map_err(|Full| stopped(&self.algebra))
    }

    fn round(&mut self) -> Result<Progress, Full> {
        let known = self.sets;
        let mut jumps = Pair::EMPTY;
        jumps.left_to_move = self.algebra.jumps(Quantifier::Some, self.sets.right_to_move)?;
        self.tidy(&mut jumps);
        jumps.right_to_move = self.algebra.jumps(Quantifier::Every, self.sets.left_to_move)?;
        self.tidy(&mut jumps);
        let _ = known;
        let new = self.algebra.close(jumps)?;
        self.rounds += 1;
        let grown = new != self.sets;
        self.sets = new;
        let progress = if grown {
            Progress::Round
        } else if self.zone < self.algebra.length() - 2 {
            Progress::Zone(self.widen()?)
        } else {
            Progress::Done
        };
        self.tidy(&mut Pair::EMPTY.clone());
        Ok(progress)
    }

    fn tidy(&mut self, jumps: &mut Pair) {
        self.algebra.tidy(&mut [
            &mut self.sets.left_to_move,
            &mut self.sets.right_to_move,
            &mut jumps.left_to_move,
            &mut jumps.right_to_move,
        ]);
    }

    /// Rounds so far.
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// The ball squares admitted so far.
    pub fn zone(&self) -> usize {
        self.zone
    }

    /// The nodes.
    pub fn store(&self) -> &Store {
        self.algebra.store()
    }

    /// Who wins, as far as it is decided.
    pub fn winners(&self) -> Winners<'_> {
        Winners {
            algebra: &self.algebra,
            sets: self.sets,
        }
    }
}

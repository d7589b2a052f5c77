//! Who wins, in any order: ball square by ball square, over a growing zone.
//!
//! Both sets only grow, and everything that is put into them is true, so the order in which they grow is free: the
//! least fixpoint is the same. Three choices keep the sets on the way small and make the fixpoint soon reached.
//!
//! * A step joins the jumps of one ball square to what is known and closes the result under placements
//!   ([`closure`](super::closure)). Placing leaves the ball where it is, so nothing but *jumps* connects one ball
//!   square with another, and a sweep over the squares is repeated only as often as jumps have to answer jumps.
//! * Sweeps run from left to right. The other direction reaches the same sets by bulkier ones.
//! * The ball squares are admitted a few at a time, from the right end. Positions with the ball to the left of the zone
//!   count as not won for Left, as if Left's own goal line stood there. Each zone is thus a game of its own, and its
//!   finished sets look like final ones. New ball squares make the sets bulge; once a sweep leaves them smaller than the one before
//!   it, the rest of the zone's work is left to the next zone, which would do it again anyway. From the left end the same does
//!   not help: it would move the line that Left has to reach.

use super::algebra::{Algebra, Quantifier};
use super::checkpoint::{CheckpointError, Saved, unusable};
use super::closure::Pair;
use super::store::{Full, Id, Limits, Store};
use super::{SymbolicError, Winners, begin, stopped};
use crate::diagram::count::size;
use std::path::Path;

/// The name of this solver in checkpoints.
const SOLVER: &str = "winners";

/// Ball squares admitted at a time.
const ZONE_STEP: usize = 6;

/// Where the work stands after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// One ball square done, others of the sweep to come.
    Ball,
    /// A sweep ended that decided something; another follows.
    Sweep,
    /// The zone is done, or nearly so; it has grown.
    Zone,
    /// Everything is decided that ever will be.
    Done,
}

/// The work on one length, ball square by ball square.
pub struct WinnerSolver {
    algebra: Algebra,
    sets: Pair,
    /// The leftmost ball square of the zone.
    zone: usize,
    /// The ball square of the next step.
    ball: usize,
    /// Whether this sweep has decided anything.
    grown: bool,
    sweeps: usize,
    /// Nodes of the sets after the last sweep of this zone; 0 before the first.
    last_size: usize,
    /// The sets after each sweep that decided something.
    rounds: Vec<Pair>,
}

impl WinnerSolver {
    /// Begins a length.
    ///
    /// # Errors
    /// [`SymbolicError::Length`], [`SymbolicError::MemoryLimit`].
    pub fn new(length: usize, limits: Limits) -> Result<WinnerSolver, SymbolicError> {
        let algebra = begin(length, limits)?;
        let zone = wider(length - 1);
        Ok(WinnerSolver {
            algebra,
            sets: Pair::EMPTY,
            zone,
            ball: zone,
            grown: false,
            sweeps: 0,
            last_size: 0,
            rounds: Vec::new(),
        })
    }

    /// Writes a checkpoint, in place of what `file` names.
    ///
    /// # Errors
    /// [`CheckpointError::File`]; what was there before is then still there.
    pub fn save(&self, file: &Path) -> Result<(), CheckpointError> {
        let numbers = [
            self.zone,
            self.ball,
            usize::from(self.grown),
            self.sweeps,
            self.last_size,
        ];
        let pairs = self.rounds.iter().chain([&self.sets]);
        let roots: Vec<Id> = pairs
            .flat_map(|pair| [pair.left_to_move, pair.right_to_move])
            .collect();
        let numbers = numbers.map(|number| number as u64).to_vec();
        Saved::new(SOLVER, &self.algebra, numbers, &roots).write(file)
    }

    /// Goes on from a checkpoint of this length.
    ///
    /// # Errors
    /// [`CheckpointError`].
    pub fn resume(length: usize, limits: Limits, file: &Path) -> Result<WinnerSolver, CheckpointError> {
        let saved = Saved::read(file, SOLVER, length)?;
        let (algebra, roots) = saved.restore(limits, file)?;
        let (pairs, rest) = roots.as_chunks::<2>();
        let mut rounds: Vec<Pair> = (pairs.iter())
            .map(|&[left_to_move, right_to_move]| Pair {
                left_to_move,
                right_to_move,
            })
            .collect();
        let numbers: Vec<usize> = saved.numbers().iter().map(|&number| number as usize).collect();
        match (rounds.pop(), &numbers[..], rest) {
            (Some(sets), &[zone, ball, grown, sweeps, last_size], [])
                if (1..=length - 2).contains(&zone) && (zone..=length - 2).contains(&ball) =>
            {
                Ok(WinnerSolver {
                    algebra,
                    sets,
                    zone,
                    ball,
                    grown: grown != 0,
                    sweeps,
                    last_size,
                    rounds,
                })
            }
            _ => Err(unusable(file, "its numbers are none that the solver counts")),
        }
    }

    /// Does one ball square. If memory runs out on the way, it tries again without any garbage.
    ///
    /// # Errors
    /// [`SymbolicError::MemoryLimit`].
    pub fn step(&mut self) -> Result<Progress, SymbolicError> {
        let done = self.update().or_else(|Full| {
            let mut roots = roots(&mut self.rounds, [&mut self.sets]);
            self.algebra.collect(&mut roots);
            self.update()
        });
        match done {
            Ok(()) => Ok(self.advance()),
            Err(Full) => Err(stopped(&self.algebra)),
        }
    }

    /// Adds what can be said now about positions with the ball on `self.ball`.
    fn update(&mut self) -> Result<(), Full> {
        self.algebra.set_zone(self.ball..=self.ball)?;
        let jumps = Pair {
            left_to_move: self.algebra.jumps(Quantifier::Some, self.sets.right_to_move)?,
            right_to_move: self.algebra.jumps(Quantifier::Every, self.sets.left_to_move)?,
        };
        let mut found = self.algebra.close(jumps)?;
        self.tidy(&mut found);
        self.algebra.set_zone(self.zone..=self.algebra.length() - 2)?;
        let sets = Pair {
            left_to_move: (self.algebra).or(self.sets.left_to_move, found.left_to_move)?,
            right_to_move: (self.algebra).or(self.sets.right_to_move, found.right_to_move)?,
        };
        self.grown |= sets != self.sets;
        self.sets = sets;
        self.tidy(&mut Pair::EMPTY.clone());
        Ok(())
    }

    /// Goes to the next ball square, sweep or zone.
    fn advance(&mut self) -> Progress {
        if self.ball < self.algebra.length() - 2 {
            self.ball += 1;
            return Progress::Ball;
        }
        self.sweeps += 1;
        let grown = std::mem::take(&mut self.grown);
        if grown {
            self.rounds.push(self.sets);
        }
        let size = size(
            self.algebra.store(),
            &[self.sets.left_to_move, self.sets.right_to_move],
        );
        let settled = !grown || size < std::mem::replace(&mut self.last_size, size);
        let progress = if settled && self.zone > 1 {
            self.zone = wider(self.zone);
            self.last_size = 0;
            Progress::Zone
        } else if grown {
            Progress::Sweep
        } else {
            Progress::Done
        };
        self.ball = self.zone;
        progress
    }

    fn tidy(&mut self, found: &mut Pair) {
        let mut roots = roots(&mut self.rounds, [&mut self.sets, found]);
        self.algebra.tidy(&mut roots);
    }

    /// The sets after each sweep that decided something, Left to move and Right to move in turn; the last two are
    /// what has been decided. Together they prove it: see `verify`.
    pub fn rounds(&self) -> Vec<Id> {
        (self.rounds.iter())
            .flat_map(|pair| [pair.left_to_move, pair.right_to_move])
            .collect()
    }

    /// Sweeps ended so far.
    pub fn sweeps(&self) -> usize {
        self.sweeps
    }

    /// The leftmost ball square admitted so far.
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

/// All sets that are still wanted.
fn roots<'a, const N: usize>(rounds: &'a mut [Pair], others: [&'a mut Pair; N]) -> Vec<&'a mut Id> {
    (rounds.iter_mut().chain(others))
        .flat_map(|pair| [&mut pair.left_to_move, &mut pair.right_to_move])
        .collect()
}

/// The leftmost ball square of the zone that follows one with this leftmost square.
fn wider(zone: usize) -> usize {
    zone.saturating_sub(ZONE_STEP).max(1)
}

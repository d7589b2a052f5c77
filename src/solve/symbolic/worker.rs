//! One thread of the level solver: a store of its own, with a copy of the sets as they stand.
//!
//! To *recompute* a zone is to ask anew which of its boards Left wins, from the sets of the other zones: jumps lead
//! to other zones, placements stay ([`closure`](super::closure)). What was known of the zone is replaced, not added to,
//! so it does not matter whether it was right.

use super::algebra::{Algebra, Quantifier};
use super::closure::Pair;
use super::portable::Portable;
use super::store::{Halt, Id, SymbolicLimits};
use super::zones::zones;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// One thread's view of a level.
pub(super) struct Worker {
    algebra: Algebra,
    zones: Vec<RangeInclusive<usize>>,
    /// The boards of this level that Left wins, as far as this worker knows.
    sets: Pair,
    /// Those of the level below.
    below: Pair,
    /// For each zone, the boards with Left to move that are won whatever this level's sets: the level below has them, or some turn
    /// that is not forward leads into it.
    won: Vec<Option<Id>>,
    /// For each zone, what jumps decided, with the boards that are won anyway, when it was last recomputed.
    jumps: Vec<Option<Pair>>,
}

impl Worker {
    /// A worker that knows nothing yet. It stops soon after `stop` goes up.
    pub fn new(length: usize, limits: SymbolicLimits, stop: Arc<AtomicBool>) -> Result<Worker, Halt> {
        let mut algebra = Algebra::new(length, limits)?;
        algebra.store.stop_on(stop);
        Ok(Worker {
            algebra,
            won: vec![None; zones(length).len()],
            jumps: vec![None; zones(length).len()],
            zones: zones(length),
            sets: Pair::EMPTY,
            below: Pair::EMPTY,
        })
    }

    /// Its sets and nodes.
    pub fn algebra(&self) -> &Algebra {
        &self.algebra
    }

    /// The sets of its level.
    pub fn sets(&self) -> Pair {
        self.sets
    }

    /// Takes over what is now said of a zone.
    pub fn learn(&mut self, zone: usize, boards: &Portable) -> Result<(), Halt> {
        self.with_room(|worker| {
            let boards = worker.made(boards)?;
            worker.replace(zone, boards)
        })
    }

    /// The sets of a zone in its own store.
    fn made(&mut self, boards: &Portable) -> Result<Pair, Halt> {
        let made = boards.make(&mut self.algebra.store, 0)?;
        let [left_to_move, right_to_move] = made[..] else {
            unreachable!("a zone has two sets");
        };
        Ok(Pair::new(left_to_move, right_to_move))
    }

    /// The boards of a zone, with some more.
    pub fn widened(&mut self, zone: usize, more: &Portable) -> Result<Portable, Halt> {
        self.with_room(|worker| {
            let more = worker.made(more)?;
            let balls = &worker.zones[zone];
            let a = worker.algebra.only(worker.sets.left_to_move, balls)?;
            let r = worker.algebra.only(worker.sets.right_to_move, balls)?;
            let both = [
                worker.algebra.or(a, more.left_to_move)?,
                worker.algebra.or(r, more.right_to_move)?,
            ];
            Ok(Portable::of(worker.algebra.store(), &both))
        })
    }

    /// Its sets are those of a level that is solved; goes on with the next one, which begins with the same boards.
    pub fn next_level(&mut self) {
        self.below = self.sets;
        self.won.fill(None);
        self.jumps.fill(None);
    }

    /// Recomputes a zone, of which `known` was known. Returns its boards if they are others.
    pub fn recompute(&mut self, zone: usize, known: &Portable) -> Result<Option<Portable>, Halt> {
        self.with_room(|worker| worker.try_recompute(zone, known))
    }

    fn try_recompute(&mut self, zone: usize, known: &Portable) -> Result<Option<Portable>, Halt> {
        self.algebra.start_from(self.zones[zone].clone())?;
        let won = match self.won[zone] {
            Some(won) => won,
            None => self.won_anyway(zone)?,
        };
        self.won[zone] = Some(won);
        let forward = self
            .algebra
            .forward_jumps(Quantifier::Some, self.sets.right_to_move)?;
        let jumps = Pair::new(
            self.algebra.or(forward, won)?,
            self.algebra.jumps(Quantifier::Every, self.sets.left_to_move)?,
        );
        if self.jumps[zone] == Some(jumps) {
            return Ok(None);
        }
        let found = self.algebra.close(jumps)?;
        self.jumps[zone] = Some(jumps);
        // The same set is the same list of nodes.
        let boards = Portable::of(self.algebra.store(), &[found.left_to_move, found.right_to_move]);
        if boards == *known {
            return Ok(None);
        }
        self.replace(zone, found)?;
        Ok(Some(boards))
    }

    /// The boards of a zone with Left to move that the level below has or that a turn leads into it which is not forward.
    ///
    /// Boards of the level below would be found anyway. With them from the start, every set on the way is close to the result, and
    /// small; without them, most of the time would go into boards that are known.
    fn won_anyway(&mut self, zone: usize) -> Result<Id, Halt> {
        let (algebra, balls) = (&mut self.algebra, &self.zones[zone]);
        let known = algebra.only(self.below.left_to_move, balls)?;
        let jumps = algebra.backward_jumps(Quantifier::Some, self.below.right_to_move)?;
        let known = algebra.or(known, jumps)?;
        let targets = algebra.only(self.below.right_to_move, balls)?;
        algebra.or_backward_placements(known, targets)
    }

    fn replace(&mut self, zone: usize, by: Pair) -> Result<(), Halt> {
        let (algebra, balls) = (&mut self.algebra, &self.zones[zone]);
        let a = algebra.replace(self.sets.left_to_move, balls, by.left_to_move)?;
        let r = algebra.replace(self.sets.right_to_move, balls, by.right_to_move)?;
        self.sets = Pair::new(a, r);
        Ok(())
    }

    /// Does something that may make many nodes; if memory runs out on the way, once more without any garbage.
    fn with_room<T>(&mut self, mut work: impl FnMut(&mut Worker) -> Result<T, Halt>) -> Result<T, Halt> {
        let mut done = work(self);
        if matches!(done, Err(Halt::Full)) {
            let (algebra, mut roots) = self.roots();
            algebra.collect(&mut roots);
            done = work(self);
        }
        let (algebra, mut roots) = self.roots();
        algebra.tidy(&mut roots);
        done
    }

    /// The algebra, and all sets that are still wanted.
    fn roots(&mut self) -> (&mut Algebra, Vec<&mut Id>) {
        let jumps = self.jumps.iter_mut().flatten();
        let pairs = jumps.chain([&mut self.sets, &mut self.below]);
        let roots = pairs.flat_map(|pair| [&mut pair.left_to_move, &mut pair.right_to_move]);
        let won = self.won.iter_mut().flatten();
        (&mut self.algebra, roots.chain(won).collect())
    }
}

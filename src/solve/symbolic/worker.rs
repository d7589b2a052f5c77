//! One thread of the level solver: a store of its own, with a copy of the sets as they stand.
//!
//! To *recompute* a ball square is to ask anew which of its boards Left wins, from the sets of the other squares: jumps lead
//! to other squares, placements stay ([`closure`](super::closure)). What was known of the square is replaced, not added to,
//! so it does not matter whether it was right.

use super::algebra::{Algebra, Quantifier};
use super::closure::Pair;
use super::portable::Portable;
use super::store::{Halt, Id, Limits};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// One thread's view of a level.
pub(super) struct Worker {
    algebra: Algebra,
    /// The boards of this level that Left wins, as far as this worker knows.
    sets: Pair,
    /// Those of the level below with Right to move.
    below: Id,
    /// Those of level 0 with Left to move.
    ground: Id,
    /// For each ball square, what it was last recomputed from.
    sources: Vec<Option<Source>>,
}

/// What the boards with the ball on a square were recomputed from.
#[derive(Clone, Copy)]
struct Source {
    /// Boards that a turn wins which is not forward: it leads into the level below.
    backward: Id,
    /// What jumps decide, with the `backward` boards.
    jumps: Pair,
}

impl Worker {
    /// A worker that knows nothing yet. It stops soon after `stop` goes up.
    pub fn new(length: usize, limits: Limits, stop: Arc<AtomicBool>) -> Result<Worker, Halt> {
        let mut algebra = Algebra::new(length, limits)?;
        algebra.store.stop_on(stop);
        Ok(Worker {
            algebra,
            sets: Pair::EMPTY,
            below: Id::BOTTOM,
            ground: Id::BOTTOM,
            sources: vec![None; length],
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

    /// Takes over what is now said of a ball square.
    pub fn learn(&mut self, ball: usize, boards: &Portable) -> Result<(), Halt> {
        self.with_room(|worker| {
            let boards = worker.made(boards)?;
            worker.replace(ball, boards)
        })
    }

    /// The sets of a ball square in its own store.
    fn made(&mut self, boards: &Portable) -> Result<Pair, Halt> {
        let made = boards.make(&mut self.algebra.store, 0)?;
        let [left_to_move, right_to_move] = made[..] else {
            unreachable!("a ball square has two sets");
        };
        Ok(Pair::new(left_to_move, right_to_move))
    }

    /// The boards with the ball on a square, with some more.
    pub fn widened(&mut self, ball: usize, more: &Portable) -> Result<Portable, Halt> {
        self.with_room(|worker| {
            let more = worker.made(more)?;
            let a = worker.algebra.only(worker.sets.left_to_move, ball)?;
            let r = worker.algebra.only(worker.sets.right_to_move, ball)?;
            let both = [
                worker.algebra.or(a, more.left_to_move)?,
                worker.algebra.or(r, more.right_to_move)?,
            ];
            Ok(Portable::of(worker.algebra.store(), &both))
        })
    }

    /// Its sets are those of level 0.
    pub fn is_level_0(&mut self) {
        self.ground = self.sets.left_to_move;
    }

    /// Its sets are those of a level that is solved; goes on with the next one, which begins with the same boards.
    pub fn next_level(&mut self) {
        self.below = self.sets.right_to_move;
        self.sources.fill(None);
    }

    /// Recomputes a ball square, of which `known` was known. Returns its boards if they are others.
    pub fn recompute(&mut self, ball: usize, known: &Portable) -> Result<Option<Portable>, Halt> {
        self.with_room(|worker| worker.try_recompute(ball, known))
    }

    fn try_recompute(&mut self, ball: usize, known: &Portable) -> Result<Option<Portable>, Halt> {
        self.algebra.start_from(ball..=ball)?;
        let backward = match self.sources[ball] {
            Some(source) => source.backward,
            None => self.backward(ball)?,
        };
        let forward = self
            .algebra
            .forward_jumps(Quantifier::Some, self.sets.right_to_move)?;
        let jumps = Pair::new(
            self.algebra.or(forward, backward)?,
            self.algebra.jumps(Quantifier::Every, self.sets.left_to_move)?,
        );
        if self.sources[ball].is_some_and(|source| source.jumps == jumps) {
            return Ok(None);
        }
        let found = self.algebra.close(jumps)?;
        self.sources[ball] = Some(Source { backward, jumps });
        // The same set is the same list of nodes.
        let boards = Portable::of(self.algebra.store(), &[found.left_to_move, found.right_to_move]);
        if boards == *known {
            return Ok(None);
        }
        self.replace(ball, found)?;
        Ok(Some(boards))
    }

    /// The boards with the ball on a square from which some turn that is not forward leads into the level below, without those of level 0: these win by
    /// forward turns into this level too, and without them the set is small.
    fn backward(&mut self, ball: usize) -> Result<Id, Halt> {
        let targets = self.algebra.only(self.below, ball)?;
        let placements = self.algebra.backward_placements(targets)?;
        let jumps = self.algebra.backward_jumps(Quantifier::Some, self.below)?;
        let both = self.algebra.or(placements, jumps)?;
        self.algebra.minus(both, self.ground)
    }

    fn replace(&mut self, ball: usize, by: Pair) -> Result<(), Halt> {
        let algebra = &mut self.algebra;
        let a = algebra.replace(self.sets.left_to_move, ball, by.left_to_move)?;
        let r = algebra.replace(self.sets.right_to_move, ball, by.right_to_move)?;
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
        let sources = self.sources.iter_mut().flatten().flat_map(|source| {
            let Pair {
                left_to_move,
                right_to_move,
            } = &mut source.jumps;
            [&mut source.backward, left_to_move, right_to_move]
        });
        let Pair {
            left_to_move,
            right_to_move,
        } = &mut self.sets;
        let own = [left_to_move, right_to_move, &mut self.below, &mut self.ground];
        (&mut self.algebra, own.into_iter().chain(sources).collect())
    }
}

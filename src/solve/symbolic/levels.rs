//! Who wins: levels of forward play, each solved from a guess.
//!
//! A turn of Left's is *forward* if it touches only squares to the right of the ball. Level k holds the boards that Left wins
//! with at most k turns that are not forward:
//!
//! ```text
//!     A(k) = Left to move:  a forward turn wins or leads into R(k), or any turn leads into R(k − 1)      R(−1) = ∅
//!     R(k) = Right to move: every turn leads into A(k) or wins for Left
//! ```
//!
//! Play with at most k turns of Left's that are not forward ends (docs/PROOF.md), so these equations have *one* solution, and
//! it may be sought from any sets whatever: whatever satisfies them is right. Three things follow.
//!
//! * The search starts from a **guess**, the sets of a shorter strip: on the side of the ball with more squares, the outermost
//!   squares are ignored. For one square more that is wrong on less than one board in a hundred.
//! * Ball squares are recomputed two by two (`zones`), from the middle outwards, until none changes: in most lengths the third sweep
//!   changes nothing. The order is free, so **threads** recompute different zones at the same time, in one store (`threads`).
//! * The levels **prove** themselves: whoever checks the equations has checked who wins.
//!
//! Levels only grow. When one holds every board that a mirror image does not, everything is decided; when one adds nothing to
//! the level before, what is left is drawn.

use super::algebra::Algebra;
use super::checkpoint::{CheckpointError, Saved, unusable};
use super::closure::Pair;
use super::portable::Portable;
use super::store::{Halt, Id, Store, SymbolicLimits};
use super::threads::Shared;
use super::{SymbolicError, Totals, begin, stopped};
use crate::diagram::Diagram;
use crate::diagram::count::{count, size};
use crate::games::rules::Rules;
use crate::games::strip::MIN_LENGTH;
use num_bigint::BigUint;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The name of this solver in checkpoints.
const SOLVER: &str = "levels";
/// Shorter strips that are solved to warm up, about.
const WARM_UP_STEPS: usize = 20;
/// More threads than this cost more than they bring: they work from older sets.
pub const MOST_THREADS: usize = 2;

/// Where the work stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Live {
    /// The level in progress.
    pub level: usize,
    /// Sweeps over the zones in all levels before.
    pub sweeps_before: usize,
    /// Zones recomputed in this level, over all sweeps.
    pub recomputed: usize,
    /// Zones that there are.
    pub zones: usize,
    /// Recomputed zones that changed.
    pub changed: usize,
    /// The last ball square that was done, 0 before the first.
    pub ball: usize,
    /// Nodes in memory.
    pub nodes: usize,
    /// Bytes held.
    pub bytes: u64,
}

impl Live {
    /// The sweep over all zones, from 1.
    pub fn sweep(&self) -> usize {
        self.recomputed / self.zones.max(1) + 1
    }

    /// Level, sweep and ball square, in words.
    pub fn place(&self) -> String {
        let sweep = format!("level {}, sweep {}", self.level, self.sweep());
        match self.ball {
            0 => sweep,
            ball => format!("{sweep}, ball square {ball}"),
        }
    }
}

/// The work on one length.
pub struct LevelSolver {
    length: usize,
    limits: SymbolicLimits,
    threads: usize,
    shared: Shared,
}

impl LevelSolver {
    /// Begins a length, from nothing. Of the threads more than [`MOST_THREADS`] are not used.
    ///
    /// # Errors
    /// [`SymbolicError::Length`], [`SymbolicError::MemoryLimit`].
    pub fn new(length: usize, limits: SymbolicLimits, threads: usize) -> Result<LevelSolver, SymbolicError> {
        Ok(LevelSolver::with_algebra(begin(length, limits)?, threads))
    }

    fn with_algebra(algebra: Algebra, threads: usize) -> LevelSolver {
        LevelSolver {
            length: algebra.length(),
            limits: algebra.store().limits(),
            threads: threads.clamp(1, MOST_THREADS),
            shared: Shared::new(algebra),
        }
    }

    /// Plays by these rules; to be said before anything is done.
    pub fn under(mut self, rules: Rules) -> LevelSolver {
        self.shared.parts().0.rules = rules;
        self
    }

    /// Starts from level 0 of a shorter strip, or from any other sets, Left to move and Right to move: a wrong guess costs time, never
    /// truth. Each further level starts from the one before. What the shorter strip's next level added to its first one is no good guess: where
    /// it is wrong, boards follow that need far more nodes than the level itself.
    ///
    /// # Panics
    /// If the strip of the guess is longer, or the work has begun.
    pub fn guess<D: Diagram>(&mut self, diagram: &D, level: [D::Ref; 2]) -> Result<(), SymbolicError> {
        let (algebra, state) = self.shared.parts();
        assert!(
            diagram.length() <= self.length && state.time == 0,
            "a guess comes first"
        );
        let halves = halves(diagram, level, self.length);
        let guess = algebra.growing(|algebra| joined(algebra, &halves));
        state.sets = guess.map_err(|_| stopped(algebra))?;
        Ok(())
    }

    /// Starts from shorter strips that are solved for the purpose, one from the other: that takes a fraction of the time that a start
    /// from nothing does. They have `longest` squares at most. `watch` is asked as in [`run`](LevelSolver::run), about each of them.
    ///
    /// # Panics
    /// If the work has begun.
    pub fn warm_up(
        &mut self,
        longest: usize,
        watch: &mut dyn FnMut(&LevelSolver) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, SymbolicError> {
        let step = self.length.div_ceil(WARM_UP_STEPS);
        let first = MIN_LENGTH + (self.length - MIN_LENGTH) % step;
        let mut shorter: Option<Levels> = None;
        for length in (first..self.length.min(longest + 1)).step_by(step) {
            let solver = LevelSolver::new(length, self.limits, self.threads)?;
            let mut solver = solver.under(self.rules());
            if let Some(shorter) = &shorter {
                solver.guess(shorter.store(), shorter.first())?;
            }
            // Whoever asked for this length is told of this length.
            let ended = solver.run(watch).map_err(|error| error.of_length(self.length))?;
            if ended.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            shorter = Some(solver.levels()?);
        }
        if let Some(shorter) = shorter {
            self.guess(shorter.store(), shorter.first())?;
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Starts from a shorter strip's levels, or [warms up](LevelSolver::warm_up), and [runs](LevelSolver::run).
    pub fn run_from(
        &mut self,
        shorter: Option<&Levels>,
        watch: &mut dyn FnMut(&LevelSolver) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, SymbolicError> {
        match shorter {
            Some(shorter) => self.guess(shorter.store(), shorter.first())?,
            None if self.warm_up(self.length, watch)?.is_break() => return Ok(ControlFlow::Break(())),
            None => {}
        }
        self.run(watch)
    }

    /// Works until everything is decided, or `watch` says to stop: it is asked at the start and then several times a second. What has been done is
    /// then kept, and [`run`](LevelSolver::run) goes on from there.
    pub fn run(
        &mut self,
        watch: &mut dyn FnMut(&LevelSolver) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, SymbolicError> {
        if watch(self).is_break() {
            return Ok(ControlFlow::Break(()));
        }
        let stop = Arc::new(AtomicBool::new(false));
        self.shared.begin(stop.clone());
        let solver = &*self;
        std::thread::scope(|scope| {
            for _ in 0..solver.threads {
                scope.spawn(|| solver.shared.work(&stop));
            }
            while !solver.shared.is_over_after_news() && watch(solver).is_continue() {}
            stop.store(true, Ordering::Relaxed);
        });
        let (_, state) = self.shared.parts();
        match state.failure.take() {
            Some(failure) => Err(failure),
            None if state.done => Ok(ControlFlow::Continue(())),
            None => Ok(ControlFlow::Break(())),
        }
    }

    /// Where the work stands.
    pub fn live(&self) -> Live {
        self.shared.live()
    }

    /// The number of squares.
    pub fn length(&self) -> usize {
        self.length
    }

    fn rules(&self) -> Rules {
        self.shared.algebra().rules
    }

    /// Lends the levels as they stand, the last of them in progress or finished: nodes, and the sets from level 0, Left to move and Right to
    /// move in turn.
    pub fn lend<T>(&self, to: impl FnOnce(&Store, &[Id]) -> T) -> T {
        let algebra = self.shared.algebra();
        let levels = self.shared.lock().all_levels();
        to(algebra.store(), &flat(&levels))
    }

    /// The levels as they stand, in a store of their own.
    pub fn levels(&self) -> Result<Levels, SymbolicError> {
        let copy = self.lend(Portable::of);
        let mut algebra = begin(self.length, self.limits)?;
        let made = algebra.growing(|algebra| copy.make(algebra.store(), 0));
        let roots = made.map_err(|_| stopped(&algebra))?;
        Ok(Levels {
            levels: pairs(&roots),
            algebra,
        })
    }

    /// Writes a checkpoint, in place of what `file` names.
    ///
    /// # Errors
    /// [`CheckpointError`]; what was there before is then still there.
    pub fn save(&self, file: &Path) -> Result<(), CheckpointError> {
        let rules = self.rules();
        let saved = self.lend(|store, roots| Saved::new(SOLVER, rules, store, roots));
        saved.write(file)
    }

    /// Goes on from a checkpoint of this length under these rules: finished levels are kept, and the unfinished one is a good guess.
    pub fn resume(
        length: usize,
        rules: Rules,
        limits: SymbolicLimits,
        threads: usize,
        file: &Path,
    ) -> Result<LevelSolver, CheckpointError> {
        let (algebra, roots) = Saved::read(file, SOLVER, rules, length)?.restore(limits)?;
        if roots.len() % 2 != 0 {
            return Err(unusable(file, "there is a level for one player only"));
        }
        let mut solver = LevelSolver::with_algebra(algebra, threads);
        let (algebra, state) = solver.shared.parts();
        let mut levels = pairs(&roots);
        state.sets = levels.pop().unwrap_or_default();
        if let Some(&finished) = levels.last() {
            state.decided = boards(algebra.store(), finished);
        }
        state.live.level = levels.len();
        state.levels = levels;
        Ok(solver)
    }
}

/// Sets, one by one.
fn flat(pairs: &[Pair]) -> Vec<Id> {
    pairs.iter().flat_map(|pair| pair.sets()).collect()
}

/// Sets, two by two.
fn pairs(sets: &[Id]) -> Vec<Pair> {
    let pairs = sets.as_chunks::<2>().0.iter();
    pairs.map(|&[left, right]| Pair::new(left, right)).collect()
}

/// The levels of a length, the boards that Left wins in each, Left to move and Right to move.
pub struct Levels {
    algebra: Algebra,
    levels: Vec<Pair>,
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
fn halves<D: Diagram>(diagram: &D, level: [D::Ref; 2], length: usize) -> [(Portable, usize); 2] {
    let shorter = diagram.length();
    let (middle, shift) = ((length - 1) / 2, length - shorter);
    let near = Portable::with_balls(diagram, &level, 1..=middle.min(shorter - 2));
    let first = (middle + 1).saturating_sub(shift).max(1);
    let far = Portable::with_balls(diagram, &level, first..=shorter - 2);
    [(near, 0), (far, shift)]
}

/// The guess: where the ball has as many squares on its left as on its right, or fewer, the last squares may hold anything; elsewhere the
/// first ones.
fn joined(algebra: &Algebra, halves: &[(Portable, usize); 2]) -> Result<Pair, Halt> {
    let [near, far] = halves
        .each_ref()
        .map(|(half, shift)| half.make(algebra.store(), *shift));
    let (near, far) = (near?, far?);
    Ok(Pair::new(
        algebra.or(near[0], far[0])?,
        algebra.or(near[1], far[1])?,
    ))
}

/// The members of both sets together.
pub(super) fn boards(store: &Store, sets: Pair) -> BigUint {
    count(store, sets.left_to_move) + count(store, sets.right_to_move)
}

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
//!   changes nothing. The order is free, so **threads** recompute different zones at the same time, each in a store of its own
//!   (`worker`, `threads`), and tell each other what they found.
//! * The levels **prove** themselves: whoever checks the equations has checked who wins.
//!
//! Levels only grow. When one holds every board that a mirror image does not, everything is decided; when one adds nothing to
//! the level before, what is left is drawn.

use super::algebra::Algebra;
use super::checkpoint::{CheckpointError, Saved, unusable};
use super::closure::Pair;
use super::portable::Portable;
use super::store::{Halt, Id, Store, SymbolicLimits};
use super::threads::{LOOK, Shared, State, WHOLE, Zone};
use super::zones::zones;
use super::{SymbolicError, Winners, begin, stopped};
use crate::diagram::Diagram;
use crate::diagram::count::count;
use crate::games::strip::MIN_LENGTH;
use crate::table::error::ResumeError;
use num_bigint::BigUint;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};

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
    /// Zones recomputed in this level, over all sweeps.
    pub recomputed: usize,
    /// Zones that there are.
    pub zones: usize,
    /// Recomputed zones that changed.
    pub changed: usize,
    /// The last ball square that was done.
    pub ball: usize,
    /// Nodes in memory, of all threads.
    pub nodes: usize,
    /// Bytes held, by all threads.
    pub bytes: u64,
}

impl Live {
    /// The sweep over all zones, from 1.
    pub fn sweep(&self) -> usize {
        self.recomputed / self.zones.max(1) + 1
    }
}

/// The work on one length.
pub struct LevelSolver {
    length: usize,
    limits: SymbolicLimits,
    threads: usize,
    state: State,
}

impl LevelSolver {
    /// Begins a length, from nothing. `limits` are for all threads together; of these more than [`MOST_THREADS`] are not used.
    ///
    /// # Errors
    /// [`SymbolicError::Length`], [`SymbolicError::MemoryLimit`].
    pub fn new(length: usize, limits: SymbolicLimits, threads: usize) -> Result<LevelSolver, SymbolicError> {
        let mut algebra = begin(length, limits)?;
        let mut solver = LevelSolver {
            length,
            limits,
            threads: threads.clamp(1, MOST_THREADS),
            state: State::default(),
        };
        let nothing = fresh(&mut algebra, Pair::EMPTY);
        solver.state.zones = nothing.map_err(|_| stopped(&algebra))?;
        Ok(solver)
    }

    /// Starts from the levels of a shorter strip, or from any other pairs of sets, at least one: a wrong guess costs time, never
    /// truth.
    ///
    /// # Errors
    /// [`SymbolicError::MemoryLimit`].
    ///
    /// # Panics
    /// If the strip of the guess is longer, or the work has begun.
    pub fn guess<D: Diagram>(&mut self, diagram: &D, levels: &[D::Ref]) -> Result<(), SymbolicError> {
        assert!(
            diagram.length() <= self.length && self.state.time == 0,
            "a guess comes first"
        );
        let mut algebra = begin(self.length, self.limits)?;
        let mut guess = || -> Result<_, Halt> {
            let (levels, _) = levels.as_chunks::<2>();
            let mut below: Option<Pair> = None;
            let mut gains = Vec::new();
            for &level in levels {
                let level = guessed(&mut algebra, diagram, level)?;
                if let Some(below) = below {
                    let gain = Pair::new(
                        algebra.minus(level.left_to_move, below.left_to_move)?,
                        algebra.minus(level.right_to_move, below.right_to_move)?,
                    );
                    gains.push(split(&mut algebra, gain)?);
                } else {
                    self.state.zones = fresh(&mut algebra, level)?;
                }
                below = Some(level);
            }
            self.state.gains = gains;
            Ok(())
        };
        guess().map_err(|_| stopped(&algebra))
    }

    /// Starts from shorter strips that are solved for the purpose, one from the other: that takes a fraction of the time that a start
    /// from nothing does. They have `longest` squares at most. `watch` is asked as in [`run`](LevelSolver::run), about each of them.
    ///
    /// # Errors
    /// [`SymbolicError::MemoryLimit`].
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
            let mut solver = LevelSolver::new(length, self.limits, self.threads)?;
            if let Some(shorter) = &shorter {
                solver.guess(shorter.store(), &shorter.roots())?;
            }
            // Whoever asked for this length is told of this length.
            let ended = solver.run(watch).map_err(|error| error.of_length(self.length))?;
            if ended.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            shorter = Some(solver.levels()?);
        }
        if let Some(shorter) = shorter {
            self.guess(shorter.store(), &shorter.roots())?;
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Works until everything is decided, or `watch` says to stop: it is asked at the start and then several times a second. What has been done is
    /// then kept, and [`run`](LevelSolver::run) goes on from there.
    ///
    /// # Errors
    /// [`SymbolicError::MemoryLimit`].
    pub fn run(
        &mut self,
        watch: &mut dyn FnMut(&LevelSolver) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, SymbolicError> {
        let stop = Arc::new(AtomicBool::new(false));
        self.state.at = vec![Some(0); self.threads];
        self.state.peaks = vec![(0, 0); self.threads];
        let shared = Shared {
            state: Mutex::new(std::mem::take(&mut self.state)),
            news: Condvar::new(),
            length: self.length,
            threads: self.threads,
        };
        let limits = SymbolicLimits {
            memory: self.limits.memory / self.threads as u64,
            ..self.limits
        };
        std::thread::scope(|scope| {
            for number in 0..self.threads {
                let (shared, stop) = (&shared, &stop);
                scope.spawn(move || shared.work(number, limits, stop));
            }
            let mut state = shared.lock();
            while !state.is_over() {
                // The watcher sees a solver: the state is lent to it and taken back.
                std::mem::swap(&mut self.state, &mut state);
                let told = watch(self);
                std::mem::swap(&mut self.state, &mut state);
                if told.is_break() {
                    break;
                }
                state = (shared.news.wait_timeout(state, LOOK)).expect(WHOLE).0;
            }
            drop(state);
            stop.store(true, Ordering::Relaxed);
            shared.news.notify_all();
        });
        self.state = shared.state.into_inner().expect(WHOLE);
        self.state.busy = 0;
        match self.state.failure.take() {
            Some(failure) => Err(failure),
            None if self.state.done => Ok(ControlFlow::Continue(())),
            None => Ok(ControlFlow::Break(())),
        }
    }

    /// Where the work stands.
    pub fn live(&self) -> Live {
        self.state.live
    }

    /// The number of squares.
    pub fn length(&self) -> usize {
        self.length
    }

    /// The levels as they stand, the last of them in progress or finished, in one store.
    ///
    /// # Errors
    /// [`SymbolicError::MemoryLimit`].
    pub fn levels(&self) -> Result<Levels, SymbolicError> {
        let mut algebra = begin(self.length, self.limits)?;
        let current: Vec<_> = (self.state.zones.iter())
            .map(|zone| zone.boards.clone())
            .collect();
        let unfinished = (!self.state.done).then_some(&current);
        let levels = (self.state.levels.iter().chain(unfinished))
            .map(|zones| joined(&mut algebra, zones))
            .collect::<Result<_, _>>()
            .map_err(|_| stopped(&algebra))?;
        Ok(Levels { algebra, levels })
    }

    /// Writes a checkpoint, in place of what `file` names.
    ///
    /// # Errors
    /// [`CheckpointError`]; what was there before is then still there.
    pub fn save(&self, file: &Path) -> Result<(), CheckpointError> {
        let levels = self.levels().map_err(ResumeError::Engine)?;
        Saved::new(SOLVER, levels.store(), &levels.roots()).write(file)
    }

    /// Goes on from a checkpoint of this length: finished levels are kept, and the unfinished one is a good guess.
    ///
    /// # Errors
    /// [`CheckpointError`].
    pub fn resume(
        length: usize,
        limits: SymbolicLimits,
        threads: usize,
        file: &Path,
    ) -> Result<LevelSolver, CheckpointError> {
        let (mut algebra, roots) = Saved::read(file, SOLVER, length)?.restore(limits)?;
        let mut solver = LevelSolver::new(length, limits, threads).map_err(ResumeError::Engine)?;
        let (pairs, []) = roots.as_chunks::<2>() else {
            return Err(unusable(file, "there is a level for one player only"));
        };
        let pairs: Vec<Pair> = pairs
            .iter()
            .map(|&[left, right]| Pair::new(left, right))
            .collect();
        let levels: Result<Vec<_>, Halt> = pairs.iter().map(|&pair| split(&mut algebra, pair)).collect();
        let mut levels = levels.map_err(|_| ResumeError::Engine(stopped(&algebra)))?;
        if let [.., finished, _] = pairs[..] {
            solver.state.decided = boards(algebra.store(), finished);
        }
        if let Some(current) = levels.pop() {
            for (zone, boards) in solver.state.zones.iter_mut().zip(current) {
                zone.boards = boards;
            }
        }
        solver.state.live.level = levels.len();
        solver.state.levels = levels;
        Ok(solver)
    }
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
        (self.levels.iter())
            .flat_map(|pair| [pair.left_to_move, pair.right_to_move])
            .collect()
    }

    /// Who wins, by the last level.
    pub fn winners(&self) -> Winners<'_> {
        Winners {
            algebra: &self.algebra,
            sets: self.levels.last().copied().unwrap_or(Pair::EMPTY),
        }
    }
}

/// The sets of a strip from those of a shorter one: where the ball has as many squares on its left as on its right, or fewer,
/// the last squares may hold anything; elsewhere the first ones.
fn guessed<D: Diagram>(algebra: &mut Algebra, diagram: &D, level: [D::Ref; 2]) -> Result<Pair, Halt> {
    let (length, shorter) = (algebra.length(), diagram.length());
    let middle = (length - 1) / 2;
    let shift = length - shorter;
    let near = Portable::with_balls(diagram, &level, 1..=middle.min(shorter - 2));
    let first = (middle + 1).saturating_sub(shift).max(1);
    let far = Portable::with_balls(diagram, &level, first..=shorter - 2);
    let near = near.make(&mut algebra.store, 0)?;
    let far = far.make(&mut algebra.store, shift)?;
    Ok(Pair::new(
        algebra.or(near[0], far[0])?,
        algebra.or(near[1], far[1])?,
    ))
}

/// A pair of sets by zone.
fn split(algebra: &mut Algebra, sets: Pair) -> Result<Vec<Arc<Portable>>, Halt> {
    zones(algebra.length())
        .iter()
        .map(|balls| {
            let only = [
                algebra.only(sets.left_to_move, balls)?,
                algebra.only(sets.right_to_move, balls)?,
            ];
            Ok(Arc::new(Portable::of(algebra.store(), &only)))
        })
        .collect()
}

/// The members of both sets together.
pub(super) fn boards(store: &Store, sets: Pair) -> BigUint {
    count(store, sets.left_to_move) + count(store, sets.right_to_move)
}

/// The zones at the start of the work.
fn fresh(algebra: &mut Algebra, guess: Pair) -> Result<Vec<Zone>, Halt> {
    let fresh = |boards| Zone {
        boards,
        changed: 0,
        seen: None,
    };
    Ok(split(algebra, guess)?.into_iter().map(fresh).collect())
}

/// The sets of a level from those of its zones.
fn joined(algebra: &mut Algebra, level: &[Arc<Portable>]) -> Result<Pair, Halt> {
    let zones = zones(algebra.length());
    zones
        .iter()
        .zip(level)
        .try_fold(Pair::EMPTY, |sets, (balls, boards)| {
            let made = boards.make(&mut algebra.store, 0)?;
            Ok(Pair::new(
                algebra.replace(sets.left_to_move, balls, made[0])?,
                algebra.replace(sets.right_to_move, balls, made[1])?,
            ))
        })
}

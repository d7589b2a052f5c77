//! Winners: levels of forward play, each solved iteratively from a guess.
//!
//! A turn of Left is *forward* if it touches only squares to the right of the ball. Level k holds
//! the boards that Left wins with at most k backward turns:
//!
//! ```text
//!     A(k) = Left to move:  a forward turn wins or leads into R(k), or any turn leads into R(k − 1)      R(−1) = ∅
//!     R(k) = Right to move: every turn leads into A(k) or wins for Left
//! ```
//!
//! Play with at most k turns of Left that are not forward terminates (docs/PROOF.md), so these
//! equations have *one* solution, whatever sets the iteration starts from. Consequences:
//!
//! * Level 0 starts from a **guess**, the winners of the directional game (`guess`), which has few
//!   boards too many. Each further level starts from the one before.
//! * The iteration is Gauss–Seidel over pairs of ball squares (`zones`), until nothing changes.
//!   **Threads** share the work inside every operation ([`Algebra::sharing`]).
//! * The levels are a **proof**: checking the equations verifies the winners.
//!
//! Levels only grow. The work is complete when a level holds every board outside the mirror image,
//! or when it adds nothing to the level before; the other boards are then draws.

use super::algebra::Algebra;
use super::checkpoint::{CheckpointError, Saved, unusable};
use super::closure::Pair;
use super::counters::{Counters, Phases, Sweep};
use super::guess::directional_winners;
use super::mirrored::{Readings, reading};
use super::portable::Portable;
use super::recompute::{Recomputed, Task};
use super::store::{HALVES_FOR_CACHE, Halt, Id, Store, SymbolicLimits};
use super::workers::{Live, pool};
use super::zones::zones;
use super::{SymbolicError, new_algebra, stopped};
use crate::diagram::Diagram;
use crate::games::strip::positions;
use crate::job::Job;
use num_bigint::BigUint;
use rayon::ThreadPool;
use std::ops::RangeInclusive;
use std::path::Path;
use std::time::Instant;

/// The name of this solver in checkpoints.
const SOLVER: &str = "levels";

/// Groups sets in pairs.
fn pairs(sets: &[Id]) -> Vec<Pair> {
    let pairs = sets.as_chunks::<2>().0.iter();
    pairs.map(|&[left, right]| Pair::new(left, right)).collect()
}

/// The state of one zone.
#[derive(Clone, Copy, Default)]
struct Zone {
    /// Time of the last change of its boards.
    changed: u64,
    /// Time of the sets from which it was last recomputed in this level.
    seen: Option<u64>,
    /// See [`Task::won`].
    won: Option<Id>,
    /// See [`Task::jumps`].
    jumps: Option<Pair>,
}

/// Returns the readings of two sets outside of the store.
fn imported(algebra: &Algebra, copy: &Portable) -> Result<Readings, Halt> {
    let sets = copy.make(algebra.store())?;
    Readings::of(algebra, Pair::new(sets[0], sets[1]))
}

/// The state that a checkpoint holds; [`LevelSolver::with_state`] derives the rest.
#[derive(Default)]
struct State {
    /// The finished levels.
    levels: Vec<Pair>,
    /// The current level so far, which is the guess when the work resumes.
    unfinished: Pair,
}

impl State {
    /// Returns the state with these sets, Left and Right to move alternating; `None` if one is
    /// missing.
    fn of(roots: &[Id]) -> Option<State> {
        let mut levels = (roots.len().is_multiple_of(2)).then(|| pairs(roots))?;
        let unfinished = levels.pop().unwrap_or_default();
        Some(State { levels, unfinished })
    }
}

/// The work on one length.
pub struct LevelSolver {
    pool: ThreadPool,
    algebra: Algebra,
    /// The ball squares of each zone, in the order of recomputation.
    balls: Vec<RangeInclusive<usize>>,
    zones: Vec<Zone>,
    /// The finished levels.
    levels: Vec<Pair>,
    /// Number of boards in the last of them.
    decided: BigUint,
    /// The current level.
    sets: Readings,
    /// The ball squares, on the left and on the right, whose boards are up to date in only one
    /// reading of `sets`.
    uncopied: [Option<RangeInclusive<usize>>; 2],
    /// The last finished level, read from the right.
    below_from_right: Pair,
    /// A clock that counts changes of zones.
    time: u64,
    /// Index of the next zone, counted over all sweeps.
    next: usize,
    is_guessed: bool,
    done: bool,
    live: Live,
    phases: Phases,
    sweeps: Vec<Sweep>,
}

impl LevelSolver {
    /// Prepares a length from empty sets, with this many threads.
    pub fn new(length: usize, limits: SymbolicLimits, threads: usize) -> Result<LevelSolver, SymbolicError> {
        LevelSolver::with_state(new_algebra(length, limits)?, threads, State::default())
    }

    /// Derives a solver from its state.
    fn with_state(algebra: Algebra, threads: usize, state: State) -> Result<LevelSolver, SymbolicError> {
        let State { levels, unfinished } = state;
        let pool = pool(threads).map_err(|halt| stopped(&algebra, halt))?;
        let balls = zones(algebra.length(), levels.len());
        let mut solver = LevelSolver {
            algebra: algebra.sharing(pool.current_num_threads()),
            pool,
            zones: vec![Zone::default(); balls.len()],
            balls,
            decided: BigUint::ZERO,
            sets: Readings::default(),
            uncopied: [None, None],
            below_from_right: Pair::default(),
            time: 0,
            next: 0,
            is_guessed: !levels.is_empty() || unfinished != Pair::default(),
            done: false,
            live: Live {
                level: levels.len(),
                sweep: 1,
                ..Live::default()
            },
            phases: Phases::default(),
            sweeps: Vec::new(),
            levels,
        };
        let below = solver.levels.last().copied().unwrap_or_default();
        solver.decided = below.boards(solver.algebra.store());
        let (from_right, below) = (solver.algebra.images_of(unfinished))
            .and_then(|image| Ok((image, solver.algebra.images_of(below)?)))
            .map_err(|halt| stopped(&solver.algebra, halt))?;
        solver.sets = Readings {
            from_left: unfinished,
            from_right,
        };
        solver.below_from_right = below;
        Ok(solver)
    }

    /// Sets the guess for level 0; without it [`run`](LevelSolver::run) starts from the winners of
    /// the directional game. A wrong guess costs time but does not affect the result.
    ///
    /// # Panics
    /// If the strip of the guess has another length, or the work has started.
    pub fn guess<D: Diagram>(&mut self, diagram: &D, level: [D::Ref; 2]) -> Result<(), SymbolicError> {
        assert!(
            diagram.length() == self.algebra.length() && self.time == 0,
            "a guess comes first"
        );
        let copy = Portable::of(diagram, &level);
        let guess = self.algebra.growing(|algebra| imported(algebra, &copy));
        self.sets = guess.map_err(|halt| stopped(&self.algebra, halt))?;
        self.is_guessed = true;
        Ok(())
    }

    /// Starts level 0 from the winners of the directional game.
    fn start(&mut self) -> Result<(), Halt> {
        let (graph, level) = directional_winners(self.algebra.length(), self.algebra.store().job())?;
        let copy = Portable::of(&graph, &level);
        self.sets = self.with_retry(|solver| imported(&solver.algebra, &copy))?;
        self.is_guessed = true;
        Ok(())
    }

    /// Works until complete, or fails with [`SymbolicError::Stopped`]. The state is then that after
    /// the last complete step, from which the work can go on.
    pub fn run(&mut self, job: &Job) -> Result<(), SymbolicError> {
        while self.step(job)? {}
        Ok(())
    }

    /// Takes the next step, such as the recomputation of a zone. Returns whether there are more.
    pub fn step(&mut self, job: &Job) -> Result<bool, SymbolicError> {
        if self.done {
            return Ok(false);
        }
        job.check()?;
        self.algebra.store_mut().watch(job.clone());
        let stepped = if self.is_guessed {
            match self.next_stale() {
                Some(place) => self.recompute(place),
                None => self.end_level(),
            }
        } else {
            self.start()
        };
        let stepped = stepped.and_then(|()| {
            let is_due = self.algebra.store().should_collect();
            if is_due { self.collect() } else { Ok(()) }
        });
        stepped.map_err(|halt| stopped(&self.algebra, halt))?;
        job.report(self.algebra.store().nodes_made(), self.live().place());
        Ok(!self.done)
    }

    /// Returns the next *stale* zone: another zone has changed since it was recomputed. If there is
    /// none, the sets satisfy the equations of the level.
    fn next_stale(&mut self) -> Option<usize> {
        let count = self.zones.len();
        let is_stale = |zone: usize| {
            let others = self.zones.iter().enumerate().filter(|&(other, _)| other != zone);
            let changed = others.map(|(_, zone)| zone.changed).max();
            self.zones[zone].seen.is_none_or(|seen| changed > Some(seen))
        };
        let place = (self.next..self.next + count).find(|place| is_stale(place % count))?;
        if place / count > self.next.saturating_sub(1) / count || self.next == 0 {
            self.sweeps.push(Sweep::new(self.levels.len(), place / count + 1));
        }
        self.next = place + 1;
        Some(place % count)
    }

    /// Runs an operation. If it runs out of nodes, retries with more memory, and at the limit after
    /// collecting garbage: of other operations first, then of its own, with less memory for the cache
    /// each time.
    fn with_retry<T: Send>(
        &mut self,
        work: impl Fn(&LevelSolver) -> Result<T, Halt> + Sync,
    ) -> Result<T, Halt> {
        let mut left_to_cache = HALVES_FOR_CACHE.into_iter();
        self.algebra.store_mut().leave_to_cache(2);
        loop {
            match self.pool.install(|| work(self)) {
                Err(Halt::Full) => {}
                done => return done,
            }
            if let Err(halt) = self.pool.install(|| self.algebra.store_mut().grow()) {
                let halves = left_to_cache.next().ok_or(halt)?;
                self.collect()?;
                self.algebra.store_mut().leave_to_cache(halves);
            }
        }
    }

    /// Collects garbage; every set of the solver survives.
    fn collect(&mut self) -> Result<(), Halt> {
        let (won, jumps): (Vec<_>, Vec<_>) = (self.zones.iter_mut())
            .map(|zone| (&mut zone.won, &mut zone.jumps))
            .unzip();
        let pairs = (jumps.into_iter().flatten())
            .chain(&mut self.levels)
            .chain([&mut self.sets.from_left, &mut self.sets.from_right])
            .chain([&mut self.below_from_right]);
        let sets = pairs.flat_map(|pair| [&mut pair.left_to_move, &mut pair.right_to_move]);
        let roots = sets.chain(won.into_iter().flatten()).collect();
        self.algebra.collect(&self.pool, roots)
    }

    /// Copies the changes of the right half, or of the left, to the other reading.
    fn copy_from(&mut self, right: bool) -> Result<(), Halt> {
        let Some(balls) = self.uncopied[usize::from(right)].clone() else {
            return Ok(());
        };
        let begun = Instant::now();
        self.sets = self.with_retry(|solver| {
            let mut sets = solver.sets;
            sets.copy(&solver.algebra, &balls)?;
            Ok(sets)
        })?;
        self.uncopied[usize::from(right)] = None;
        self.phases.mirror += begun.elapsed().as_secs_f64();
        Ok(())
    }

    /// Recomputes a zone from the current sets.
    fn recompute(&mut self, zone: usize) -> Result<(), Halt> {
        let (begun, made) = (Instant::now(), self.algebra.store().counters().nodes_made);
        let (from_right, _) = reading(self.algebra.length(), &self.balls[zone]);
        self.copy_from(!from_right)?;
        let found = self.with_retry(|solver| {
            let task = Task {
                balls: solver.balls[zone].clone(),
                sets: solver.sets,
                below: Readings {
                    from_left: solver.levels.last().copied().unwrap_or_default(),
                    from_right: solver.below_from_right,
                },
                won: solver.zones[zone].won,
                jumps: solver.zones[zone].jumps,
            };
            task.run(&solver.algebra)
        })?;
        let Recomputed {
            won,
            jumps,
            sets,
            phases,
        } = found;
        let seen = Some(self.time);
        let changed = sets != self.sets;
        if changed {
            self.sets = sets;
            self.time += 1;
            self.zones[zone].changed = self.time;
            let (uncopied, balls) = (&mut self.uncopied[usize::from(from_right)], &self.balls[zone]);
            *uncopied = Some(match uncopied.take() {
                Some(others) => *others.start().min(balls.start())..=*others.end().max(balls.end()),
                None => balls.clone(),
            });
        }
        self.zones[zone] = Zone {
            seen,
            won: Some(won),
            jumps: Some(jumps),
            ..self.zones[zone]
        };
        self.live = Live {
            sweep: self.sweeps.last().map_or(1, |sweep| sweep.sweep),
            ball: *self.balls[zone].start(),
            ..self.live
        };
        self.phases += phases;
        let made = self.algebra.store().counters().nodes_made - made;
        if let Some(sweep) = self.sweeps.last_mut() {
            sweep.add(begun, made, changed);
        }
        Ok(())
    }

    /// Finishes a level when no zone is stale, and starts the next one if needed.
    fn end_level(&mut self) -> Result<(), Halt> {
        self.copy_from(false)?;
        self.copy_from(true)?;
        let decided = self.sets.from_left.boards(self.algebra.store());
        let everything = decided == positions(self.algebra.length());
        // Levels only grow, so one with as many boards as the level below is equal to it.
        let adds_nothing = !self.levels.is_empty() && decided == self.decided;
        if !adds_nothing {
            self.levels.push(self.sets.from_left);
            self.below_from_right = self.sets.from_right;
            self.decided = decided;
        }
        self.done = everything || adds_nothing;
        if !self.done {
            self.live = Live {
                level: self.levels.len(),
                sweep: 1,
                ball: 0,
            };
            self.balls = zones(self.algebra.length(), self.levels.len());
            self.zones.fill_with(Zone::default);
            self.next = 0;
        }
        Ok(())
    }

    /// Drops cached results when the work is complete.
    pub fn forget_results(&mut self) {
        self.algebra.store_mut().forget_results();
    }

    /// Returns the progress.
    pub fn live(&self) -> Live {
        self.live
    }

    /// Returns the costs so far.
    pub fn counters(&self) -> Counters {
        Counters {
            phases: self.phases,
            sweeps: self.sweeps.clone(),
            ..self.algebra.store().counters()
        }
    }

    /// Returns the nodes.
    pub fn store(&self) -> &Store {
        self.algebra.store()
    }

    /// Returns the sets of the current levels, from level 0, Left and Right to move alternating.
    pub fn roots(&self) -> Vec<Id> {
        let unfinished = (!self.done).then_some(&self.sets.from_left);
        (self.levels.iter().chain(unfinished))
            .flat_map(|pair| pair.sets())
            .collect()
    }

    /// Writes a checkpoint, replacing `file`.
    ///
    /// # Errors
    /// [`CheckpointError`]; the previous file is then unchanged.
    pub fn save(&self, file: &Path) -> Result<(), CheckpointError> {
        Saved::new(SOLVER, self.store(), &self.roots()).write(file)
    }

    /// Resumes from a checkpoint of this length. Finished levels are kept, and the unfinished one
    /// is the guess. Ends soon after `job` is stopped.
    pub fn resume(
        length: usize,
        limits: SymbolicLimits,
        threads: usize,
        file: &Path,
        job: &Job,
    ) -> Result<LevelSolver, CheckpointError> {
        let (algebra, roots) = Saved::read(file, SOLVER, length)?.restore(limits, job)?;
        let state = State::of(&roots).ok_or_else(|| unusable(file, "a level lacks the set of one player"))?;
        LevelSolver::with_state(algebra, threads, state).map_err(CheckpointError::Engine)
    }
}

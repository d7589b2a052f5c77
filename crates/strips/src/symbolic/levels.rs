//! Winners, and levels of forward play: sets solved iteratively, stage by stage.
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
//!   boards too many. Each further stage starts from the one before.
//! * The iteration is Gauss–Seidel over pairs of ball squares (`zones`), until nothing changes.
//!   **Threads** share the work inside every operation ([`Algebra::sharing`]).
//! * The levels are a **proof**: checking the equations verifies the winners.
//!
//! With [`Goal::Levels`] each stage is a level. The work is complete when a level holds every board
//! outside the mirror image, or when it adds nothing to the level before; the other boards are then
//! draws.
//!
//! With [`Goal::Winners`] one system takes the place of all levels but level 0. A turn of Left is
//! *proper* if it is a stone to the right of the ball, a jump turn of at least three squares, or a
//! turn that wins. Play in which Left makes only proper turns ends (docs/PROOF.md, Theorem N).
//!
//! ```text
//!     stage 0     level 0
//!     stage 1     A = A(0), or a proper turn wins or leads into R
//!                 R = every turn leads into A or wins for Left
//!     stage k>1   like a level, above the sets of stage k − 1
//! ```
//!
//! * Level 0 is finished when its equations hold, and then has only boards that Left wins. Its sets
//!   satisfy the equations of stage 1 with ⊆ for =, so the sets of stage 1 only grow; and a board
//!   from which a turn, or every turn of Right, leads to a win of Left is one. So at any moment all
//!   boards are won, and when they and their mirror images are all boards, they are the winners: a
//!   board cannot be won by both. No sweep is needed to see that nothing changes.
//! * The same holds for ball squares: one with all of its boards decided needs no recomputation
//!   (`complete`). This serves the levels from 1 on, too.
//! * Nothing is gained by starting from the wins in the windows of N − 1 or N − 8 squares as well
//!   (docs/PROOF.md, Theorem 3): the same zones change, and more nodes are made, 9.0 million for 7.2
//!   at 96 squares.
//! * Proper turns win every won board of all lengths that have been solved, but that is no theorem.
//!   If stage 1 ends with undecided boards, they may be draws, or need a turn that is not proper.
//!   The next stages allow one more backward turn each, as levels do, and end when one adds nothing.
//!   Then no turn of Left leads from the other boards into R, so those outside the mirror image are
//!   draws.

use super::algebra::Algebra;
use super::checkpoint::{CheckpointError, Saved, unusable};
use super::closure::Pair;
use super::counters::{Counters, Phases, Sweep};
use super::guess::directional_winners;
use super::mirrored::{Readings, reading};
use super::portable::Portable;
use super::recompute::{LeftTurns, Task};
use super::state::State;
use super::store::{Halt, Id, Store, SymbolicLimits};
use super::workers::{Live, pool};
use super::{SymbolicError, new_algebra, stopped};
use num_bigint::BigUint;
use phutbase_base::job::Job;
use phutbase_files::FileError;
use phutbase_rules::strip::positions;
use phutbase_sets::Diagram;
use rayon::ThreadPool;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// The sets that a [`LevelSolver`] computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The boards that Left wins, with Left and with Right to move.
    Winners,
    /// Every level.
    Levels,
}

impl Goal {
    /// Returns the name of the goal in checkpoints.
    fn name(self) -> &'static str {
        match self {
            Goal::Winners => "winners",
            Goal::Levels => "levels",
        }
    }

    /// Names a stage.
    pub(super) fn stage(self, stage: usize) -> String {
        match (self, stage) {
            (Goal::Winners, 1) => "proper turns".to_string(),
            (Goal::Winners, 2..) => format!("all turns, level {}", stage - 1),
            _ => format!("level {stage}"),
        }
    }

    /// Returns the turns of Left that may lead into the sets of a stage, numbered from 0.
    fn turns(self, stage: usize) -> LeftTurns {
        if self == Goal::Winners && stage == 1 {
            LeftTurns::Proper
        } else {
            LeftTurns::Forward
        }
    }
}

/// Returns the readings of two sets outside of the store.
fn imported(algebra: &Algebra, copy: &Portable) -> Result<Readings, Halt> {
    let sets = copy.make(algebra.store())?;
    Readings::of(algebra, Pair::new(sets[0], sets[1]))
}

/// The work on one length, towards a goal.
pub struct LevelSolver {
    pool: Arc<ThreadPool>,
    algebra: Algebra,
    goal: Goal,
    state: State,
    /// Number of boards in the last finished stage.
    decided: BigUint,
    /// For each ball square, true if it is known to be complete.
    complete: Vec<bool>,
    is_guessed: bool,
    done: bool,
    phases: Phases,
    sweeps: Vec<Sweep>,
}

impl LevelSolver {
    /// Prepares a length from empty sets, with this many threads.
    pub fn new(
        length: usize,
        goal: Goal,
        limits: SymbolicLimits,
        threads: usize,
    ) -> Result<LevelSolver, SymbolicError> {
        let algebra = new_algebra(length, limits)?;
        let mut state = State::default();
        state.begin_level(length);
        LevelSolver::with_state(algebra, goal, threads, state)
    }

    /// Derives a solver from its state.
    fn with_state(
        algebra: Algebra,
        goal: Goal,
        threads: usize,
        state: State,
    ) -> Result<LevelSolver, SymbolicError> {
        let pool = pool(threads).map_err(|halt| stopped(&algebra, halt))?;
        let below = state.levels.last().copied().unwrap_or_default();
        Ok(LevelSolver {
            goal,
            decided: below.boards(algebra.store()),
            complete: vec![false; algebra.length()],
            algebra: algebra.sharing(pool.current_num_threads()),
            pool: pool.into(),
            is_guessed: !state.levels.is_empty() || state.sets != Readings::default(),
            done: false,
            phases: Phases::default(),
            sweeps: Vec::new(),
            state,
        })
    }

    /// Sets the guess for level 0; without it [`run`](LevelSolver::run) starts from the winners of
    /// the directional game. A wrong guess costs time but does not affect the result.
    ///
    /// # Panics
    /// If the strip of the guess has another length, or the work has started.
    pub fn guess<D: Diagram>(&mut self, diagram: &D, level: [D::Ref; 2]) -> Result<(), SymbolicError> {
        assert!(
            diagram.length() == self.algebra.length() && self.state.next == 0,
            "a guess comes first"
        );
        let copy = Portable::of(diagram, &level);
        let guess = self.algebra.growing(|algebra| imported(algebra, &copy));
        self.state.sets = guess.map_err(|halt| stopped(&self.algebra, halt))?;
        self.is_guessed = true;
        Ok(())
    }

    /// Starts level 0 from the winners of the directional game.
    fn start(&mut self) -> Result<(), Halt> {
        let (graph, level) = directional_winners(self.algebra.length(), self.algebra.store().job())?;
        let copy = Portable::of(&graph, &level);
        self.state.sets = self.with_retry(|solver| imported(&solver.algebra, &copy))?;
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
        let stepped = Arc::clone(&self.pool).install(|| {
            if !self.is_guessed {
                self.start()?;
            } else if let Some(place) = self.next_zone() {
                self.recompute(place)?;
            } else {
                self.end_stage()?;
            }
            if self.algebra.store().should_collect() {
                self.algebra.collect(self.state.sets_mut())?;
            }
            Ok(())
        });
        stepped.map_err(|halt| stopped(&self.algebra, halt))?;
        job.report(self.algebra.store().nodes_made(), self.live().place());
        Ok(!self.done)
    }

    /// Returns the next zone to be recomputed, counted over all sweeps.
    fn next_zone(&mut self) -> Option<usize> {
        let begun = Instant::now();
        let LevelSolver {
            algebra,
            state,
            complete,
            phases,
            ..
        } = self;
        // Until level 0 is finished, its sets may have boards that Left does not win. All later sets
        // have only boards that he wins.
        let is_sound = !state.levels.is_empty();
        let mut is_complete = |square: usize| {
            complete[square] = complete[square] || algebra.is_complete(&state.sets, square);
            complete[square]
        };
        let next = state.next_stale(|balls| is_sound && balls.clone().all(&mut is_complete));
        phases.complete += begun.elapsed().as_secs_f64();
        next
    }

    /// Runs an operation as [`Algebra::with_retry`] does.
    fn with_retry<T>(&mut self, work: impl Fn(&LevelSolver) -> Result<T, Halt>) -> Result<T, Halt> {
        Algebra::with_retry(
            self,
            |solver| (&mut solver.algebra, solver.state.sets_mut()),
            work,
        )
    }

    /// Copies the changes of the right half, or of the left, to the other reading.
    fn copy_from(&mut self, right: bool) -> Result<(), Halt> {
        let Some(balls) = self.state.uncopied[usize::from(right)].clone() else {
            return Ok(());
        };
        let begun = Instant::now();
        self.state.sets = self.with_retry(|solver| {
            let mut sets = solver.state.sets;
            sets.copy(&solver.algebra, &balls)?;
            Ok(sets)
        })?;
        self.state.uncopied[usize::from(right)] = None;
        self.phases.mirror += begun.elapsed().as_secs_f64();
        Ok(())
    }

    /// Recomputes a zone from the current sets. `place` is its number, counted over all sweeps.
    fn recompute(&mut self, place: usize) -> Result<(), Halt> {
        let (begun, made) = (Instant::now(), self.algebra.store().counters().nodes_made);
        let (sweep, zone) = self.state.sweep_and_zone(place);
        let level = self.state.levels.len();
        if (self.sweeps.last()).is_none_or(|last| (last.level, last.sweep) != (level, sweep)) {
            self.sweeps.push(Sweep::new(level, sweep));
        }
        let (from_right, _) = reading(self.algebra.length(), &self.state.balls[zone]);
        self.copy_from(!from_right)?;
        let found = self.with_retry(|solver| {
            let state = &solver.state;
            let before = state.zones[zone].computed;
            let task = Task {
                turns: solver.goal.turns(level),
                balls: state.balls[zone].clone(),
                sets: state.sets,
                below: Readings {
                    from_left: state.levels.last().copied().unwrap_or_default(),
                    from_right: state.below_from_right,
                },
                won: before.map(|computed| computed.won),
                jumps: before.map(|computed| computed.jumps),
            };
            task.run(&solver.algebra)
        })?;
        let changed = self.state.keep(place, &found, from_right);
        self.phases += found.phases;
        let made = self.algebra.store().counters().nodes_made - made;
        if let Some(sweep) = self.sweeps.last_mut() {
            sweep.add(begun, made, changed);
        }
        Ok(())
    }

    /// Finishes a stage when there is nothing to recompute, and starts the next one if needed.
    fn end_stage(&mut self) -> Result<(), Halt> {
        self.copy_from(false)?;
        self.copy_from(true)?;
        let state = &mut self.state;
        let decided = state.sets.from_left.boards(self.algebra.store());
        let everything = decided == positions(self.algebra.length());
        let stage = state.levels.len();
        // The sets of a stage include those of the stage below, so with as many boards they are equal.
        // If stage 1 of the winners adds nothing, turns that are not proper still may.
        let is_all = self.goal.turns(stage) == LeftTurns::Forward;
        let adds_nothing = stage > 0 && is_all && decided == self.decided;
        if !adds_nothing {
            state.levels.push(state.sets.from_left);
            state.below_from_right = state.sets.from_right;
            self.decided = decided;
        }
        self.done = everything || adds_nothing;
        if !self.done {
            state.begin_level(self.algebra.length());
        }
        Ok(())
    }

    /// Drops cached results when the work is complete.
    pub fn forget_results(&mut self) {
        self.algebra.store_mut().forget_results();
    }

    /// Returns the progress.
    pub fn live(&self) -> Live {
        let state = &self.state;
        let level = state.levels.len() - usize::from(self.done);
        let (sweep, ball) = match state.next.checked_sub(1) {
            None => (usize::from(self.is_guessed), 0),
            Some(place) => {
                let (sweep, zone) = state.sweep_and_zone(place);
                (sweep, *state.balls[zone].start())
            }
        };
        Live {
            goal: self.goal,
            level,
            sweep,
            ball,
        }
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

    /// Returns the current sets, Left and Right to move alternating: those of all levels, from level
    /// 0, or of the winners only.
    pub fn roots(&self) -> Vec<Id> {
        let unfinished = (!self.done).then_some(&self.state.sets.from_left);
        let pairs: Vec<&Pair> = self.state.levels.iter().chain(unfinished).collect();
        let wanted = match self.goal {
            Goal::Winners => &pairs[pairs.len() - 1..],
            Goal::Levels => &pairs,
        };
        wanted.iter().flat_map(|pair| pair.sets()).collect()
    }

    /// Writes a checkpoint, replacing `file`.
    ///
    /// # Errors
    /// The previous file is then unchanged, or replaced by the complete new one if only flushing the
    /// directory failed.
    pub fn save(&mut self, file: &Path) -> Result<(), FileError> {
        let sets: Vec<Id> = self.state.sets_mut().into_iter().map(|set| *set).collect();
        Saved::new(self.goal.name(), self.state.progress(), self.store(), &sets).write(file)
    }

    /// Resumes from a checkpoint of this length and goal. Ends soon after `job` is stopped.
    pub fn resume(
        length: usize,
        goal: Goal,
        limits: SymbolicLimits,
        threads: usize,
        file: &Path,
        job: &Job,
    ) -> Result<LevelSolver, CheckpointError> {
        let saved = Saved::read(file, goal.name(), length)?;
        let (algebra, sets) = saved.restore(limits, job)?;
        let state = State::of(length, saved.into_progress(), &sets)
            .ok_or_else(|| unusable(file, "the progress does not fit the sets"))?;
        LevelSolver::with_state(algebra, goal, threads, state).map_err(CheckpointError::Engine)
    }
}

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
//!   changes nothing. **Threads** share the work inside every operation ([`Algebra::sharing`]).
//! * The levels **prove** themselves: whoever checks the equations has checked who wins.
//!
//! Levels only grow. When one holds every board that a mirror image does not, everything is decided; when one adds nothing to
//! the level before, what is left is drawn.

use super::algebra::Algebra;
use super::checkpoint::{CheckpointError, Saved, unusable};
use super::closure::Pair;
use super::counters::{Counters, Phases, Sweep};
use super::found::{Levels, flat, halves, joined, pairs};
use super::portable::Portable;
use super::recompute::{Found, Task};
use super::store::{Halt, Id, Store, SymbolicLimits};
use super::workers::{Watched, pool};
use super::zones::zones;
use super::{SymbolicError, begin, stopped};
use crate::diagram::Diagram;
use crate::diagram::count::count;
use crate::games::rules::Rules;
use crate::games::strip::MIN_LENGTH;
use num_bigint::BigUint;
use rayon::ThreadPool;
use std::ops::{ControlFlow, RangeInclusive};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// The name of this solver in checkpoints.
const SOLVER: &str = "levels";
/// Shorter strips that are solved to warm up, about.
const WARM_UP_STEPS: usize = 20;

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

/// What is known of one zone.
#[derive(Clone, Copy, Default)]
struct Zone {
    /// When its boards last changed.
    changed: u64,
    /// The time of the sets from which it was last recomputed, if it was in this level.
    seen: Option<u64>,
    /// See [`Task::won`].
    won: Option<Id>,
    /// See [`Task::jumps`].
    jumps: Option<Pair>,
}

/// The work on one length.
pub struct LevelSolver {
    length: usize,
    limits: SymbolicLimits,
    pool: Arc<ThreadPool>,
    algebra: Algebra,
    balls: Vec<RangeInclusive<usize>>,
    zones: Vec<Zone>,
    /// The finished levels.
    levels: Vec<Pair>,
    /// Boards in the last of them.
    decided: BigUint,
    /// The level in progress.
    sets: Pair,
    /// Counts changes of zones.
    time: u64,
    /// The place of the next zone to look at, in the order of all sweeps.
    next: usize,
    done: bool,
    live: Live,
    phases: Phases,
    sweeps: Vec<Sweep>,
}

impl LevelSolver {
    /// Begins a length, from nothing, with this many threads.
    pub fn new(length: usize, limits: SymbolicLimits, threads: usize) -> Result<LevelSolver, SymbolicError> {
        let algebra = begin(length, limits)?;
        let pool = pool(threads).map_err(|halt| stopped(&algebra, halt))?;
        Ok(LevelSolver::with_algebra(algebra, pool))
    }

    fn with_algebra(algebra: Algebra, pool: Arc<ThreadPool>) -> LevelSolver {
        let balls = zones(algebra.length());
        LevelSolver {
            length: algebra.length(),
            limits: algebra.store().limits(),
            algebra: algebra.sharing(pool.current_num_threads()),
            pool,
            zones: vec![Zone::default(); balls.len()],
            balls,
            levels: Vec::new(),
            decided: BigUint::ZERO,
            sets: Pair::default(),
            time: 0,
            next: 0,
            done: false,
            live: Live::default(),
            phases: Phases::default(),
            sweeps: Vec::new(),
        }
    }

    /// Plays by these rules; must be called before the work begins.
    pub fn under(mut self, rules: Rules) -> LevelSolver {
        self.algebra.rules = rules;
        self
    }

    /// Starts from level 0 of a shorter strip, or from any other sets, Left to move and Right to move: a wrong guess costs time, never
    /// truth. Each further level starts from the one before. What the shorter strip's next level added to its first one is no good guess: where
    /// it is wrong, boards follow that need far more nodes than the level itself.
    ///
    /// # Panics
    /// If the strip of the guess is longer, or the work has begun.
    pub fn guess<D: Diagram>(&mut self, diagram: &D, level: [D::Ref; 2]) -> Result<(), SymbolicError> {
        assert!(
            diagram.length() <= self.length && self.time == 0,
            "a guess comes first"
        );
        let halves = halves(diagram, level, self.length);
        let guess = self.algebra.growing(|algebra| joined(algebra, &halves));
        self.sets = guess.map_err(|halt| stopped(&self.algebra, halt))?;
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
            let algebra = begin(length, self.limits)?.under(self.algebra.rules);
            let mut solver = LevelSolver::with_algebra(algebra, Arc::clone(&self.pool));
            if let Some(shorter) = &shorter {
                solver.guess(shorter.store(), shorter.first())?;
            }
            // The caller asked for this length.
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
        let mut watched = Watched::new(watch);
        self.algebra.store_mut().stop_on(Arc::clone(&watched.stop));
        watched.look_now(self);
        while !self.done {
            if watched.look(self) {
                return Ok(ControlFlow::Break(()));
            }
            let result = match self.next_stale() {
                Some(zone) => self.recompute(zone, &mut watched),
                None => self.end_level(&mut watched),
            };
            match result {
                Ok(()) if self.algebra.store().is_untidy() => self.collect(),
                done => done,
            }
            .or_else(|halt| match halt {
                Halt::Interrupted => Ok(()),
                halt => Err(stopped(&self.algebra, halt)),
            })?;
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Takes the next zone to recompute: a *stale* one, as another zone has changed since it was recomputed. If none is, the sets
    /// satisfy the equations of the level.
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

    /// Does something that may make many nodes. If they do not fit, starts it again with more room, as far as memory goes, and
    /// then without garbage.
    fn with_retry<T: Send>(
        &mut self,
        watched: &mut Watched<'_, LevelSolver>,
        work: impl Fn(&LevelSolver) -> Result<T, Halt> + Sync,
    ) -> Result<T, Halt> {
        let mut collected = false;
        loop {
            self.algebra.store().reset_turnover();
            match watched.during(&self.pool, self, &work) {
                Err(Halt::Full) => {}
                done => return done,
            }
            let pool = Arc::clone(&self.pool);
            match pool.install(|| self.algebra.store_mut().grow()) {
                Ok(()) => {}
                Err(halt) if collected => return Err(halt),
                Err(_) => {
                    self.collect()?;
                    collected = true;
                }
            }
        }
    }

    fn collect(&mut self) -> Result<(), Halt> {
        let (zones, pool) = (self.zones.iter_mut(), Arc::clone(&self.pool));
        let (won, jumps): (Vec<_>, Vec<_>) = zones.map(|zone| (&mut zone.won, &mut zone.jumps)).unzip();
        let pairs = (jumps.into_iter().flatten())
            .chain(&mut self.levels)
            .chain([&mut self.sets]);
        let sets = pairs.flat_map(|pair| [&mut pair.left_to_move, &mut pair.right_to_move]);
        let mut roots: Vec<&mut Id> = sets.chain(won.into_iter().flatten()).collect();
        pool.install(|| self.algebra.collect(&mut roots))
    }

    /// Recomputes a zone from the sets as they stand.
    fn recompute(&mut self, zone: usize, watched: &mut Watched<'_, LevelSolver>) -> Result<(), Halt> {
        let (begun, made) = (Instant::now(), self.algebra.store().counters().nodes_made);
        let found = self.with_retry(watched, |solver| {
            let task = Task {
                balls: solver.balls[zone].clone(),
                sets: solver.sets,
                below: solver.levels.last().copied().unwrap_or_default(),
                won: solver.zones[zone].won,
                jumps: solver.zones[zone].jumps,
            };
            task.run(&solver.algebra)
        })?;
        let Found {
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
        }
        self.zones[zone] = Zone {
            seen,
            won: Some(won),
            jumps: Some(jumps),
            ..self.zones[zone]
        };
        self.live = Live {
            recomputed: self.live.recomputed + 1,
            changed: self.live.changed + usize::from(changed),
            zones: self.zones.len(),
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

    /// No zone is stale: the level is solved. Begins the next one unless this was the last.
    fn end_level(&mut self, watched: &mut Watched<'_, LevelSolver>) -> Result<(), Halt> {
        let decided = watched.during(&self.pool, self, |solver| {
            Ok(boards(solver.algebra.store(), solver.sets))
        })?;
        let everything = decided == BigUint::from(self.length - 2) << (self.length - 1);
        // Levels only grow, so one that is as large as the level below is the level below.
        let adds_nothing = !self.levels.is_empty() && decided == self.decided;
        if !adds_nothing {
            self.levels.push(self.sets);
            self.decided = decided;
        }
        self.done = everything || adds_nothing;
        if !self.done {
            self.live = Live {
                level: self.levels.len(),
                sweeps_before: self.live.sweeps_before + self.next.div_ceil(self.zones.len()),
                recomputed: 0,
                changed: 0,
                ..self.live
            };
            self.zones.fill_with(Zone::default);
            self.next = 0;
        }
        Ok(())
    }

    /// Where the work stands.
    pub fn live(&self) -> Live {
        let store = self.algebra.store();
        Live {
            nodes: store.nodes(),
            bytes: store.bytes(),
            ..self.live
        }
    }

    /// What the work has cost so far, shorter strips not counted.
    pub fn counters(&self) -> Counters {
        Counters {
            phases: self.phases,
            sweeps: self.sweeps.clone(),
            ..self.algebra.store().counters()
        }
    }

    /// The number of squares.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Lends the levels as they stand, the last of them in progress or finished: nodes, and the sets from level 0, Left to move and Right to
    /// move in turn.
    pub fn lend<T>(&self, to: impl FnOnce(&Store, &[Id]) -> T) -> T {
        let unfinished = (!self.done).then_some(self.sets);
        let levels: Vec<Pair> = self.levels.iter().copied().chain(unfinished).collect();
        to(self.algebra.store(), &flat(&levels))
    }

    /// The levels as they stand, in a store of their own.
    pub fn levels(&self) -> Result<Levels, SymbolicError> {
        let copy = self.lend(Portable::of);
        let mut algebra = begin(self.length, self.limits)?;
        let made = algebra.growing(|algebra| copy.make(algebra.store(), 0));
        let roots = made.map_err(|halt| stopped(&algebra, halt))?;
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
        let rules = self.algebra.rules;
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
        let pool = pool(threads).map_err(|halt| CheckpointError::Engine(stopped(&algebra, halt)))?;
        let mut solver = LevelSolver::with_algebra(algebra, pool);
        let mut levels = pairs(&roots);
        solver.sets = levels.pop().unwrap_or_default();
        if let Some(&finished) = levels.last() {
            solver.decided = boards(solver.algebra.store(), finished);
        }
        solver.live.level = levels.len();
        solver.levels = levels;
        Ok(solver)
    }
}

/// The members of both sets together.
fn boards(store: &Store, sets: Pair) -> BigUint {
    count(store, sets.left_to_move) + count(store, sets.right_to_move)
}

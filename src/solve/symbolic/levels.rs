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
//! * Ball squares are recomputed one by one, from the middle outwards, until none changes: in most lengths the third sweep
//!   changes nothing. The order is free, so **threads** recompute different squares at the same time, each in a store of its own
//!   ([`Worker`]), and tell each other what they found.
//! * The levels **prove** themselves: whoever checks the equations has checked who wins.
//!
//! Levels only grow. When one holds every board that a mirror image does not, everything is decided; when one adds nothing to
//! the level before, what is left is drawn.

use super::algebra::Algebra;
use super::checkpoint::{CheckpointError, Saved, unusable};
use super::closure::Pair;
use super::portable::Portable;
use super::store::{Halt, Id, Limits, Store};
use super::worker::Worker;
use super::{SymbolicError, Winners, begin, stopped};
use crate::diagram::Diagram;
use crate::diagram::count::count;
use crate::games::strip::MIN_LENGTH;
use crate::table::error::ResumeError;
use num_bigint::BigUint;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

/// The name of this solver in checkpoints.
const SOLVER: &str = "levels";
/// How often the work is looked at from outside.
const LOOK: Duration = Duration::from_millis(50);
/// Squares that a thread may be ahead of another in the order. One that runs ahead works from sets that others are about to improve.
const WINDOW: usize = 3;
/// Shorter strips that are solved to warm up, about.
const WARM_UP_STEPS: usize = 20;
/// Why a lock is never poisoned.
const WHOLE: &str = "no thread panics while it holds the state";
/// More threads than this cost more than they bring: they work from older sets.
pub const MOST_THREADS: usize = 4;

/// Where the work stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Live {
    /// The level in progress.
    pub level: usize,
    /// Ball squares recomputed in this level, over all sweeps.
    pub squares: usize,
    /// Those that changed something.
    pub changed: usize,
    /// The last ball square that was done.
    pub ball: usize,
    /// Nodes in memory, of all threads.
    pub nodes: usize,
    /// Bytes held, by all threads.
    pub bytes: u64,
}

/// The work on one length.
pub struct LevelSolver {
    length: usize,
    limits: Limits,
    threads: usize,
    state: State,
}

/// What all threads know. The sets of a ball square are of boards that Left wins, Left to move and Right to move.
#[derive(Default)]
struct State {
    live: Live,
    /// The finished levels, by ball square.
    levels: Vec<Vec<Arc<Portable>>>,
    /// Boards in the last of them.
    decided: BigUint,
    squares: Vec<Square>,
    /// What each level after the first is guessed to add to the one below, by ball square.
    gains: Vec<Vec<Arc<Portable>>>,
    /// Counts changes of squares.
    time: u64,
    /// Threads at work on a square.
    busy: usize,
    done: bool,
    failure: Option<SymbolicError>,
    peaks: Vec<(usize, u64)>,
    /// How far each thread is: the place of its square in the order of all sweeps; nothing if it has none to do.
    at: Vec<Option<usize>>,
}

/// One ball square.
#[derive(Clone)]
struct Square {
    boards: Arc<Portable>,
    /// When `boards` last changed.
    changed: u64,
    /// The time of the sets from which it was last recomputed, if it was in this level.
    seen: Option<u64>,
}

impl LevelSolver {
    /// Begins a length, from nothing. `limits` are for all threads together; of these more than [`MOST_THREADS`] are not used.
    ///
    /// # Errors
    /// [`SymbolicError::Length`], [`SymbolicError::MemoryLimit`].
    pub fn new(length: usize, limits: Limits, threads: usize) -> Result<LevelSolver, SymbolicError> {
        let mut algebra = begin(length, limits)?;
        let mut solver = LevelSolver {
            length,
            limits,
            threads: threads.clamp(1, MOST_THREADS),
            state: State::default(),
        };
        let nothing = squares(&mut algebra, Pair::EMPTY);
        solver.state.squares = nothing.map_err(|_| stopped(&algebra))?;
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
                    self.state.squares = squares(&mut algebra, level)?;
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
        let limits = Limits {
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
        let current: Vec<_> = (self.state.squares.iter())
            .map(|square| square.boards.clone())
            .collect();
        let unfinished = (!self.state.done).then_some(&current);
        let levels = (self.state.levels.iter().chain(unfinished))
            .map(|squares| joined(&mut algebra, squares))
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
        limits: Limits,
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
            for (square, boards) in solver.state.squares.iter_mut().zip(current) {
                square.boards = boards;
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

/// What the threads of one run share.
struct Shared {
    state: Mutex<State>,
    /// A square changed, a level ended, or the work is over.
    news: Condvar,
    length: usize,
    threads: usize,
}

impl State {
    fn is_over(&self) -> bool {
        self.done || self.failure.is_some()
    }

    /// Whether the sets of another square changed since this one was recomputed.
    fn is_stale(&self, ball: usize) -> bool {
        let Some(seen) = self.squares[ball - 1].seen else {
            return true;
        };
        let others = self.squares.iter().enumerate();
        others
            .filter(|&(place, _)| place + 1 != ball)
            .any(|(_, square)| square.changed > seen)
    }
}

/// What a thread knows of the shared state.
struct Knowledge {
    worker: Worker,
    /// Levels finished.
    level: usize,
    /// The boards that the worker has of each ball square.
    boards: Vec<Arc<Portable>>,
    /// The thread's squares, from the middle outwards, and their places in the order of all squares.
    own: Vec<(usize, usize)>,
    /// The square to look at next: sweeps over `own` so far, and a place in it.
    next: (usize, usize),
}

impl Knowledge {
    /// The thread's next square to recompute, if there is one.
    fn next_stale(&self, state: &State) -> Option<(usize, usize)> {
        let (sweep, first) = self.next;
        (first..first + self.own.len())
            .map(|place| (sweep + place / self.own.len(), place % self.own.len()))
            .find(|&(_, place)| state.is_stale(self.own[place].0))
    }

    /// Takes over the boards of all squares that the worker does not have.
    fn learn<'a>(&mut self, squares: impl Iterator<Item = &'a Arc<Portable>>) -> Result<(), Halt> {
        for (place, boards) in squares.enumerate() {
            if !Arc::ptr_eq(&self.boards[place], boards) {
                self.worker.learn(place + 1, boards)?;
                self.boards[place] = boards.clone();
            }
        }
        Ok(())
    }

    /// Goes to the square after the next one.
    fn step(&mut self) {
        self.next.1 += 1;
        if self.next.1 == self.own.len() {
            self.next = (self.next.0 + 1, 0);
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect(WHOLE)
    }

    /// Everything that one thread does.
    fn work(&self, number: usize, limits: Limits, stop: &Arc<AtomicBool>) {
        let worker = match Worker::new(self.length, limits, stop.clone()) {
            Ok(worker) => worker,
            Err(_) => {
                let failure = SymbolicError::MemoryLimit {
                    length: self.length,
                    nodes: 0,
                    bytes: 0,
                    limit: limits.memory,
                };
                self.lock().failure.get_or_insert(failure);
                self.news.notify_all();
                return;
            }
        };
        let nothing = Arc::new(Portable::of(worker.algebra().store(), &[Id::BOTTOM; 2]));
        let mut knowledge = Knowledge {
            worker,
            level: 0,
            boards: vec![nothing.clone(); self.length - 2],
            own: own_squares(self.length, number, self.threads),
            next: (0, 0),
        };
        while !stop.load(Ordering::Relaxed) {
            match self.do_one(number, &mut knowledge) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => return,
                Err(halt) => {
                    let mut state = self.lock();
                    state.busy -= 1;
                    if halt == Halt::Full {
                        let failure = stopped(knowledge.worker.algebra());
                        state.failure.get_or_insert(failure);
                    }
                    self.news.notify_all();
                    return;
                }
            }
        }
    }

    /// Finds a square to recompute and does it, or ends the level, or waits.
    fn do_one(&self, number: usize, knowledge: &mut Knowledge) -> Result<ControlFlow<()>, Halt> {
        let mut state = self.lock();
        if state.is_over() {
            return Ok(ControlFlow::Break(()));
        }
        let Some(next) = knowledge.next_stale(&state) else {
            state.at[number] = None;
            let all_fresh = (1..=self.length - 2).all(|ball| !state.is_stale(ball));
            if all_fresh && state.busy == 0 {
                state.busy += 1;
                drop(state);
                self.end_level(knowledge)?;
            } else {
                self.wait(state);
            }
            return Ok(ControlFlow::Continue(()));
        };
        let (ball, place) = knowledge.own[next.1];
        let at = next.0 * (self.length - 2) + place;
        state.at[number] = Some(at);
        if state.at.iter().flatten().any(|other| at > other + WINDOW) {
            self.wait(state);
            return Ok(ControlFlow::Continue(()));
        }
        state.busy += 1;
        let time = state.time;
        drop(state);
        self.catch_up(knowledge)?;
        let found = (knowledge.worker).recompute(ball, &knowledge.boards[ball - 1])?;
        knowledge.next = next;
        knowledge.step();
        self.publish(number, knowledge, ball, time, found);
        Ok(ControlFlow::Continue(()))
    }

    /// Waits for news, not for ever: the flag that stops the work rings no bell.
    fn wait(&self, state: MutexGuard<'_, State>) {
        drop(self.news.wait_timeout(state, LOOK));
    }

    /// Says what became of a square that was recomputed from the sets as of `time`, or newer ones.
    fn publish(
        &self,
        number: usize,
        knowledge: &mut Knowledge,
        ball: usize,
        time: u64,
        found: Option<Portable>,
    ) {
        let mut state = self.lock();
        let state = &mut *state;
        state.busy -= 1;
        state.live.squares += 1;
        state.live.ball = ball;
        let square = &mut state.squares[ball - 1];
        square.seen = Some(time);
        if let Some(boards) = found {
            state.time += 1;
            state.live.changed += 1;
            square.boards = Arc::new(boards);
            square.changed = state.time;
            knowledge.boards[ball - 1] = square.boards.clone();
        }
        let store = knowledge.worker.algebra().store();
        state.peaks[number] = (store.nodes(), store.bytes());
        state.live.nodes = state.peaks.iter().map(|peak| peak.0).sum();
        state.live.bytes = state.peaks.iter().map(|peak| peak.1).sum();
        self.news.notify_all();
    }

    /// Brings a worker's copy of the sets up to date.
    fn catch_up(&self, knowledge: &mut Knowledge) -> Result<(), Halt> {
        let state = self.lock();
        let levels = state.levels.clone();
        let squares = state.squares.clone();
        drop(state);
        for level in &levels[knowledge.level..] {
            knowledge.learn(level.iter())?;
            if knowledge.level == 0 {
                knowledge.worker.is_level_0();
            }
            knowledge.worker.next_level();
            knowledge.level += 1;
        }
        knowledge.learn(squares.iter().map(|square| &square.boards))
    }

    /// No square is stale and nobody is at work: the level is solved. Begins the next one unless this was the last.
    fn end_level(&self, knowledge: &mut Knowledge) -> Result<(), Halt> {
        self.catch_up(knowledge)?;
        let decided = boards(knowledge.worker.algebra().store(), knowledge.worker.sets());
        let everything = decided == BigUint::from(self.length - 2) << (self.length - 1);
        let mut state = self.lock();
        // Levels only grow, so one that is as large as the level below is the level below.
        let adds_nothing = !state.levels.is_empty() && decided == state.decided;
        if !adds_nothing {
            let level = state.squares.iter().map(|square| square.boards.clone());
            let level = level.collect();
            state.levels.push(level);
            state.decided = decided;
        }
        state.done = everything || adds_nothing;
        if !state.done {
            state.live = Live {
                level: state.levels.len(),
                squares: 0,
                changed: 0,
                ..state.live
            };
            let gains = state.gains.get(state.levels.len() - 1).cloned();
            state.time += 1;
            let time = state.time;
            for (place, square) in state.squares.iter_mut().enumerate() {
                square.seen = None;
                if let Some(gains) = &gains {
                    square.boards = Arc::new(knowledge.worker.widened(place + 1, &gains[place])?);
                    square.changed = time;
                }
            }
        }
        state.busy -= 1;
        self.news.notify_all();
        Ok(())
    }
}

/// The ball squares of one thread, from the middle outwards, on either side in turn: those on the right take longer.
fn own_squares(length: usize, number: usize, threads: usize) -> Vec<(usize, usize)> {
    let mut balls: Vec<usize> = (1..=length - 2).collect();
    balls.sort_by_key(|&ball| (2 * ball + 1).abs_diff(length));
    let places = balls.iter().enumerate();
    places
        .filter(|(place, _)| (place + place / threads) % threads == number)
        .map(|(place, &ball)| (ball, place))
        .collect()
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

/// A pair of sets by ball square.
fn split(algebra: &mut Algebra, sets: Pair) -> Result<Vec<Arc<Portable>>, Halt> {
    (1..=algebra.length() - 2)
        .map(|ball| {
            let only = [
                algebra.only(sets.left_to_move, ball)?,
                algebra.only(sets.right_to_move, ball)?,
            ];
            Ok(Arc::new(Portable::of(algebra.store(), &only)))
        })
        .collect()
}

/// The members of both sets together.
fn boards(store: &Store, sets: Pair) -> BigUint {
    count(store, sets.left_to_move) + count(store, sets.right_to_move)
}

/// The squares at the start of the work.
fn squares(algebra: &mut Algebra, guess: Pair) -> Result<Vec<Square>, Halt> {
    let fresh = |boards| Square {
        boards,
        changed: 0,
        seen: None,
    };
    Ok(split(algebra, guess)?.into_iter().map(fresh).collect())
}

/// The sets of a level from those of its ball squares.
fn joined(algebra: &mut Algebra, squares: &[Arc<Portable>]) -> Result<Pair, Halt> {
    squares
        .iter()
        .enumerate()
        .try_fold(Pair::EMPTY, |sets, (place, boards)| {
            let made = boards.make(&mut algebra.store, 0)?;
            Ok(Pair::new(
                algebra.replace(sets.left_to_move, place + 1, made[0])?,
                algebra.replace(sets.right_to_move, place + 1, made[1])?,
            ))
        })
}

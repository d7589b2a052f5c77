//! The threads of the level solver: who recomputes which ball square, and what they tell each other.
//!
//! A ball square is *stale* if another one has changed since it was recomputed. Each thread goes through its own squares, from the
//! middle outwards, and recomputes those that are stale, not far ahead of the others. When none is stale and nobody is at work, the
//! level is solved: its sets satisfy the equations.

use super::levels::{Live, boards};
use super::portable::Portable;
use super::store::{Halt, Id, Limits};
use super::worker::Worker;
use super::{SymbolicError, stopped};
use num_bigint::BigUint;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

/// How often the work is looked at from outside.
pub(super) const LOOK: Duration = Duration::from_millis(50);
/// Squares that a thread may be ahead of another in the order. One that runs ahead works from sets that others are about to improve.
const WINDOW: usize = 3;
/// Why a lock is never poisoned.
pub(super) const WHOLE: &str = "no thread panics while it holds the state";

/// What all threads know. The sets of a ball square are of boards that Left wins, Left to move and Right to move.
#[derive(Default)]
pub(super) struct State {
    pub live: Live,
    /// The finished levels, by ball square.
    pub levels: Vec<Vec<Arc<Portable>>>,
    /// Boards in the last of them.
    pub decided: BigUint,
    pub squares: Vec<Square>,
    /// What each level after the first is guessed to add to the one below, by ball square.
    pub gains: Vec<Vec<Arc<Portable>>>,
    /// Counts changes of squares.
    pub time: u64,
    /// Threads at work on a square.
    pub busy: usize,
    pub done: bool,
    pub failure: Option<SymbolicError>,
    pub peaks: Vec<(usize, u64)>,
    /// How far each thread is: the place of its square in the order of all sweeps; nothing if it has none to do.
    pub at: Vec<Option<usize>>,
}

/// One ball square.
#[derive(Clone)]
pub(super) struct Square {
    pub boards: Arc<Portable>,
    /// When `boards` last changed.
    pub changed: u64,
    /// The time of the sets from which it was last recomputed, if it was in this level.
    pub seen: Option<u64>,
}

/// What the threads of one run share.
pub(super) struct Shared {
    pub state: Mutex<State>,
    /// A square changed, a level ended, or the work is over.
    pub news: Condvar,
    pub length: usize,
    pub threads: usize,
}

impl State {
    pub fn is_over(&self) -> bool {
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
    pub fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect(WHOLE)
    }

    /// Everything that one thread does.
    pub fn work(&self, number: usize, limits: Limits, stop: &Arc<AtomicBool>) {
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

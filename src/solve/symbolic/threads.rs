//! The threads of the level solver: who recomputes which zone, and what they tell each other.
//!
//! A zone is *stale* if another one has changed since it was recomputed. Each thread goes through its own zones, from the
//! middle outwards, and recomputes those that are stale, not far ahead of the others. When none is stale and nobody is at work, the
//! level is solved: its sets satisfy the equations.

use super::levels::{Live, boards};
use super::portable::Portable;
use super::store::{Halt, Id, SymbolicLimits};
use super::worker::Worker;
use super::zones::zones;
use super::{SymbolicError, stopped};
use num_bigint::BigUint;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

/// How often the work is looked at from outside.
pub(super) const LOOK: Duration = Duration::from_millis(50);
/// Zones that a thread may be ahead of another in the order. One that runs ahead works from sets that others are about to improve.
const WINDOW: usize = 1;
/// Why a lock is never poisoned.
pub(super) const WHOLE: &str = "no thread panics while it holds the state";

/// What all threads know. The sets of a zone are of boards that Left wins, Left to move and Right to move.
#[derive(Default)]
pub(super) struct State {
    pub live: Live,
    /// The finished levels, by zone.
    pub levels: Vec<Vec<Arc<Portable>>>,
    /// Boards in the last of them.
    pub decided: BigUint,
    pub zones: Vec<Zone>,
    /// What each level after the first is guessed to add to the one below, by zone.
    pub gains: Vec<Vec<Arc<Portable>>>,
    /// Counts changes of zones.
    pub time: u64,
    /// Threads at work on a zone.
    pub busy: usize,
    pub done: bool,
    pub failure: Option<SymbolicError>,
    pub peaks: Vec<(usize, u64)>,
    /// How far each thread is: the place of its zone in the order of all sweeps; nothing if it has none to do.
    pub at: Vec<Option<usize>>,
}

/// What is known of one zone.
#[derive(Clone)]
pub(super) struct Zone {
    pub boards: Arc<Portable>,
    /// When `boards` last changed.
    pub changed: u64,
    /// The time of the sets from which it was last recomputed, if it was in this level.
    pub seen: Option<u64>,
}

/// What the threads of one run share.
pub(super) struct Shared {
    pub state: Mutex<State>,
    /// A zone changed, a level ended, or the work is over.
    pub news: Condvar,
    pub length: usize,
    pub threads: usize,
}

impl State {
    pub fn is_over(&self) -> bool {
        self.done || self.failure.is_some()
    }

    /// Whether the sets of another zone changed since this one was recomputed.
    fn is_stale(&self, zone: usize) -> bool {
        let Some(seen) = self.zones[zone].seen else {
            return true;
        };
        let others = self.zones.iter().enumerate();
        others
            .filter(|&(place, _)| place != zone)
            .any(|(_, zone)| zone.changed > seen)
    }
}

/// What a thread knows of the shared state.
struct Knowledge {
    worker: Worker,
    /// Levels finished.
    level: usize,
    /// The boards that the worker has of each zone.
    boards: Vec<Arc<Portable>>,
    /// The thread's zones, from the middle outwards.
    own: Vec<usize>,
    /// The zone to look at next: sweeps over `own` so far, and a place in it.
    next: (usize, usize),
}

impl Knowledge {
    /// The thread's next zone to recompute, if there is one.
    fn next_stale(&self, state: &State) -> Option<(usize, usize)> {
        let (sweep, first) = self.next;
        (first..first + self.own.len())
            .map(|place| (sweep + place / self.own.len(), place % self.own.len()))
            .find(|&(_, place)| state.is_stale(self.own[place]))
    }

    /// Takes over the boards of all zones that the worker does not have.
    fn learn<'a>(&mut self, zones: impl Iterator<Item = &'a Arc<Portable>>) -> Result<(), Halt> {
        for (place, boards) in zones.enumerate() {
            if !Arc::ptr_eq(&self.boards[place], boards) {
                self.worker.learn(place, boards)?;
                self.boards[place] = boards.clone();
            }
        }
        Ok(())
    }

    /// Goes to the zone after the next one.
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
    pub fn work(&self, number: usize, limits: SymbolicLimits, stop: &Arc<AtomicBool>) {
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
            boards: vec![nothing.clone(); zones(self.length).len()],
            own: own_zones(self.length, number, self.threads),
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

    /// Finds a zone to recompute and does it, or ends the level, or waits.
    fn do_one(&self, number: usize, knowledge: &mut Knowledge) -> Result<ControlFlow<()>, Halt> {
        let mut state = self.lock();
        if state.is_over() {
            return Ok(ControlFlow::Break(()));
        }
        let Some(next) = knowledge.next_stale(&state) else {
            state.at[number] = None;
            let all_fresh = (0..state.zones.len()).all(|zone| !state.is_stale(zone));
            if all_fresh && state.busy == 0 {
                state.busy += 1;
                drop(state);
                self.end_level(knowledge)?;
            } else {
                self.wait(state);
            }
            return Ok(ControlFlow::Continue(()));
        };
        let zone = knowledge.own[next.1];
        let at = next.0 * state.zones.len() + zone;
        state.at[number] = Some(at);
        if state.at.iter().flatten().any(|other| at > other + WINDOW) {
            self.wait(state);
            return Ok(ControlFlow::Continue(()));
        }
        state.busy += 1;
        let time = state.time;
        drop(state);
        self.catch_up(knowledge)?;
        let found = (knowledge.worker).recompute(zone, &knowledge.boards[zone])?;
        knowledge.next = next;
        knowledge.step();
        self.publish(number, knowledge, zone, time, found);
        Ok(ControlFlow::Continue(()))
    }

    /// Waits for news, not for ever: the flag that stops the work rings no bell.
    fn wait(&self, state: MutexGuard<'_, State>) {
        drop(self.news.wait_timeout(state, LOOK));
    }

    /// Says what became of a zone that was recomputed from the sets as of `time`, or newer ones.
    fn publish(
        &self,
        number: usize,
        knowledge: &mut Knowledge,
        zone: usize,
        time: u64,
        found: Option<Portable>,
    ) {
        let mut state = self.lock();
        let state = &mut *state;
        state.busy -= 1;
        state.live.recomputed += 1;
        state.live.zones = state.zones.len();
        state.live.ball = *zones(self.length)[zone].start();
        let known = &mut state.zones[zone];
        known.seen = Some(time);
        if let Some(boards) = found {
            state.time += 1;
            state.live.changed += 1;
            known.boards = Arc::new(boards);
            known.changed = state.time;
            knowledge.boards[zone] = known.boards.clone();
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
        let current = state.zones.clone();
        drop(state);
        for level in &levels[knowledge.level..] {
            knowledge.learn(level.iter())?;
            knowledge.worker.next_level();
            knowledge.level += 1;
        }
        knowledge.learn(current.iter().map(|zone| &zone.boards))
    }

    /// No zone is stale and nobody is at work: the level is solved. Begins the next one unless this was the last.
    fn end_level(&self, knowledge: &mut Knowledge) -> Result<(), Halt> {
        self.catch_up(knowledge)?;
        let decided = boards(knowledge.worker.algebra().store(), knowledge.worker.sets());
        let everything = decided == BigUint::from(self.length - 2) << (self.length - 1);
        let mut state = self.lock();
        // Levels only grow, so one that is as large as the level below is the level below.
        let adds_nothing = !state.levels.is_empty() && decided == state.decided;
        if !adds_nothing {
            let level = state.zones.iter().map(|zone| zone.boards.clone());
            let level = level.collect();
            state.levels.push(level);
            state.decided = decided;
        }
        state.done = everything || adds_nothing;
        if !state.done {
            state.live = Live {
                level: state.levels.len(),
                recomputed: 0,
                changed: 0,
                ..state.live
            };
            let gains = state.gains.get(state.levels.len() - 1).cloned();
            state.time += 1;
            let time = state.time;
            for (place, zone) in state.zones.iter_mut().enumerate() {
                zone.seen = None;
                if let Some(gains) = &gains {
                    zone.boards = Arc::new(knowledge.worker.widened(place, &gains[place])?);
                    zone.changed = time;
                }
            }
        }
        state.busy -= 1;
        self.news.notify_all();
        Ok(())
    }
}

/// The zones of one thread, from the middle outwards, on either side in turn: those on the right take longer.
fn own_zones(length: usize, number: usize, threads: usize) -> Vec<usize> {
    (0..zones(length).len())
        .filter(|place| (place + place / threads) % threads == number)
        .collect()
}

//! The threads of the level solver: who recomputes which zone.
//!
//! A zone is *stale* if another one has changed since it was recomputed. The threads go through the zones from the middle outwards, a
//! *ring* of two at a time, and recompute those that are stale. When none is stale and nobody is at work, the level is
//! solved: its sets satisfy the equations.
//!
//! All sets are in one store. Whoever uses their numbers holds it for reading; whoever makes room holds it for writing, alone. A thread
//! locks the store before the state, never the other way round.

use super::algebra::Algebra;
use super::closure::Pair;
use super::levels::{Live, boards};
use super::recompute::{Found, Task};
use super::store::{Halt, Id};
use super::zones::zones;
use super::{SymbolicError, stopped};
use num_bigint::BigUint;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, RwLock, RwLockReadGuard};
use std::time::Duration;

/// How often the work is looked at from outside.
const LOOK: Duration = Duration::from_millis(50);
/// Why a lock is never poisoned.
const WHOLE: &str = "no thread panics while it holds a lock";

/// What all threads know. Sets are of boards that Left wins, Left to move and Right to move.
#[derive(Default)]
pub(super) struct State {
    pub live: Live,
    /// The finished levels.
    pub levels: Vec<Pair>,
    /// Boards in the last of them.
    pub decided: BigUint,
    /// The level in progress.
    pub sets: Pair,
    zones: Vec<Zone>,
    /// Counts changes of zones.
    pub time: u64,
    /// Counts how often room was made.
    rooms: u64,
    /// The place of the next zone to look at, in the order of all sweeps.
    next: usize,
    /// The places of the zones that are being recomputed.
    busy: Vec<usize>,
    /// A thread is ending the level.
    ending: bool,
    pub done: bool,
    pub failure: Option<SymbolicError>,
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

impl State {
    /// Whether there is no more to do.
    fn is_over(&self) -> bool {
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

    /// Sweeps begun in this level.
    pub fn sweeps(&self) -> usize {
        self.next.div_ceil(self.zones.len())
    }

    /// The levels, the last of them in progress or finished.
    pub fn all_levels(&self) -> Vec<Pair> {
        let unfinished = (!self.done).then_some(self.sets);
        self.levels.iter().copied().chain(unfinished).collect()
    }

    /// All sets that are wanted.
    fn roots(&mut self) -> Vec<&mut Id> {
        let zones = self.zones.iter_mut();
        let (won, jumps): (Vec<_>, Vec<_>) = zones.map(|zone| (&mut zone.won, &mut zone.jumps)).unzip();
        let pairs = (jumps.into_iter().flatten())
            .chain(&mut self.levels)
            .chain([&mut self.sets]);
        let roots = pairs.flat_map(|pair| [&mut pair.left_to_move, &mut pair.right_to_move]);
        roots.chain(won.into_iter().flatten()).collect()
    }

    /// Takes the next zone to recompute, by its place in the order of all sweeps. No thread goes ahead of another into the next
    /// ring: it would work from sets that are about to improve, and what they have wrong takes many nodes.
    fn take(&mut self) -> Option<usize> {
        let count = self.zones.len();
        let ring = |place: usize| (place / count, (place % count).div_ceil(2));
        let first_busy = self.busy.iter().map(|&place| ring(place)).min();
        let is_near = |place: usize| first_busy.is_none_or(|first| ring(place) <= first);
        let is_free = |place: usize| self.busy.iter().all(|busy| busy % count != place % count);
        let place = (self.next..self.next + count)
            .take_while(|&place| is_near(place))
            .find(|&place| is_free(place) && self.is_stale(place % count))?;
        self.next = place + 1;
        self.busy.push(place);
        Some(place)
    }
}

/// What the threads of one run share.
pub(super) struct Shared {
    algebra: RwLock<Algebra>,
    state: Mutex<State>,
    /// A zone was recomputed, a level ended, or the work is over.
    news: Condvar,
    zones: Vec<RangeInclusive<usize>>,
}

impl Shared {
    /// Nothing is known.
    pub fn new(algebra: Algebra) -> Shared {
        let zones = zones(algebra.length());
        let state = State {
            zones: zones.iter().map(|_| Zone::default()).collect(),
            ..State::default()
        };
        Shared {
            algebra: RwLock::new(algebra),
            state: Mutex::new(state),
            news: Condvar::new(),
            zones,
        }
    }

    /// Store and state, where no thread is at work.
    pub fn parts(&mut self) -> (&mut Algebra, &mut State) {
        let algebra = self.algebra.get_mut().expect(WHOLE);
        (algebra, self.state.get_mut().expect(WHOLE))
    }

    /// The store, for reading.
    pub fn algebra(&self) -> RwLockReadGuard<'_, Algebra> {
        self.algebra.read().expect(WHOLE)
    }

    /// The state.
    pub fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect(WHOLE)
    }

    /// Where the work stands, with the nodes and bytes of this moment; while room is made, of the last time that somebody asked.
    pub fn live(&self) -> Live {
        let algebra = self.algebra.try_read();
        let mut state = self.lock();
        if let Ok(algebra) = algebra {
            state.live.nodes = algebra.store().nodes();
            state.live.bytes = algebra.store().bytes();
        }
        state.live
    }

    /// Begins a run, or goes on after one was stopped. It stops soon after `stop` goes up.
    pub fn begin(&mut self, stop: Arc<AtomicBool>) {
        let (algebra, state) = self.parts();
        algebra.store_mut().stop_on(stop);
        state.busy.clear();
        state.ending = false;
    }

    /// Waits for news, unless the work is over; says whether it is.
    pub fn is_over_after_news(&self) -> bool {
        let state = self.lock();
        state.is_over() || self.wait(state).is_over()
    }

    /// Waits for news, not for ever: the flag that stops the work rings no bell.
    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.news.wait_timeout(state, LOOK).expect(WHOLE).0
    }

    /// Everything that one thread does.
    pub fn work(&self, stop: &AtomicBool) {
        let mut result = Ok(());
        while result.is_ok() && !stop.load(Ordering::Relaxed) {
            let state = self.lock();
            if state.is_over() {
                break;
            }
            result = self.do_one(state);
        }
        if result == Err(Halt::Full) {
            let failure = stopped(&self.algebra());
            self.lock().failure.get_or_insert(failure);
        }
        self.news.notify_all();
    }

    /// Finds a zone to recompute and does it, or ends the level, or waits.
    fn do_one(&self, mut state: MutexGuard<'_, State>) -> Result<(), Halt> {
        if let Some(place) = state.take() {
            drop(state);
            self.with_room(|algebra| self.recompute(algebra, place % self.zones.len()))?;
            self.lock().busy.retain(|&busy| busy != place);
        } else if state.busy.is_empty() && !state.ending {
            state.ending = true;
            drop(state);
            self.with_room(|algebra| self.end_level(algebra))?;
            self.lock().ending = false;
        } else {
            drop(self.wait(state));
            return Ok(());
        }
        self.news.notify_all();
        Ok(())
    }

    /// Does something that may make many nodes. If there is no room for them, it makes some and does it again: more nodes, as far as memory
    /// goes; or else, with nobody else at work, without any garbage.
    fn with_room(&self, work: impl Fn(&Algebra) -> Result<(), Halt>) -> Result<(), Halt> {
        loop {
            let algebra = self.algebra();
            algebra.store().begin();
            let rooms = self.lock().rooms;
            let done = work(&algebra);
            let is_full = done == Err(Halt::Full);
            if !is_full && !algebra.store().is_untidy() {
                return done;
            }
            drop(algebra);
            let mut algebra = self.algebra.write().expect(WHOLE);
            let mut state = self.lock();
            // Perhaps somebody else made room meanwhile.
            if state.rooms == rooms {
                state.rooms += 1;
                if !is_full || algebra.store_mut().grow().is_err() {
                    algebra.collect(&mut state.roots());
                    drop(state);
                    return if is_full { algebra.growing(work) } else { done };
                }
            }
            if !is_full {
                return done;
            }
        }
    }

    /// Recomputes a zone and says what became of it.
    fn recompute(&self, algebra: &Algebra, zone: usize) -> Result<(), Halt> {
        let state = self.lock();
        let (time, sets) = (state.time, state.sets);
        let task = Task {
            balls: self.zones[zone].clone(),
            sets,
            below: state.levels.last().copied().unwrap_or_default(),
            won: state.zones[zone].won,
            jumps: state.zones[zone].jumps,
        };
        drop(state);
        let Found { won, jumps, boards } = task.run(algebra)?;
        let replaced = |sets| match boards {
            Some(boards) => task.replaced(algebra, sets, boards),
            None => Ok(sets),
        };
        // Others may replace their zones meanwhile.
        let mut before = task.sets;
        let (mut state, after) = loop {
            let after = replaced(before)?;
            let state = self.lock();
            if boards.is_none() || state.sets == before {
                break (state, after);
            }
            before = state.sets;
        };
        let state = &mut *state;
        state.live.recomputed += 1;
        if after != before {
            state.sets = after;
            state.time += 1;
            state.live.changed += 1;
            state.zones[zone].changed = state.time;
        }
        state.zones[zone] = Zone {
            seen: Some(time),
            won: Some(won),
            jumps: Some(jumps),
            ..state.zones[zone]
        };
        state.live = Live {
            zones: self.zones.len(),
            ball: *self.zones[zone].start(),
            ..state.live
        };
        Ok(())
    }

    /// No zone is stale and nobody is at work: the level is solved. Begins the next one unless this was the last.
    fn end_level(&self, algebra: &Algebra) -> Result<(), Halt> {
        let state = self.lock();
        let sets = state.sets;
        drop(state);
        let decided = boards(algebra.store(), sets);
        let length = algebra.length();
        let everything = decided == BigUint::from(length - 2) << (length - 1);
        let mut state = self.lock();
        // Levels only grow, so one that is as large as the level below is the level below.
        let adds_nothing = !state.levels.is_empty() && decided == state.decided;
        if !adds_nothing {
            state.levels.push(sets);
            state.decided = decided;
        }
        state.done = everything || adds_nothing;
        if !state.done {
            state.live = Live {
                level: state.levels.len(),
                sweeps_before: state.live.sweeps_before + state.sweeps(),
                recomputed: 0,
                changed: 0,
                ..state.live
            };
            state.zones.fill_with(Zone::default);
            state.next = 0;
        }
        Ok(())
    }
}

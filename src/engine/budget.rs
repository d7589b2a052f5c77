//! How long a search may go on: what `go` asks for, and the signal to stop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

/// Kept back of every time limit for what is not searching; a quarter of short ones.
const OVERHEAD: Duration = Duration::from_millis(5);
/// As much of it as may be used where there is no turn to make yet.
const GRACE: Duration = Duration::from_millis(3);
/// The time for a turn where `go` sets no limit at all.
const DEFAULT_TIME: Duration = Duration::from_secs(1);
/// Turns that a clock is made to last for.
const TURNS_LEFT: u32 = 25;

/// What `go` asks for; everything that is set holds at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Time for this turn.
    pub movetime: Option<Duration>,
    /// Plies to look ahead.
    pub depth: Option<u32>,
    /// Positions to look at.
    pub nodes: Option<u64>,
    /// Until `stop`, and no turn before.
    pub infinite: bool,
    /// Time left on the clocks of the first and the second player.
    pub clock: [Option<Duration>; 2],
    /// Time that is added to them for each turn.
    pub increment: [Duration; 2],
}

impl Go {
    /// A fixed time for the turn.
    pub fn movetime(time: Duration) -> Go {
        Go {
            movetime: Some(time),
            ..Go::default()
        }
    }

    /// The time that the player (0 or 1) takes; `None` if time does not matter.
    pub fn time(&self, player: usize) -> Option<Duration> {
        if self.infinite {
            return None;
        }
        let by_clock = self.clock[player].map(|left| {
            let share = left / TURNS_LEFT + self.increment[player] * 3 / 4;
            share.min(left.saturating_sub(OVERHEAD) / 2)
        });
        let by_turn = self.movetime.map(|time| time - OVERHEAD.min(time / 4));
        match (by_turn, by_clock) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (None, None) if self.depth.is_none() && self.nodes.is_none() => Some(DEFAULT_TIME),
            (one, other) => one.or(other),
        }
    }
}

/// A signal to stop, shared between threads.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<Signal>);

#[derive(Debug, Default)]
struct Signal {
    set: AtomicBool,
    waiting: Mutex<()>,
    changed: Condvar,
}

/// What makes locking the signal succeed.
const WAITING: &str = "nothing that can panic is done while the signal is held";

impl Stop {
    /// Gives the signal.
    pub fn set(&self) {
        let _held = self.0.waiting.lock().expect(WAITING);
        self.0.set.store(true, Ordering::Release);
        self.0.changed.notify_all();
    }

    /// Whether it has been given.
    pub fn is_set(&self) -> bool {
        self.0.set.load(Ordering::Acquire)
    }

    /// Waits for it.
    pub fn wait(&self) {
        let mut held = self.0.waiting.lock().expect(WAITING);
        while !self.is_set() {
            held = self.0.changed.wait(held).expect(WAITING);
        }
    }
}

/// The limits of one search, from its start.
#[derive(Clone, Debug)]
pub struct Budget {
    started: Instant,
    deadline: Option<Instant>,
    /// Plies to look ahead.
    pub depth: Option<u32>,
    /// Positions to look at.
    pub nodes: Option<u64>,
    stop: Stop,
}

impl Budget {
    /// The limits that `go` sets for a player (0 the first, 1 the second), counted from now.
    pub fn new(go: &Go, player: usize, stop: Stop) -> Budget {
        let started = Instant::now();
        Budget {
            started,
            deadline: go.time(player).map(|time| started + time),
            depth: go.depth,
            nodes: go.nodes,
            stop,
        }
    }

    /// Whether the search must end now, after so many positions.
    pub fn is_spent(&self, nodes: u64) -> bool {
        self.nodes.is_some_and(|most| nodes >= most)
            || self.stop.is_set()
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Whether time has run out, and what is kept back is nearly used up too; nodes do not count.
    pub fn is_overdue(&self) -> bool {
        self.stop.is_set()
            || self
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline + GRACE)
    }

    /// The same limits with the deadline brought nearer: only this part of the time that is left.
    pub fn part(&self, numerator: u32, denominator: u32) -> Budget {
        let now = Instant::now();
        Budget {
            deadline: (self.deadline)
                .map(|deadline| now + deadline.saturating_duration_since(now) * numerator / denominator),
            ..self.clone()
        }
    }

    /// Whether there is a time limit.
    pub fn is_timed(&self) -> bool {
        self.deadline.is_some()
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

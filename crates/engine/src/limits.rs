//! Limits of a search: the arguments of `go`, and the signal to stop.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Reserved from every time limit for work outside the search; a quarter of short limits.
const OVERHEAD: Duration = Duration::from_millis(5);
/// The part of [`OVERHEAD`] that may be spent while no turn has been chosen.
const GRACE: Duration = Duration::from_millis(3);
/// The time for a turn if `go` sets no limit.
const DEFAULT_TIME: Duration = Duration::from_secs(1);
/// Number of turns over which the remaining clock time is divided.
const TURNS_LEFT: u32 = 25;

/// The arguments of `go`; all limits apply together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    pub movetime: Option<Duration>,
    /// Depth in plies.
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub infinite: bool,
    /// Time left on the clocks of the first and the second player.
    pub clock: [Option<Duration>; 2],
    /// Time added to each clock per turn.
    pub increment: [Duration; 2],
    /// Turns until the clock of the player to move gets more time.
    pub movestogo: Option<u32>,
    /// The turns to choose from, in notation; empty for all.
    pub searchmoves: Vec<String>,
}

impl Go {
    pub fn movetime(time: Duration) -> Go {
        Go {
            movetime: Some(time),
            ..Go::default()
        }
    }

    /// Returns the time for a turn of the player (0 or 1); `None` without a time limit.
    pub fn time(&self, player: usize) -> Option<Duration> {
        if self.infinite {
            return None;
        }
        let by_clock = self.clock[player].map(|left| {
            let turns = self.movestogo.unwrap_or(TURNS_LEFT).clamp(1, TURNS_LEFT);
            let share = left / turns + self.increment[player] * 3 / 4;
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

/// A signal that can be raised once, and awaited.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<OnceLock<()>>);

impl Stop {
    pub fn set(&self) {
        self.0.get_or_init(|| ());
    }

    pub fn is_set(&self) -> bool {
        self.0.get().is_some()
    }

    /// Blocks until the signal is raised.
    pub fn wait(&self) {
        self.0.wait();
    }
}

/// Limits of one search, counted from its start.
#[derive(Clone, Debug)]
pub struct SearchLimits {
    started: Instant,
    pub deadline: Option<Instant>,
    /// Depth in plies.
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    stop: Stop,
}

impl SearchLimits {
    /// Applies `go` to a player (0 the first, 1 the second), starting now.
    pub fn new(go: &Go, player: usize, stop: Stop) -> SearchLimits {
        let started = Instant::now();
        SearchLimits {
            started,
            deadline: go.time(player).map(|time| started + time),
            depth: go.depth,
            nodes: go.nodes,
            stop,
        }
    }

    /// Returns true if a search that has visited this many positions must end now.
    pub fn is_spent(&self, nodes: u64) -> bool {
        self.nodes.is_some_and(|most| nodes >= most)
            || self.stop.is_set()
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Returns true if the time and most of the overhead are used up; nodes do not count.
    pub fn is_overdue(&self) -> bool {
        self.stop.is_set()
            || self
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline + GRACE)
    }

    /// Returns the same limits with a quarter of the remaining time.
    pub fn quarter(&self) -> SearchLimits {
        let now = Instant::now();
        SearchLimits {
            deadline: (self.deadline).map(|deadline| now + deadline.saturating_duration_since(now) / 4),
            ..self.clone()
        }
    }

    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

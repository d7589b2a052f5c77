//! The state of the work on winners between two steps: all that survives a collection of garbage
//! and that a checkpoint holds.

use super::closure::Pair;
use super::mirrored::Readings;
use super::recompute::Recomputed;
use super::store::Id;
use super::zones::zones;
use bincode::{Decode, Encode};
use std::ops::RangeInclusive;

/// The state of one zone.
#[derive(Clone, Copy, Default)]
pub struct Zone {
    /// Time of the last change of its boards.
    pub changed: u64,
    /// Its last recomputation in this level.
    pub computed: Option<Computed>,
}

/// A recomputation of a zone.
#[derive(Clone, Copy, Default)]
pub struct Computed {
    /// Time of the sets that it read.
    pub seen: u64,
    /// See [`Recomputed::won`].
    pub won: Id,
    /// See [`Recomputed::jumps`].
    pub jumps: Pair,
}

/// The state.
#[derive(Default)]
pub struct State {
    /// The finished levels.
    pub levels: Vec<Pair>,
    /// The last of them, read from the right.
    pub below_from_right: Pair,
    /// The current level.
    pub sets: Readings,
    /// The ball squares, on the left and on the right, whose boards are up to date in only one
    /// reading of `sets`.
    pub uncopied: [Option<RangeInclusive<usize>>; 2],
    /// The ball squares of each zone of the current level, in the order of recomputation.
    pub balls: Vec<RangeInclusive<usize>>,
    pub zones: Vec<Zone>,
    /// A clock that counts changes of zones in this level.
    pub time: u64,
    /// Index of the next zone, counted over all sweeps of this level.
    pub next: usize,
}

/// The contents of a checkpoint besides the sets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Progress {
    /// Number of finished levels.
    levels: usize,
    uncopied: [Option<RangeInclusive<usize>>; 2],
    /// [`Zone::changed`] and [`Computed::seen`].
    zones: Vec<(u64, Option<u64>)>,
    time: u64,
    next: usize,
}

impl State {
    /// Begins the next level.
    pub fn begin_level(&mut self, length: usize) {
        self.balls = zones(length, self.levels.len());
        self.zones = vec![Zone::default(); self.balls.len()];
        (self.time, self.next) = (0, 0);
    }

    /// Returns all sets.
    pub fn sets_mut(&mut self) -> Vec<&mut Id> {
        let computed = self.zones.iter_mut().filter_map(|zone| zone.computed.as_mut());
        let (won, jumps): (Vec<_>, Vec<_>) = computed.map(|zone| (&mut zone.won, &mut zone.jumps)).unzip();
        let pairs = (self.levels.iter_mut())
            .chain([&mut self.sets.from_left, &mut self.sets.from_right])
            .chain([&mut self.below_from_right])
            .chain(jumps);
        let sets = pairs.flat_map(|pair| [&mut pair.left_to_move, &mut pair.right_to_move]);
        sets.chain(won).collect()
    }

    /// Returns the contents of a checkpoint besides the sets.
    pub fn progress(&self) -> Progress {
        let zone = |zone: &Zone| (zone.changed, zone.computed.map(|computed| computed.seen));
        Progress {
            levels: self.levels.len(),
            uncopied: self.uncopied.clone(),
            zones: self.zones.iter().map(zone).collect(),
            time: self.time,
            next: self.next,
        }
    }

    /// Returns the state with this progress and [`sets_mut`](State::sets_mut); `None` if they do
    /// not fit together.
    pub fn of(length: usize, progress: Progress, sets: &[Id]) -> Option<State> {
        let Progress {
            levels,
            uncopied,
            zones,
            time,
            next,
        } = progress;
        let is_on_strip = |balls: &RangeInclusive<usize>| {
            let (first, last) = (*balls.start(), *balls.end());
            0 < first && first <= last && last < length - 1
        };
        let is_past = |&(changed, seen): &(u64, Option<u64>)| changed.max(seen.unwrap_or(0)) <= time;
        let fits = levels <= sets.len()
            && uncopied.iter().flatten().all(is_on_strip)
            && zones.iter().all(is_past)
            // A recomputation takes one number, and counts one change at most.
            && time <= next as u64
            && u32::try_from(next).is_ok();
        let mut state = State {
            levels: fits.then(|| vec![Pair::default(); levels])?,
            uncopied,
            ..State::default()
        };
        state.begin_level(length);
        (state.time, state.next) = (time, next);
        let with_progress = |(changed, seen): (u64, Option<u64>)| Zone {
            changed,
            computed: seen.map(|seen| Computed {
                seen,
                ..Computed::default()
            }),
        };
        state.zones = zones.into_iter().map(with_progress).collect();
        let mut places = state.sets_mut();
        let fits = places.len() == sets.len();
        for (place, &set) in places.iter_mut().zip(sets) {
            **place = set;
        }
        (fits && state.zones.len() == state.balls.len()).then_some(state)
    }

    /// Returns the next *stale* zone, counted over all sweeps: another zone has changed since it was
    /// recomputed, and its ball squares are not complete. If there is none, the sets satisfy the
    /// equations of the stage.
    pub fn next_stale(&self, mut is_complete: impl FnMut(&RangeInclusive<usize>) -> bool) -> Option<usize> {
        let count = self.zones.len();
        let is_stale = |zone: usize| {
            let others = self.zones.iter().enumerate().filter(|&(other, _)| other != zone);
            let changed = others.map(|(_, zone)| zone.changed).max();
            (self.zones[zone].computed).is_none_or(|computed| changed > Some(computed.seen))
        };
        (self.next..self.next + count)
            .find(|place| is_stale(place % count) && !is_complete(&self.balls[place % count]))
    }

    /// Returns the sweep, from 1, and the zone of a number that counts zones over all sweeps.
    pub fn sweep_and_zone(&self, place: usize) -> (usize, usize) {
        let count = self.zones.len();
        (place / count + 1, place % count)
    }

    /// Keeps the recomputation of a zone, numbered over all sweeps: the new sets, and what the next
    /// one needs. Returns whether the sets have changed.
    pub fn keep(&mut self, place: usize, found: &Recomputed, from_right: bool) -> bool {
        let (_, zone) = self.sweep_and_zone(place);
        self.next = place + 1;
        self.zones[zone].computed = Some(Computed {
            seen: self.time,
            won: found.won,
            jumps: found.jumps,
        });
        if found.sets == self.sets {
            return false;
        }
        self.sets = found.sets;
        self.time += 1;
        self.zones[zone].changed = self.time;
        let (uncopied, balls) = (&mut self.uncopied[usize::from(from_right)], &self.balls[zone]);
        *uncopied = Some(match uncopied.take() {
            Some(others) => *others.start().min(balls.start())..=*others.end().max(balls.end()),
            None => balls.clone(),
        });
        true
    }
}

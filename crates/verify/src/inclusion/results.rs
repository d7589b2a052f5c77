//! Results of a check, shared by all threads, in memory of a fixed size.
//!
//! A result may be forgotten: it is then found again. Each key has two places. An entry has two
//! words:
//!
//! | word | bits, from the highest |
//! |---|---|
//! | sets | both operands, 32 each |
//! | state | result 32, question 18, changes 13, being written 1 |
//!
//! A reader that finds the same state before and after has read a consistent entry, as in a
//! *sequence lock*; one that is being written reads as empty, and other threads do not write it. A
//! wrong result would need 2^13 changes of the entry between two neighbouring reads.

use super::nodes::{Set, mix, zeros};
use std::sync::atomic::{AtomicU64, Ordering, fence};

/// A question about two sets.
#[derive(Clone, Copy)]
pub struct Key {
    /// Positive, because 0 marks an unused entry, and below 2^18.
    pub question: u32,
    pub sets: [Set; 2],
}

const BUSY: u64 = 1;
const CHANGE: u64 = 1 << 1;
const CHANGES: u64 = (1 << 14) - CHANGE;
const QUESTION: u32 = 14;
const RESULT: u32 = 32;
/// Bytes of an entry.
pub const ENTRY_BYTES: u64 = 16;

impl Key {
    fn sets(self) -> u64 {
        u64::from(self.sets[0].0) << 32 | u64::from(self.sets[1].0)
    }
}

type Entry = [AtomicU64; 2];

pub struct Results {
    /// A power of two.
    entries: Vec<Entry>,
}

impl Results {
    /// Returns room for some results, rounded up to a power of two.
    pub fn with_room(entries: usize) -> Results {
        Results {
            entries: zeros(entries.next_power_of_two().max(2)),
        }
    }

    #[inline(always)]
    fn place(&self, key: Key) -> usize {
        mix(key.sets(), key.question.into()) as usize & (self.entries.len() - 1)
    }

    /// Returns a result, if it is still known.
    #[inline(always)]
    pub fn recall(&self, key: Key) -> Option<Set> {
        let place = self.place(key);
        [place, place ^ 1].into_iter().find_map(|place| {
            let [sets, state] = &self.entries[place];
            if sets.load(Ordering::Relaxed) != key.sets() {
                return None;
            }
            let before = state.load(Ordering::Acquire);
            let found = sets.load(Ordering::Relaxed);
            fence(Ordering::Acquire);
            let whole = state.load(Ordering::Relaxed) == before && before & BUSY == 0;
            let same = found == key.sets() && (before as u32) >> QUESTION == key.question;
            (whole && same).then_some(Set((before >> RESULT) as u32))
        })
    }

    /// Keeps a result in the first place of its key, and what was there in the second.
    #[inline(always)]
    pub fn keep(&self, key: Key, result: Set) {
        let place = self.place(key);
        let state = u64::from(result.0) << RESULT | u64::from(key.question) << QUESTION;
        if let Some([sets, state]) = self.write(place, [key.sets(), state])
            && state & !CHANGES != 0
        {
            self.write(place ^ 1, [sets, state & !CHANGES]);
        }
    }

    /// Writes an entry and returns its words before; `None` if another thread is writing it.
    #[inline(always)]
    fn write(&self, place: usize, [new_sets, new]: [u64; 2]) -> Option<[u64; 2]> {
        let [sets, state] = &self.entries[place];
        let before = state.load(Ordering::Relaxed);
        let claim = state.compare_exchange(before, before | BUSY, Ordering::Acquire, Ordering::Relaxed);
        if before & BUSY != 0 || claim.is_err() {
            return None;
        }
        fence(Ordering::Release);
        let old = sets.load(Ordering::Relaxed);
        sets.store(new_sets, Ordering::Relaxed);
        let changes = (before & CHANGES).wrapping_add(CHANGE) & CHANGES;
        state.store(new | changes, Ordering::Release);
        Some([old, before])
    }
}

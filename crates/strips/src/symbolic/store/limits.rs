//! The memory that a store may hold, and its growth.

use super::super::cache::{Cache, ID_BITS};
use super::{
    Counter, Halt, MIN_ENTRIES, Mapping, MappingError, POLL_INTERVAL, Place, RESULTS, Store, Unique, garbage,
};
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Memory in bytes that counting, checkpoints and tables take beside the store, if the limit is
/// small.
const BESIDE: u64 = 12 << 20;
/// The fraction of a large limit that they and mirror images may take.
const FRACTION_BESIDE: u64 = 32;
/// Bytes that the words of two mirror images take for each word that one has at a boundary: 8 for the
/// word, and 16 for at most two words at the next boundary, twice. Their nodes are not counted.
const BYTES_FOR_A_WORD: u64 = 48;

/// Bytes that the copy for a checkpoint takes for each node: 13 in the list and up to 21 for its
/// number, both with room to grow.
const COPY_BYTES: u64 = 40;

/// Memory in bytes that must remain available when tables grow. Failing small allocations would
/// abort the process.
const RESERVE: u64 = 24 << 20;

/// The least growth is the number of nodes halved as often as this.
const MOST_HALVINGS: u32 = 4;

/// Maximum number of entries: node numbers must fit in cache entries and in slots of the unique
/// table.
const MAX_ENTRIES: usize = 1 << ID_BITS;

/// Limits of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SymbolicLimits {
    /// Maximum size of the store in bytes.
    pub memory: u64,
    /// From this number of nodes on, garbage is collected even if memory is left.
    pub collect_above: usize,
}

impl Default for SymbolicLimits {
    fn default() -> SymbolicLimits {
        SymbolicLimits {
            memory: 4 << 30,
            // A collection drops the results for garbage, which are used again: with one at 21
            // million nodes, 112 squares computed 902 million results instead of 760 million.
            collect_above: usize::MAX,
        }
    }
}

impl Store {
    /// Returns the bytes that the store may hold: the rest of the limit is for counting and
    /// for the table.
    pub(super) fn budget(&self) -> u64 {
        let limit = self.limits.memory;
        limit - (limit / 4).min(BESIDE.max(limit / FRACTION_BESIDE))
    }

    /// Returns the number of words that a mirror image may have at a boundary.
    pub fn most_words_of_a_mirror(&self) -> u64 {
        self.limits.memory.saturating_sub(self.bytes()) / BYTES_FOR_A_WORD
    }

    /// Returns the bytes that room for more nodes takes.
    fn bytes_of_growth(&self, more: usize) -> u64 {
        let unique = self.unique.bytes_for(self.places.len() + more);
        (more * size_of::<Place>() + garbage::mark_bytes(more) + unique) as u64
    }

    /// Returns the limit that the next growth needs.
    pub fn least_limit(&self) -> u64 {
        let more = self.places.len() >> MOST_HALVINGS;
        let bytes = self.bytes() + self.bytes_of_growth(more) + bytes_of_copy(self.places.len() + more);
        bytes + (bytes / 3).min(BESIDE.max(bytes / (FRACTION_BESIDE - 1)))
    }

    /// Returns whether the cache may grow and has been overwritten once. A smaller cache evicts
    /// results before they are used, which can slow work from seconds to hours.
    pub(super) fn cache_should_grow(&self) -> bool {
        let written = POLL_INTERVAL * self.polls.0.load(Ordering::Relaxed);
        let entries = self.cache.entries();
        let most = self.budget() / 100 * self.cache_percent;
        let bytes = self.bytes() + bytes_of_copy(self.places.len());
        written > entries && bytes + Cache::bytes(entries) <= most
    }

    /// Lets the cache grow while the store takes at most this percentage of its memory: 100, or less
    /// to leave memory for the nodes of an operation that ran out of them.
    pub fn leave_to_cache(&mut self, percent: u64) {
        self.cache_percent = percent;
    }

    pub(super) fn grow_cache(&mut self, entries: usize) -> Result<(), Halt> {
        Store::expect_grant(Cache::bytes(entries - self.cache.entries()))?;
        self.cache.grow(entries)?;
        self.polls = Counter::default();
        Ok(())
    }

    /// Tests whether the system grants memory that is about to be needed, and the reserve.
    fn expect_grant(bytes: u64) -> Result<(), MappingError> {
        Mapping::<u8>::new((bytes + RESERVE) as usize, None).map(drop)
    }

    /// Makes room for half as many nodes more, or fewer near the limit, with a larger unique table
    /// and cache. Near the limit the cache does not grow.
    ///
    /// # Errors
    /// [`Halt::Full`] at the memory limit, [`Halt::Refused`] if the system refuses; the store is
    /// then unchanged.
    #[cold]
    pub fn grow(&mut self) -> Result<(), Halt> {
        let begun = Instant::now();
        let grown = self.enlarge();
        self.counters.growing.add(begun);
        grown
    }

    fn enlarge(&mut self) -> Result<(), Halt> {
        if self.cache_should_grow() {
            // A cache that cannot grow evicts results sooner; the nodes may still fit.
            if self.grow_cache(2 * self.cache.entries()).is_err() {
                self.cache_percent = 0;
            }
            return Ok(());
        }
        let end = self.numbers.end(self.places.len());
        let free = self.budget().saturating_sub(self.bytes());
        let (places, bytes) = (1..=MOST_HALVINGS)
            .map(|halvings| self.places.len() >> halvings)
            .map(|more| (self.places.len() + more, self.bytes_of_growth(more)))
            .find(|&(places, bytes)| places <= MAX_ENTRIES && bytes + bytes_of_copy(places) <= free)
            .ok_or(Halt::Full)?;
        let spare = free - bytes - bytes_of_copy(places);
        Store::expect_grant(bytes)?;
        self.unique.grow(places, &self.job)?;
        self.places.resize(places)?;
        self.numbers.resume(end);
        let entries = RESULTS * places.next_power_of_two();
        if entries > self.cache.entries() && Cache::bytes(entries) <= spare / 2 {
            // If the cache cannot grow, it evicts results sooner.
            let _ = self.grow_cache(entries);
        }
        Ok(())
    }

    /// Drops cached results, the unique table and room for nodes. No operation may follow.
    pub fn forget_results(&mut self) {
        // What cannot be made smaller stays as it is.
        let _ = self.places.resize(self.numbers.end(self.places.len()));
        if let (Ok(cache), Ok(unique)) = (Cache::new(RESULTS * MIN_ENTRIES), Unique::new(1)) {
            (self.cache, self.unique) = (cache, unique);
        }
    }
}

/// Returns the bytes that the copy for a checkpoint takes.
fn bytes_of_copy(nodes: usize) -> u64 {
    nodes as u64 * COPY_BYTES
}

//! The computed cache: results of operations, shared by all threads.
//!
//! The cache is set-associative: a result is in one of the four entries of its set, and a new result
//! evicts the oldest of them. The cache may drop results, so threads never block: an entry that is
//! being written reads as empty, and other threads do not write it. Each entry counts its changes;
//! a reader that finds the same count before and after has read a consistent entry (a *sequence
//! lock*). The key is compared in full.
//!
//! An entry has 16 bytes, so a set is a cache line:
//!
//! | word | bits, from the highest |
//! |---|---|
//! | operands | first operand 30, second operand 30, operation's low 4 |
//! | state | changes 9, being written 1, operation's high 24, result 30 |
//!
//! Operations that differ only in their lowest bit have the same set, for results that consist of
//! two diagrams, and for a union and an intersection, which may imply each other.

use super::store::{Halt, Id};
use phutbase_machine::scratch::{Mapping, MappingError};
use phutbase_sets::graph::prefetch;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering, fence};

/// The key of a result: the operation, including its parameters, and the operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// Below [`OPERATIONS`], and positive, because 0 marks an unused entry.
    pub operation: u32,
    /// The first operand.
    pub first: Id,
    /// The second operand; ⊥ if there is only one.
    pub second: Id,
}

/// Bits of a node number in an entry.
pub const ID_BITS: u32 = 30;
/// The number of operations.
pub const OPERATIONS: u32 = 1 << 28;

const ID_MASK: u64 = (1 << ID_BITS) - 1;
/// Bits of the operation that are stored with the operands.
const LOW_BITS: u32 = 4;
const BUSY: u64 = 1 << 54;
const CHANGE_BITS: u32 = 9;
const CHANGE: u64 = 1 << (u64::BITS - CHANGE_BITS);
/// Mask of the operation and the result in a state.
const CONTENT: u64 = BUSY - 1;

impl Key {
    fn operands(self) -> u64 {
        let low = self.operation & ((1 << LOW_BITS) - 1);
        u64::from(self.first.0) << 34 | u64::from(self.second.0) << LOW_BITS | u64::from(low)
    }

    /// Returns the operation's bits in the state.
    fn high(self) -> u64 {
        u64::from(self.operation >> LOW_BITS) << ID_BITS
    }

    /// Returns a hash that ignores the lowest bit of the operation.
    #[inline(always)]
    fn hash(self) -> u64 {
        mix(self.operands() & !1, (self.operation >> LOW_BITS).into())
    }
}

/// Mixes two words; the high bits are the best ones.
#[inline(always)]
pub(super) fn mix(a: u64, b: u64) -> u64 {
    let x = (a ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let y = (b.rotate_left(32) ^ x ^ (x >> 32)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    y ^ (y >> 29) ^ x.rotate_left(17)
}

/// A cached result.
type Entry = [AtomicU64; 2];
/// Entries of a set.
const WAYS: usize = 4;
type Set = [Entry; WAYS];

/// The entries; the number of sets is a power of two.
pub struct Cache {
    sets: Mapping<Set>,
}

impl Cache {
    /// Returns an empty cache.
    pub fn new(entries: usize) -> Result<Cache, MappingError> {
        let sets = Mapping::new(entries.div_ceil(WAYS).next_power_of_two(), None)?;
        Ok(Cache { sets })
    }

    /// Returns the number of entries.
    pub fn entries(&self) -> usize {
        self.sets.len() * WAYS
    }

    /// Returns the size of a number of entries in bytes.
    pub fn bytes(entries: usize) -> u64 {
        (entries * size_of::<Entry>()) as u64
    }

    /// Returns the index of a key's set.
    #[inline(always)]
    pub fn place(&self, key: Key) -> usize {
        key.hash() as usize & (self.sets.len() - 1)
    }

    /// Prefetches a key's set.
    #[inline(always)]
    pub fn prefetch(&self, key: Key) {
        prefetch(&self.sets[self.place(key)]);
    }

    /// Returns the result of a key in a set.
    #[inline(always)]
    pub fn recall(&self, place: usize, key: Key) -> Option<Id> {
        let mut entries = self.sets[place].iter();
        entries.find_map(|[operands, state]| {
            if operands.load(Ordering::Relaxed) != key.operands() {
                return None;
            }
            let before = state.load(Ordering::Acquire);
            let found = operands.load(Ordering::Relaxed);
            fence(Ordering::Acquire);
            let whole = state.load(Ordering::Relaxed) == before && before & BUSY == 0;
            let same = found == key.operands() && before & CONTENT & !ID_MASK == key.high();
            (whole && same).then_some(Id((before & ID_MASK) as u32))
        })
    }

    /// Writes a result to a set, evicting the oldest.
    #[inline(always)]
    pub fn remember(&self, place: usize, key: Key, result: Id) {
        let set = &self.sets[place];
        // Each result counts one entry up, so the entries are written in turn.
        let changes = set
            .iter()
            .map(|[_, state]| state.load(Ordering::Relaxed) / CHANGE);
        let [operands, state] = &set[changes.sum::<u64>() as usize % WAYS];
        let before = state.load(Ordering::Relaxed);
        let claim = state.compare_exchange(before, before | BUSY, Ordering::Acquire, Ordering::Relaxed);
        if before & BUSY != 0 || claim.is_err() {
            return;
        }
        fence(Ordering::Release);
        operands.store(key.operands(), Ordering::Relaxed);
        let changes = (before & !(CHANGE - 1)).wrapping_add(CHANGE);
        state.store(changes | key.high() | u64::from(result.0), Ordering::Release);
    }

    /// Returns the key and the result of an entry. No thread may be writing.
    fn content([operands, state]: &Entry) -> Option<(Key, Id)> {
        let [operands, state] = [operands, state].map(|word| word.load(Ordering::Relaxed));
        let id = |word: u64| Id((word & ID_MASK) as u32);
        let key = Key {
            operation: (((state & CONTENT) >> ID_BITS) << LOW_BITS) as u32 | (operands & 0xf) as u32,
            first: id(operands >> 34),
            second: id(operands >> LOW_BITS),
        };
        (key.operation != 0).then_some((key, id(state)))
    }

    /// Grows the cache in place to a power of two of entries.
    pub fn grow(&mut self, entries: usize) -> Result<(), MappingError> {
        let before = self.sets.len();
        self.sets.resize(entries / WAYS)?;
        let old = self.sets[..before].par_iter().with_min_len(1 << 10).enumerate();
        old.for_each(|(place, set)| {
            // The lower bits of its index remain, so a result moves to a new set or not at all.
            for entry in set {
                if let Some((key, result)) = Cache::content(entry)
                    && self.place(key) != place
                {
                    self.remember(self.place(key), key, result);
                    entry.iter().for_each(|word| word.store(0, Ordering::Relaxed));
                }
            }
        });
        Ok(())
    }

    /// Returns a cache of this size with the results that `keep` translates.
    ///
    /// # Errors
    /// Without memory, and those of `poll`.
    pub fn resized(
        &self,
        entries: usize,
        keep: impl Fn(Id) -> Option<Id> + Sync,
        poll: impl Fn() -> Result<(), Halt> + Sync,
    ) -> Result<Cache, Halt> {
        let new = Cache::new(entries)?;
        self.sets.par_chunks(1 << 14).try_for_each(|chunk| {
            for (key, result) in chunk.iter().flatten().filter_map(Cache::content) {
                let (first, second) = (keep(key.first), keep(key.second));
                if let (Some(first), Some(second), Some(result)) = (first, second, keep(result)) {
                    let key = Key { first, second, ..key };
                    new.remember(new.place(key), key, result);
                }
            }
            poll()
        })?;
        Ok(new)
    }
}

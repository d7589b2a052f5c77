//! The computed cache: results that were found before, for every thread.
//!
//! It is direct-mapped: a new result takes the place of an old one. Results are a luxury, so a thread never waits for another: an
//! entry that somebody is writing reads as forgotten, and is not written by anybody else. Each entry counts its changes; a reader that
//! finds the same count before and after has read one whole entry (a *sequence lock*). The key is compared in full, so nothing
//! is ever mistaken.

use super::super::scratch::Room;
use super::store::Id;
use bytemuck::Zeroable;
use std::sync::atomic::{AtomicU64, Ordering, fence};

/// The name of a remembered result: the operation with whatever it depends on besides its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// Never 0, which marks an entry that was never used.
    pub operation: u32,
    /// The first operand.
    pub first: Id,
    /// The second operand; ⊥ where there is only one.
    pub second: Id,
}

impl Key {
    fn hash(&self) -> u64 {
        mix(pair(self.first, self.second), self.operation.into())
    }
}

/// Spreads two words over 64 bits; the high bits are the good ones.
pub(super) fn mix(a: u64, b: u64) -> u64 {
    let x = (a ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let y = (b.rotate_left(32) ^ x ^ (x >> 32)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    y ^ (y >> 29) ^ x.rotate_left(17)
}

/// Two numbers in one word.
pub(super) fn pair(first: Id, second: Id) -> u64 {
    u64::from(first.0) << 32 | u64::from(second.0)
}

/// The two numbers of a word.
pub(super) fn unpair(word: u64) -> (Id, Id) {
    (Id((word >> 32) as u32), Id(word as u32))
}

/// A remembered result: one diagram, or two.
#[derive(Default, Zeroable)]
struct Entry {
    /// Changes so far, and the operation: the count is odd while the entry is being written.
    state: AtomicU64,
    operands: AtomicU64,
    result: AtomicU64,
}

/// One change more, in the upper half of an entry's state.
const CHANGE: u64 = 1 << 32;

/// The entries, a power of two of them.
pub struct Cache {
    entries: Room<Entry>,
}

impl Cache {
    /// An empty cache.
    pub fn new(entries: usize) -> Cache {
        Cache {
            entries: Room::granted(entries),
        }
    }

    /// How many results it can hold.
    pub fn entries(&self) -> usize {
        self.entries.len()
    }

    /// The bytes of so many entries.
    pub fn bytes(entries: usize) -> u64 {
        (entries * size_of::<Entry>()) as u64
    }

    #[inline]
    fn place(&self, key: Key) -> usize {
        key.hash() as usize & (self.entries.len() - 1)
    }

    /// What was computed before, if it is still remembered.
    #[inline]
    pub fn recall(&self, key: Key) -> Option<(Id, Id)> {
        let entry = &self.entries[self.place(key)];
        let before = entry.state.load(Ordering::Acquire);
        if before as u32 != key.operation || before & CHANGE != 0 {
            return None;
        }
        let operands = entry.operands.load(Ordering::Relaxed);
        let result = entry.result.load(Ordering::Relaxed);
        fence(Ordering::Acquire);
        let same = entry.state.load(Ordering::Relaxed) == before;
        (same && operands == pair(key.first, key.second)).then(|| unpair(result))
    }

    /// Remembers a result, in place of another. Returns the number of its entry.
    #[inline]
    pub fn remember(&self, key: Key, result: (Id, Id)) -> usize {
        let place = self.place(key);
        let entry = &self.entries[place];
        let before = entry.state.load(Ordering::Relaxed);
        let claim =
            (entry.state).compare_exchange(before, before | CHANGE, Ordering::Acquire, Ordering::Relaxed);
        if before & CHANGE != 0 || claim.is_err() {
            return place;
        }
        fence(Ordering::Release);
        (entry.operands).store(pair(key.first, key.second), Ordering::Relaxed);
        (entry.result).store(pair(result.0, result.1), Ordering::Relaxed);
        let changes = (before >> 32).wrapping_add(2);
        entry
            .state
            .store(changes << 32 | u64::from(key.operation), Ordering::Release);
        place
    }

    /// Moves what `keep` translates into a cache of another size.
    pub fn resize(&mut self, entries: usize, keep: impl Fn(Id) -> Option<Id>) {
        let old = std::mem::replace(self, Cache::new(entries));
        let read = |word: &AtomicU64| word.load(Ordering::Relaxed);
        for entry in old.entries.iter() {
            let operation = read(&entry.state) as u32;
            let (first, second) = unpair(read(&entry.operands));
            let (one, other) = unpair(read(&entry.result));
            if operation == 0 {
                continue;
            }
            if let (Some(first), Some(second), Some(one), Some(other)) =
                (keep(first), keep(second), keep(one), keep(other))
            {
                let key = Key {
                    operation,
                    first,
                    second,
                };
                self.remember(key, (one, other));
            }
        }
    }
}

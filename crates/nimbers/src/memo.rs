//! The memo: knowledge about canonical regions, shared between threads, in bounded memory.
//!
//! Keys are complete regions, not hashes. Small regions (up to 64 bits of mask) take 12 bytes,
//! large ones 20, and parts of graphs 23. When a table is full and the bound does not allow it to
//! grow, it evicts the smaller half of its regions, which are the cheapest to compute again.
//! Results never depend on the bound, only the time does; [`Memo::forgotten`] counts the evictions.

use super::region::Region;
use hashbrown::{DefaultHashBuilder, HashTable, hash_table::Entry};
use std::hash::BuildHasher;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};

/// Number of parts with a lock each: many more than threads, so that contention is rare.
const SHARDS: usize = 512;
/// Marks a nimber in the two bytes of a [`Knowledge`].
const EXACT: u16 = 1 << 15;

/// Knowledge about the nimber of a region: the nimber itself, or excluded values below 15.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Knowledge(u16);

impl Knowledge {
    pub const NOTHING: Knowledge = Knowledge(0);

    pub fn exact(nimber: u8) -> Knowledge {
        Knowledge(EXACT | u16::from(nimber))
    }

    pub fn nimber(self) -> Option<u8> {
        (self.0 & EXACT != 0).then_some(self.0 as u8)
    }

    /// Returns whether the nimber is known to differ from `value`.
    pub fn excludes(self, value: u8) -> bool {
        match self.nimber() {
            Some(nimber) => nimber != value,
            None => value < 15 && self.0 >> value & 1 == 1,
        }
    }

    /// Adds that the nimber is not `value`. Values from 15 on are not stored.
    pub fn excluding(self, value: u8) -> Knowledge {
        match self.nimber() {
            None if value < 15 => Knowledge(self.0 | 1 << value),
            _ => self,
        }
    }

    fn and(self, other: Knowledge) -> Knowledge {
        match (self.nimber(), other.nimber()) {
            (Some(_), _) => self,
            (None, Some(_)) => other,
            (None, None) => Knowledge(self.0 | other.0),
        }
    }
}

/// A region and the knowledge about it. The key begins with the squares, that of a small part of a graph
/// with its canonical form. Byte arrays avoid padding.
#[derive(Clone, Copy)]
struct Slot<const BYTES: usize> {
    key: [u8; BYTES],
    knowledge: [u8; 2],
}

impl<const BYTES: usize> Slot<BYTES> {
    /// Counts the squares of the region, of a canonical form the edges. The bytes after a mask of 16 bytes
    /// are not squares.
    fn squares(&self) -> u32 {
        self.key[..(BYTES - 1).min(16)]
            .iter()
            .map(|byte| byte.count_ones())
            .sum()
    }
}

/// The regions with keys of `BYTES` bytes.
struct Shards<const BYTES: usize> {
    shards: Vec<Mutex<HashTable<Slot<BYTES>>>>,
    hasher: DefaultHashBuilder,
}

struct Budget {
    bound: u64,
    used: AtomicU64,
    forgotten: AtomicU64,
}

/// Bounded store of knowledge; see the module documentation.
pub struct Memo {
    small: Shards<9>,
    large: Shards<17>,
    vertices: Shards<20>,
    budget: Budget,
}

/// Key of a part of a graph, defined in [`super::graphs`].
pub(super) type VertexKey = [u8; 20];

impl Memo {
    /// Creates an empty memo that takes at most `bound` bytes.
    pub fn new(bound: u64) -> Memo {
        Memo {
            small: Shards::new(),
            large: Shards::new(),
            vertices: Shards::new(),
            budget: Budget {
                bound,
                used: AtomicU64::new(0),
                forgotten: AtomicU64::new(0),
            },
        }
    }

    pub fn get(&self, region: &Region) -> Knowledge {
        match small_key(region) {
            Some(key) => self.small.get(&key),
            None => self.large.get(&large_key(region)),
        }
    }

    /// Adds knowledge about a canonical region.
    pub fn learn(&self, region: &Region, knowledge: Knowledge) {
        match small_key(region) {
            Some(key) => self.small.learn(key, knowledge, &self.budget),
            None => self.large.learn(large_key(region), knowledge, &self.budget),
        }
    }

    pub(super) fn get_vertices(&self, key: &VertexKey) -> Knowledge {
        self.vertices.get(key)
    }

    /// Adds knowledge about a part of a graph.
    pub(super) fn learn_vertices(&self, key: &VertexKey, knowledge: Knowledge) {
        self.vertices.learn(*key, knowledge, &self.budget);
    }

    pub fn regions(&self) -> u64 {
        self.small.len() + self.large.len() + self.vertices.len()
    }

    pub fn bytes(&self) -> u64 {
        self.budget.used.load(Ordering::Relaxed)
    }

    /// Counts the regions evicted because of the memory bound; a region evicted twice counts twice.
    pub fn forgotten(&self) -> u64 {
        self.budget.forgotten.load(Ordering::Relaxed)
    }
}

fn small_key(region: &Region) -> Option<[u8; 9]> {
    let squares = u64::try_from(region.squares()).ok()?;
    let mut key = [region.width() as u8; 9];
    key[..8].copy_from_slice(&squares.to_le_bytes());
    Some(key)
}

fn large_key(region: &Region) -> [u8; 17] {
    let mut key = [region.width() as u8; 17];
    key[..16].copy_from_slice(&region.squares().to_le_bytes());
    key
}

fn lock<T>(shard: &Mutex<T>) -> MutexGuard<'_, T> {
    shard.lock().expect("no thread panics while it holds a shard")
}

impl<const BYTES: usize> Shards<BYTES> {
    fn new() -> Shards<BYTES> {
        Shards {
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
            hasher: DefaultHashBuilder::default(),
        }
    }

    fn len(&self) -> u64 {
        let shards = self.shards.iter();
        shards.map(|shard| lock(shard).len() as u64).sum()
    }

    fn hash(&self, key: &[u8; BYTES]) -> u64 {
        self.hasher.hash_one(key)
    }

    /// Selects a shard by middle bits of the hash; the table itself uses the lowest and highest
    /// ones.
    fn shard(&self, hash: u64) -> &Mutex<HashTable<Slot<BYTES>>> {
        &self.shards[(hash >> 40) as usize % SHARDS]
    }

    fn get(&self, key: &[u8; BYTES]) -> Knowledge {
        let hash = self.hash(key);
        let shard = lock(self.shard(hash));
        match shard.find(hash, |slot| slot.key == *key) {
            Some(slot) => Knowledge(u16::from_le_bytes(slot.knowledge)),
            None => Knowledge::NOTHING,
        }
    }

    fn learn(&self, key: [u8; BYTES], knowledge: Knowledge, budget: &Budget) {
        let hash = self.hash(&key);
        let mut shard = lock(self.shard(hash));
        if shard.len() == shard.capacity() && !self.grow_or_evict(&mut shard, budget) {
            budget.forgotten.fetch_add(1, Ordering::Relaxed);
            return;
        }
        let same = |slot: &Slot<BYTES>| slot.key == key;
        match shard.entry(hash, same, |slot| self.hash(&slot.key)) {
            Entry::Occupied(mut found) => {
                let known = Knowledge(u16::from_le_bytes(found.get().knowledge));
                found.get_mut().knowledge = known.and(knowledge).0.to_le_bytes();
            }
            Entry::Vacant(free) => {
                let knowledge = knowledge.0.to_le_bytes();
                free.insert(Slot { key, knowledge });
            }
        }
    }

    /// Makes room in a full table: it grows if the budget allows, otherwise evicts. Returns whether
    /// there is room.
    fn grow_or_evict(&self, shard: &mut HashTable<Slot<BYTES>>, budget: &Budget) -> bool {
        let before = shard.allocation_size() as u64;
        // During growth both tables exist. With its control bytes a table slightly more than
        // doubles.
        let after = (2 * before).max(64 * (size_of::<Slot<BYTES>>() as u64 + 1));
        if budget.used.fetch_add(after, Ordering::Relaxed) + after <= budget.bound {
            shard.reserve(shard.len().max(1), |slot| self.hash(&slot.key));
            let unused = before + after - shard.allocation_size() as u64;
            budget.used.fetch_sub(unused, Ordering::Relaxed);
            return true;
        }
        budget.used.fetch_sub(after, Ordering::Relaxed);
        let forgotten = self.evict_smaller_half(shard);
        budget.forgotten.fetch_add(forgotten, Ordering::Relaxed);
        shard.len() < shard.capacity()
    }

    /// Keeps the larger half of the regions; returns the number of evicted ones.
    fn evict_smaller_half(&self, shard: &mut HashTable<Slot<BYTES>>) -> u64 {
        let mut slots: Vec<Slot<BYTES>> = shard.iter().copied().collect();
        slots.sort_by_cached_key(|slot| std::cmp::Reverse(slot.squares()));
        // Unlike removal, clearing leaves no tombstones, so the full capacity is available again.
        shard.clear();
        let kept = slots.len() / 2;
        for slot in &slots[..kept] {
            shard.insert_unique(self.hash(&slot.key), *slot, |slot| self.hash(&slot.key));
        }
        (slots.len() - kept) as u64
    }
}

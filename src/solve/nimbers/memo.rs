//! What is known of canonical regions, shared between threads, within a bound of memory.
//!
//! Keys are whole regions, never their hashes alone. Small regions (up to 64 bits of mask) take 12 bytes, large ones 20, and parts of
//! graphs 23.
//! A table asks before it grows; when the bound does not allow it, it *forgets* the smaller half of its regions,
//! which are the cheapest to find again. So answers never depend on the bound, only the time does, and
//! [`Memo::forgotten`] tells.

use super::region::Region;
use hashbrown::{DefaultHashBuilder, HashTable, hash_table::Entry};
use std::hash::BuildHasher;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Parts with a lock each: many more than threads, so that they hardly ever meet.
const SHARDS: usize = 512;
/// Marks a nimber among the two bytes of a [`Knowledge`].
const EXACT: u16 = 1 << 15;
/// Why a lock is never poisoned.
const WHOLE: &str = "no thread panics while it holds a shard";

/// What is known of the nimber of a region: the nimber itself, or values below 15 that it is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Knowledge(u16);

impl Knowledge {
    /// Nothing is known.
    pub const NOTHING: Knowledge = Knowledge(0);

    /// The nimber is known.
    pub fn exact(nimber: u8) -> Knowledge {
        Knowledge(EXACT | u16::from(nimber))
    }

    /// The nimber, if it is known.
    pub fn nimber(self) -> Option<u8> {
        (self.0 & EXACT != 0).then_some(self.0 as u8)
    }

    /// Whether it is known that the nimber is not `value`.
    pub fn excludes(self, value: u8) -> bool {
        match self.nimber() {
            Some(nimber) => nimber != value,
            None => value < 15 && self.0 >> value & 1 == 1,
        }
    }

    /// With the news that the nimber is not `value`. Values from 15 on are not kept.
    pub fn excluding(self, value: u8) -> Knowledge {
        match self.nimber() {
            None if value < 15 => Knowledge(self.0 | 1 << value),
            _ => self,
        }
    }

    /// All that two threads found.
    fn and(self, other: Knowledge) -> Knowledge {
        match (self.nimber(), other.nimber()) {
            (Some(_), _) => self,
            (None, Some(_)) => other,
            (None, None) => Knowledge(self.0 | other.0),
        }
    }
}

/// A region, with its squares in the first bytes, and what is known of it. Bytes have no alignment, so nothing is lost to padding.
#[derive(Clone, Copy)]
struct Slot<const BYTES: usize> {
    key: [u8; BYTES],
    knowledge: [u8; 2],
}

impl<const BYTES: usize> Slot<BYTES> {
    /// The squares of the region. Behind a mask of 16 bytes there is what it is a mask of.
    fn squares(&self) -> u32 {
        self.key[..(BYTES - 1).min(16)]
            .iter()
            .map(|byte| byte.count_ones())
            .sum()
    }
}

/// The regions whose keys have so many bytes.
struct Shards<const BYTES: usize> {
    shards: Vec<Mutex<HashTable<Slot<BYTES>>>>,
    hasher: DefaultHashBuilder,
}

/// The budget that all tables share.
struct Budget {
    bound: u64,
    used: AtomicU64,
    forgotten: AtomicU64,
}

/// The memory of a solver; see the module's documentation.
pub struct Memo {
    small: Shards<9>,
    large: Shards<17>,
    vertices: Shards<20>,
    budget: Budget,
}

/// What stands for a part of a graph: [`super::graphs`] says how.
pub(super) type VertexKey = [u8; 20];

impl Memo {
    /// An empty memo that takes at most `bound` bytes.
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

    /// What is known of a canonical region.
    pub fn get(&self, region: &Region) -> Knowledge {
        match small_key(region) {
            Some(key) => self.small.get(&key),
            None => self.large.get(&large_key(region)),
        }
    }

    /// Adds to what is known of a canonical region.
    pub fn learn(&self, region: &Region, knowledge: Knowledge) {
        match small_key(region) {
            Some(key) => self.small.learn(key, knowledge, &self.budget),
            None => self.large.learn(large_key(region), knowledge, &self.budget),
        }
    }

    /// What is known of a part of a graph.
    pub(super) fn get_vertices(&self, key: &VertexKey) -> Knowledge {
        self.vertices.get(key)
    }

    /// Adds to what is known of a part of a graph.
    pub(super) fn learn_vertices(&self, key: &VertexKey, knowledge: Knowledge) {
        self.vertices.learn(*key, knowledge, &self.budget);
    }

    /// Regions that something is known of.
    pub fn regions(&self) -> u64 {
        self.small.len() + self.large.len() + self.vertices.len()
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        self.budget.used.load(Ordering::Relaxed)
    }

    /// Regions that had to be forgotten for want of memory; found again, they count again.
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

impl<const BYTES: usize> Shards<BYTES> {
    fn new() -> Shards<BYTES> {
        Shards {
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
            hasher: DefaultHashBuilder::default(),
        }
    }

    fn len(&self) -> u64 {
        let shards = self.shards.iter();
        shards.map(|shard| shard.lock().expect(WHOLE).len() as u64).sum()
    }

    fn hash(&self, key: &[u8; BYTES]) -> u64 {
        self.hasher.hash_one(key)
    }

    /// The table's own bits of the hash are the lowest and the highest ones, so the shard takes some between.
    fn shard(&self, hash: u64) -> &Mutex<HashTable<Slot<BYTES>>> {
        &self.shards[(hash >> 40) as usize % SHARDS]
    }

    fn get(&self, key: &[u8; BYTES]) -> Knowledge {
        let hash = self.hash(key);
        let shard = self.shard(hash).lock().expect(WHOLE);
        match shard.find(hash, |slot| slot.key == *key) {
            Some(slot) => Knowledge(u16::from_le_bytes(slot.knowledge)),
            None => Knowledge::NOTHING,
        }
    }

    fn learn(&self, key: [u8; BYTES], knowledge: Knowledge, budget: &Budget) {
        let hash = self.hash(&key);
        let mut shard = self.shard(hash).lock().expect(WHOLE);
        if shard.len() == shard.capacity() && !self.make_room(&mut shard, budget) {
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

    /// Makes room for a region in a full table: by growing if the budget allows, else by forgetting. Whether it succeeded.
    fn make_room(&self, shard: &mut HashTable<Slot<BYTES>>, budget: &Budget) -> bool {
        let before = shard.allocation_size() as u64;
        // Old and new table exist side by side for a moment; with its control bytes, a table at most doubles, plus a little.
        let after = (2 * before).max(64 * (size_of::<Slot<BYTES>>() as u64 + 1));
        if budget.used.fetch_add(after, Ordering::Relaxed) + after <= budget.bound {
            shard.reserve(shard.len().max(1), |slot| self.hash(&slot.key));
            let unused = before + after - shard.allocation_size() as u64;
            budget.used.fetch_sub(unused, Ordering::Relaxed);
            return true;
        }
        budget.used.fetch_sub(after, Ordering::Relaxed);
        let forgotten = self.forget_smaller_half(shard);
        budget.forgotten.fetch_add(forgotten, Ordering::Relaxed);
        shard.len() < shard.capacity()
    }

    /// Keeps the regions with the most squares, at most half of all; returns how many went.
    fn forget_smaller_half(&self, shard: &mut HashTable<Slot<BYTES>>) -> u64 {
        let mut slots: Vec<Slot<BYTES>> = shard.iter().copied().collect();
        slots.sort_by_cached_key(|slot| std::cmp::Reverse(slot.squares()));
        // Clearing, unlike removing, leaves no tombstones: all the capacity is free again.
        shard.clear();
        let kept = slots.len() / 2;
        for slot in &slots[..kept] {
            shard.insert_unique(self.hash(&slot.key), *slot, |slot| self.hash(&slot.key));
        }
        (slots.len() - kept) as u64
    }
}

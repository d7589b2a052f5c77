//! Hash-consed block sets and block histories.
//!
//! Planes are extremely repetitive: at n = 28 the 851,968 blocks of a plane have only a few
//! thousand different histories. A plane therefore stores no bits, but for each block a *state*,
//! the number of a history: which sets the block has held after which plies. A ply that adds
//! positions to a block moves it to the state `(old state, ply, larger set)`. Blocks with equal
//! histories share a state, and a state determines the depth bytes of its blocks.
//!
//! ```text
//!     block ──> state 71 ──> ply 9 made it {…} ──> state 12: ply 7 made it {…} ──> … ──> NOTHING
//! ```
//!
//! Different states often hold equal sets, so sets are numbered too. The results of placing a stone
//! inside the block depend only on the set and are stored with it.
//!
//! During a ply all threads read the pool without locks. New states are collected separately
//! ([`Pool::extend`]) and added to the pool at the end of the ply ([`Pool::end_ply`]).

use bytemuck::{Pod, Zeroable};
use hashbrown::{DefaultHashBuilder, HashTable, hash_table::Entry};
use phutbase_machine::block::{BLOCK_BITS, Block, Combination, join_placements, new_members};
use std::hash::BuildHasher;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

pub const BLOCK_POSITIONS: usize = 1 << BLOCK_BITS;

/// Number of shards of the pending states, each with its own lock.
const SHARDS: usize = 64;

/// Number of a block's history. Numbers depend on the scheduling of threads; the histories do not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Pod, Zeroable)]
#[repr(transparent)]
pub struct BlockState(pub u32);

impl BlockState {
    /// The history of a block without decided positions.
    pub const NOTHING: BlockState = BlockState(0);
}

/// Number of a set in a pool. Two sets of one pool are equal exactly if their numbers are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SetId(u32);

impl SetId {
    pub const EMPTY: SetId = SetId(0);
    pub const FULL: SetId = SetId(1);
}

#[derive(Clone, Copy, Debug)]
struct History {
    pub before: BlockState,
    /// Ply of the step; 0 for [`BlockState::NOTHING`].
    pub ply: u8,
    pub set: SetId,
}

/// A state made in the current ply.
#[derive(Clone, Zeroable)]
struct NewState {
    number: BlockState,
    before: BlockState,
    set: Block,
}

const RECENT_ENTRIES: usize = 256;

/// Thread-local, direct-mapped cache of states made in the current ply, which avoids the shared
/// table for repeated blocks. Entries store full keys; unused ones have the number
/// [`BlockState::NOTHING`].
pub struct RecentStates(Vec<NewState>);

impl Default for RecentStates {
    fn default() -> RecentStates {
        RecentStates(vec![NewState::zeroed(); RECENT_ENTRIES])
    }
}

pub struct Pool {
    low_bits: usize,
    histories: Vec<History>,
    sets: Vec<Block>,
    /// For each set, the results of placing a stone inside the block.
    placements: Vec<Block>,
    set_numbers: HashTable<u32>,
    hasher: DefaultHashBuilder,
    pending: Vec<Mutex<HashTable<NewState>>>,
    next: AtomicU32,
}

impl Pool {
    /// Creates a pool with the empty and the full set. `Q` combines the turns into this plane.
    pub fn new<Q: Combination>(low_bits: usize) -> Pool {
        let mut pool = Pool {
            low_bits,
            histories: vec![History {
                before: BlockState::NOTHING,
                ply: 0,
                set: SetId::EMPTY,
            }],
            sets: Vec::new(),
            placements: Vec::new(),
            set_numbers: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
            pending: (0..SHARDS).map(|_| Mutex::default()).collect(),
            next: AtomicU32::new(1),
        };
        assert_eq!(pool.set_number::<Q>(&Block::EMPTY), SetId::EMPTY);
        assert_eq!(pool.set_number::<Q>(&Block::FULL), SetId::FULL);
        pool
    }

    #[inline(always)]
    pub fn set_of(&self, state: BlockState) -> SetId {
        self.histories[state.0 as usize].set
    }

    #[inline(always)]
    pub fn set(&self, set: SetId) -> &Block {
        &self.sets[set.0 as usize]
    }

    /// Returns the results of placing a stone inside the block, for a target block that holds
    /// `set`.
    #[inline(always)]
    pub fn placements(&self, set: SetId) -> &Block {
        &self.placements[set.0 as usize]
    }

    /// Returns the state of a block that was in state `before` and holds `set` after the current
    /// ply.
    ///
    /// `recent` must belong to the calling thread and to this ply.
    pub fn extend(&self, before: BlockState, set: &Block, recent: &mut RecentStates) -> BlockState {
        let hash = self.hash(before, set);
        let recent = &mut recent.0[hash as usize % RECENT_ENTRIES];
        if recent.number == BlockState::NOTHING || recent.before != before || recent.set != *set {
            *recent = self.extend_shared(hash, before, set);
        }
        recent.number
    }

    /// Finds or inserts a state in the shared table of pending states.
    fn extend_shared(&self, hash: u64, before: BlockState, set: &Block) -> NewState {
        let shard = &self.pending[(hash >> 32) as usize % SHARDS];
        let mut table = shard.lock().expect("no thread panics while it holds a shard");
        let same = |other: &NewState| other.before == before && other.set == *set;
        let found = table.entry(hash, same, |other| self.hash(other.before, &other.set));
        let new = || NewState {
            number: BlockState(self.next.fetch_add(1, Ordering::Relaxed)),
            before,
            set: *set,
        };
        found.or_insert_with(new).get().clone()
    }

    /// Adds the states made in the ply to the pool.
    pub fn end_ply<Q: Combination>(&mut self, ply: u8) {
        let mut pending: Vec<NewState> = (self.pending.iter_mut())
            .flat_map(|shard| {
                let table = shard.get_mut().expect("no thread panics while it holds a shard");
                std::mem::take(table).into_iter()
            })
            .collect();
        pending.sort_unstable_by_key(|pending| pending.number.0);
        for pending in pending {
            let set = self.set_number::<Q>(&pending.set);
            self.histories.push(History {
                before: pending.before,
                ply,
                set,
            });
        }
    }

    /// Writes the depth byte of every position of a block: the ply that decided it, or 0.
    pub fn depths(&self, state: BlockState, bytes: &mut [u8; BLOCK_POSITIONS]) {
        bytes.fill(0);
        let mut state = state;
        while state != BlockState::NOTHING {
            let history = self.histories[state.0 as usize];
            let earlier = self.set(self.set_of(history.before));
            if let Some(new) = new_members(self.set(history.set), earlier) {
                for position in new.members() {
                    bytes[position] = history.ply;
                }
            }
            state = history.before;
        }
    }

    fn set_number<Q: Combination>(&mut self, set: &Block) -> SetId {
        let hash = self.hasher.hash_one(bytemuck::bytes_of(set));
        let (sets, hasher) = (&self.sets, &self.hasher);
        let same = |&number: &u32| sets[number as usize] == *set;
        let rehash = |&number: &u32| hasher.hash_one(bytemuck::bytes_of(&sets[number as usize]));
        match self.set_numbers.entry(hash, same, rehash) {
            Entry::Occupied(found) => SetId(*found.get()),
            Entry::Vacant(free) => {
                let number = self.sets.len() as u32;
                free.insert(number);
                let mut placements = Q::NEUTRAL_BLOCK;
                join_placements::<Q>(0..self.low_bits, set, &mut placements);
                self.sets.push(*set);
                self.placements.push(placements);
                SetId(number)
            }
        }
    }

    fn hash(&self, before: BlockState, set: &Block) -> u64 {
        self.hasher.hash_one((before.0, bytemuck::bytes_of(set)))
    }
}

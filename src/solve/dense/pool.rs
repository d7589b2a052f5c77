//! Equal blocks, kept once: the sets that blocks of a plane hold, and how they came to hold them.
//!
//! Planes are extremely repetitive: at n = 28 the 851,968 blocks of a plane go through a few thousand different lives.
//! So a plane does not store bits. For each block it stores a *state*, a number that stands for everything that has been
//! decided in it so far: a ply that decides some more moves the block to the state `(old state, ply, larger set)`. Blocks that
//! have lived through the same plies share the state, and a state, read back to its start, *is* the block's depth bytes.
//!
//! ```text
//!     block ──> state 71 ──> ply 9 made it {…} ──> state 12: ply 7 made it {…} ──> … ──> NOTHING
//! ```
//!
//! Different states often hold equal sets, so sets are numbered too; what placing a stone inside the block leads
//! to depends on the set alone and is kept beside it.
//!
//! During a ply the pool is read by all threads without locks; the states that the ply makes are gathered aside
//! ([`Pool::advance`]) and join the pool when the ply ends ([`Pool::end_ply`]).

use super::block::{BLOCK_BITS, Block, Quantifier, join_placements, news};
use hashbrown::{DefaultHashBuilder, HashTable, hash_table::Entry};
use std::hash::BuildHasher;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

/// Positions in a block.
pub const BLOCK_POSITIONS: usize = 1 << BLOCK_BITS;

/// Shards of the states in the making, each behind a lock of its own.
const SHARDS: usize = 64;

/// What has been decided in a block so far, by number. Which number stands for what depends on the order in which
/// threads came; what the planes say does not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub struct State(pub u32);

impl State {
    /// Nothing is decided.
    pub const NOTHING: State = State(0);
}

/// A set of a pool, by number: two sets of one pool are equal exactly if their numbers are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SetId(u32);

impl SetId {
    /// The empty set.
    pub const EMPTY: SetId = SetId(0);
    /// The full set.
    pub const FULL: SetId = SetId(1);

    /// The set with a number of its pool.
    pub fn from_number(number: u32) -> SetId {
        SetId(number)
    }

    /// Its number in its pool.
    pub fn number(self) -> u32 {
        self.0
    }
}

/// One state: where it came from.
#[derive(Clone, Copy, Debug)]
struct Life {
    pub before: State,
    /// The ply that made it; 0 for [`State::NOTHING`].
    pub ply: u8,
    pub set: SetId,
}

/// A state in the making.
struct Newcomer {
    number: u32,
    before: State,
    set: Block,
}

/// Entries of a [`Recent`].
const RECENT: usize = 256;

/// States that one thread has made or met in the ply under way, so that it need not go to the shared ones for the
/// blocks that repeat: a cache that compares full keys, one entry per hash value.
pub struct Recent {
    entries: Vec<RecentState>,
}

#[derive(Clone)]
struct RecentState {
    before: State,
    after: State,
    set: Block,
}

impl Default for Recent {
    fn default() -> Recent {
        let unused = RecentState {
            before: State::NOTHING,
            after: State::NOTHING,
            set: Block::EMPTY,
        };
        Recent {
            entries: vec![unused; RECENT],
        }
    }
}

/// The sets and states of one plane.
pub struct Pool {
    /// Pattern bits inside a block.
    low_bits: usize,
    lives: Vec<Life>,
    sets: Vec<Block>,
    /// For each set, what placing a stone inside the block leads to.
    placed: Vec<Block>,
    set_numbers: HashTable<u32>,
    hasher: DefaultHashBuilder,
    newcomers: Vec<Mutex<HashTable<Newcomer>>>,
    next: AtomicU32,
}

impl Pool {
    /// A pool that knows the empty and the full set. `Q` is how turns into this plane are combined.
    pub fn new<Q: Quantifier>(low_bits: usize) -> Pool {
        let mut pool = Pool {
            low_bits,
            lives: vec![Life {
                before: State::NOTHING,
                ply: 0,
                set: SetId::EMPTY,
            }],
            sets: Vec::new(),
            placed: Vec::new(),
            set_numbers: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
            newcomers: (0..SHARDS).map(|_| Mutex::default()).collect(),
            next: AtomicU32::new(1),
        };
        assert_eq!(pool.set_number::<Q>(&Block::EMPTY), SetId::EMPTY);
        assert_eq!(pool.set_number::<Q>(&Block::FULL), SetId::FULL);
        pool
    }

    /// The set that a state holds.
    #[inline(always)]
    pub fn set_of(&self, state: State) -> SetId {
        self.lives[state.0 as usize].set
    }

    /// The members of a set.
    #[inline(always)]
    pub fn set(&self, set: SetId) -> &Block {
        &self.sets[set.0 as usize]
    }

    /// What placing a stone inside the block leads to, if the block with the ball where it is holds `set`.
    #[inline(always)]
    pub fn placed(&self, set: SetId) -> &Block {
        &self.placed[set.0 as usize]
    }

    /// The state of a block that was in state `before` and holds `set` after the ply under way.
    ///
    /// `recent` is the calling thread's own, and of this ply.
    pub fn advance(&self, before: State, set: &Block, recent: &mut Recent) -> State {
        let hash = self.hash(before, set);
        let entry = &mut recent.entries[hash as usize % RECENT];
        // The number is never that of NOTHING once the entry is in use.
        if entry.after == State::NOTHING || entry.before != before || entry.set != *set {
            *entry = RecentState {
                before,
                after: self.advance_shared(hash, before, set),
                set: *set,
            };
        }
        entry.after
    }

    /// As [`advance`](Pool::advance), among the states that all threads make.
    fn advance_shared(&self, hash: u64, before: State, set: &Block) -> State {
        let shard = &self.newcomers[(hash >> 32) as usize % SHARDS];
        let mut table = shard.lock().expect("no thread panics while it holds a shard");
        let same = |other: &Newcomer| other.before == before && other.set == *set;
        let found = table.entry(hash, same, |other| self.hash(other.before, &other.set));
        State(match found {
            Entry::Occupied(found) => found.get().number,
            Entry::Vacant(free) => {
                let number = self.next.fetch_add(1, Ordering::Relaxed);
                free.insert(Newcomer {
                    number,
                    before,
                    set: *set,
                });
                number
            }
        })
    }

    /// Takes the states that the ply made into the pool.
    pub fn end_ply<Q: Quantifier>(&mut self, ply: u8) {
        let mut newcomers: Vec<Newcomer> = (self.newcomers.iter_mut())
            .flat_map(|shard| {
                let table = shard.get_mut().expect("no thread panics while it holds a shard");
                std::mem::take(table).into_iter()
            })
            .collect();
        newcomers.sort_unstable_by_key(|newcomer| newcomer.number);
        for newcomer in newcomers {
            let set = self.set_number::<Q>(&newcomer.set);
            self.lives.push(Life {
                before: newcomer.before,
                ply,
                set,
            });
        }
    }

    /// The number of states.
    pub fn states(&self) -> usize {
        self.lives.len()
    }

    /// The number of different sets.
    pub fn sets(&self) -> usize {
        self.sets.len()
    }

    /// Writes the depth byte of every position of a block in this state: the ply that decided it, 0 if none has.
    pub fn depths(&self, state: State, bytes: &mut [u8; BLOCK_POSITIONS]) {
        bytes.fill(0);
        let mut state = state;
        while state != State::NOTHING {
            let life = self.lives[state.0 as usize];
            let earlier = self.set(self.set_of(life.before));
            if let Some(new) = news(self.set(life.set), earlier) {
                for position in new.members() {
                    bytes[position] = life.ply;
                }
            }
            state = life.before;
        }
    }

    /// The ply that decided one position of a block in this state, by its number in the block; 0 if none has.
    pub fn depth(&self, state: State, position: usize) -> u8 {
        let (mut state, mut ply) = (state, 0);
        while state != State::NOTHING {
            let life = self.lives[state.0 as usize];
            if self.set(life.set).0[position / 64] >> (position % 64) & 1 == 0 {
                break;
            }
            (state, ply) = (life.before, life.ply);
        }
        ply
    }

    /// The number of a set, a new one if it has not been seen.
    pub(super) fn set_number<Q: Quantifier>(&mut self, set: &Block) -> SetId {
        let hash = self.hasher.hash_one(bytemuck::bytes_of(set));
        let (sets, hasher) = (&self.sets, &self.hasher);
        let same = |&number: &u32| sets[number as usize] == *set;
        let rehash = |&number: &u32| hasher.hash_one(bytemuck::bytes_of(&sets[number as usize]));
        match self.set_numbers.entry(hash, same, rehash) {
            Entry::Occupied(found) => SetId(*found.get()),
            Entry::Vacant(free) => {
                let number = self.sets.len() as u32;
                free.insert(number);
                let mut placed = Q::NEUTRAL_BLOCK;
                join_placements::<Q>(self.low_bits, set, &mut placed);
                self.sets.push(*set);
                self.placed.push(placed);
                SetId(number)
            }
        }
    }

    fn hash(&self, before: State, set: &Block) -> u64 {
        self.hasher.hash_one((before.0, bytemuck::bytes_of(set)))
    }
}

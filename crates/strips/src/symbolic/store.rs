//! The node store: hash-consed nodes and a computed cache, within a memory limit.
//!
//! A set of positions with one player to move is one diagram for all ball squares, read from left
//! to right. Before the ball a node has three children (the square is *empty*, holds a *stone*,
//! holds the *ball*), after it two. The two kinds have different reduction rules:
//!
//! * a **binary** node with equal children is elided, so it may skip squares; its leaves are ⊤ and
//!   ⊥;
//! * a **ternary** node is always on the square after its parent's; only an empty set is elided, as
//!   ⊥. The number of a ternary node therefore determines its square.
//!
//! Equal sets have equal numbers (*hash consing*: [`Store::ternary`] and [`Store::binary`] look a
//! node up in `unique` before they create it). The *computed cache* (`cache`) maps an operation and
//! its operands to the result.
//!
//! **Threads share a store**: nodes are created through a shared reference. Only [`Store::grow`]
//! and [`Store::sweep`] need exclusive access. An operation that runs out of nodes ends with
//! [`Halt::Full`]; the caller makes room and retries. Little work is repeated, because results stay
//! in the cache.
//!
//! [`Store::sweep`] numbers the marked nodes by prefix sums of the marks, so it moves them in one
//! pass, in any order.

mod garbage;
mod limits;
mod node;
mod numbers;
mod unique;

pub use garbage::Marks;
pub use limits::SymbolicLimits;
pub use node::{Id, Node};

use super::cache::{Cache, Key};
use super::counters::{Counters, Samples};
use numbers::{Counter, Numbers};
use phutbase_base::job::{Job, Stopped};
use phutbase_machine::scratch::{Mapping, MappingError};
use phutbase_sets::{Diagram, View};
use std::mem::size_of;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use unique::Unique;

/// Why an operation stopped without a result. The store remains valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// No free node, or too small a cache: [`Store::grow`] or [`Store::sweep`] may help.
    Full,
    /// The system refused memory that the limit allows.
    Refused,
    /// The job of [`Store::watch`] was stopped.
    Interrupted,
}

/// The two words of a node.
type Place = [AtomicU64; 2];

/// The nodes of the diagrams of one length.
pub struct Store {
    length: usize,
    limits: SymbolicLimits,
    places: Mapping<Place>,
    numbers: Numbers,
    unique: Unique,
    cache: Cache,
    /// The cache grows while the store takes at most this percentage of its memory.
    cache_percent: u64,
    /// Number of results written to polling sets since the cache last grew.
    polls: Counter<AtomicUsize>,
    /// Number of nodes that survived the last collection.
    survivors: usize,
    peak_nodes: usize,
    samples: Samples,
    counters: Counters,
    job: Job,
}

/// One set of this many in the cache polls: writing a result there checks whether the work must
/// stop. New results are frequent even when new nodes are not. A power of two.
const POLL_INTERVAL: usize = 1 << 10;

/// Entries of the cache per node that fits, rounded up to a power of two. With half as many, 96
/// squares compute 1.7 times as many results; with twice as many, they take no less time.
const RESULTS: usize = 4;

/// Minimum number of nodes that fit. The results for them have at least [`POLL_INTERVAL`] sets.
const MIN_ENTRIES: usize = 1 << 10;

impl Store {
    /// Returns an empty store for strips of `length` squares.
    pub fn new(length: usize, limits: SymbolicLimits) -> Result<Store, Halt> {
        let mut store = Store {
            length,
            limits,
            places: Mapping::new(MIN_ENTRIES, None)?,
            numbers: Numbers::from(2),
            unique: Unique::new(MIN_ENTRIES)?,
            cache: Cache::new(RESULTS * MIN_ENTRIES)?,
            cache_percent: 100,
            polls: Counter::default(),
            survivors: 0,
            peak_nodes: 0,
            samples: Samples::default(),
            counters: Counters::default(),
            job: Job::default(),
        };
        for (id, ball) in [(Id::BOTTOM, Id::BOTTOM), (Id::TOP, Id::ABSENT)] {
            let leaf = Node {
                level: length as u32,
                empty: id,
                stone: id,
                ball,
            };
            store.places[id.place()] = leaf.words().map(AtomicU64::new);
        }
        Ok(store)
    }

    /// Returns the number of squares.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Makes operations count their nodes in a job, and end with [`Halt::Interrupted`] soon after
    /// it is stopped.
    pub fn watch(&mut self, job: Job) {
        self.job = job;
    }

    /// Returns the job.
    pub fn job(&self) -> &Job {
        &self.job
    }

    /// Returns [`Halt::Interrupted`] once the work must stop.
    pub fn check_stop(&self) -> Result<(), Halt> {
        Ok(self.job.check()?)
    }

    /// Returns the limits.
    pub fn limits(&self) -> SymbolicLimits {
        self.limits
    }

    /// Returns the number of nodes, including garbage.
    pub fn nodes(&self) -> usize {
        self.numbers.used(self.places.len())
    }

    /// Returns the number of nodes that fit, including existing ones.
    pub fn capacity(&self) -> usize {
        self.places.len()
    }

    /// Returns the maximum number of nodes so far.
    pub fn peak_nodes(&self) -> usize {
        self.peak_nodes.max(self.nodes())
    }

    /// Returns the number of nodes created so far.
    pub fn nodes_made(&self) -> u64 {
        // Threads take numbers while they are counted, so after a collection there may seem to be fewer.
        self.counters.nodes_made + self.nodes().saturating_sub(self.survivors) as u64
    }

    /// Returns the costs so far.
    pub fn counters(&self) -> Counters {
        Counters {
            nodes_made: self.nodes_made(),
            peak_nodes: self.peak_nodes() as u64,
            ..self.samples.scaled(POLL_INTERVAL as u64, &self.counters)
        }
    }

    /// Returns the bytes held, including those that a collection needs for marks.
    pub fn bytes(&self) -> u64 {
        let nodes = self.places.len() * size_of::<Place>();
        (nodes + self.unique.bytes() + garbage::mark_bytes(self.places.len())) as u64
            + Cache::bytes(self.cache.entries())
    }

    /// Returns a node; ⊥ as an empty ternary node.
    #[inline]
    pub fn node(&self, id: Id) -> Node {
        Node::of(self.words(id))
    }

    /// Returns the children of a binary diagram at a square, which it may skip.
    #[inline]
    pub fn halves(&self, id: Id, level: usize) -> (Id, Id) {
        self.node(id).halves(id, level)
    }

    /// Returns the ternary node of a square, which is before or at the ball.
    pub fn ternary(&self, level: usize, empty: Id, stone: Id, ball: Id) -> Result<Id, Halt> {
        if empty == Id::BOTTOM && stone == Id::BOTTOM && ball == Id::BOTTOM {
            return Ok(Id::BOTTOM);
        }
        self.find_or_insert(Node {
            level: level as u32,
            empty,
            stone,
            ball,
        })
    }

    /// Returns the binary node of a square after the ball.
    pub fn binary(&self, level: usize, empty: Id, stone: Id) -> Result<Id, Halt> {
        if empty == stone {
            return Ok(empty);
        }
        self.find_or_insert(Node {
            level: level as u32,
            empty,
            stone,
            ball: Id::ABSENT,
        })
    }

    /// Like [`ternary`](Store::ternary); often the result is `operand`, which needs no look-up.
    #[inline(always)]
    pub fn ternary_like(&self, operand: Id, level: usize, children: (Id, Id, Id)) -> Result<Id, Halt> {
        let node = self.node(operand);
        let (empty, stone, ball) = children;
        if children == (node.empty, node.stone, node.ball) {
            return Ok(operand);
        }
        self.ternary(level, empty, stone, ball)
    }

    /// Like [`binary`](Store::binary); often the result is `operand`, which needs no look-up.
    #[inline(always)]
    pub fn binary_like(&self, operand: Id, level: usize, children: (Id, Id)) -> Result<Id, Halt> {
        if children == self.halves(operand, level) {
            return Ok(operand);
        }
        self.binary(level, children.0, children.1)
    }

    /// Returns the number of a node. A new node is written to its own entry and then published in
    /// the unique table; if another thread published the same node first, that number is used and
    /// the entry is wasted.
    fn find_or_insert(&self, node: Node) -> Result<Id, Halt> {
        let words = node.words();
        let tag = Unique::tag(words);
        let mut own = None;
        for (distance, slot) in self.unique.slots(tag).enumerate() {
            let mut found = slot.load(Ordering::Acquire);
            if found == 0 {
                let id = match own {
                    Some(id) => id,
                    None => self.allocate(words)?,
                };
                let offer =
                    slot.compare_exchange(0, Unique::slot(tag, id), Ordering::Release, Ordering::Acquire);
                match offer {
                    Ok(_) => {
                        self.sample_probes(id.place(), distance);
                        return Ok(id);
                    }
                    Err(earlier) => (found, own) = (earlier, Some(id)),
                }
            }
            if let Some(id) = Unique::number(found, tag)
                && self.words(id) == words
            {
                // An entry allocated in vain is never marked, so the next collection drops it.
                self.sample_probes(id.place(), distance);
                return Ok(id);
            }
        }
        unreachable!("the unique table always has a free slot")
    }

    #[inline]
    fn words(&self, id: Id) -> [u64; 2] {
        // Nodes are written before their numbers are published.
        let [children, rest] = &self.places[id.place()];
        [children.load(Ordering::Relaxed), rest.load(Ordering::Relaxed)]
    }

    #[inline(always)]
    fn sample_probes(&self, place: usize, distance: usize) {
        if place.is_multiple_of(POLL_INTERVAL) {
            self.samples.probed(distance + 1);
        }
    }

    /// Writes a node to a new entry.
    fn allocate(&self, words: [u64; 2]) -> Result<Id, Halt> {
        let place = self.numbers.next(self.places.len()).ok_or(Halt::Full)?;
        for (word, value) in self.places[place].iter().zip(words) {
            word.store(value, Ordering::Relaxed);
        }
        Ok(Id(place as u32))
    }

    /// Stops the operation if it must end, or if the cache is too small and may grow.
    #[cold]
    fn poll(&self) -> Result<(), Halt> {
        self.check_stop()?;
        self.job.set_done(self.nodes_made());
        self.polls.0.fetch_add(1, Ordering::Relaxed);
        if self.cache_should_grow() {
            return Err(Halt::Full);
        }
        Ok(())
    }

    /// Returns a cached result, or computes and caches it.
    #[inline(always)]
    pub fn once(&self, key: Key, find: impl FnOnce() -> Result<Id, Halt>) -> Result<Id, Halt> {
        self.once_or(key, |_, _| None, find)
    }

    /// Like [`once`](Store::once); if the result is not cached, other results in its set may imply
    /// it.
    #[inline(always)]
    pub fn once_or(
        &self,
        key: Key,
        implied: impl FnOnce(&Cache, usize) -> Option<Id>,
        find: impl FnOnce() -> Result<Id, Halt>,
    ) -> Result<Id, Halt> {
        let place = self.cache.place(key);
        let known = self.cache.recall(place, key);
        let known = known.or_else(|| implied(&self.cache, place));
        self.sample_recall(place, key, known.is_some());
        if let Some(known) = known {
            return Ok(known);
        }
        let result = find()?;
        self.remember_at(place, key, result)?;
        Ok(result)
    }

    /// Returns the number of entries of the cache.
    pub fn results(&self) -> usize {
        self.cache.entries()
    }

    /// Prefetches a cached result.
    #[inline(always)]
    pub fn prefetch(&self, key: Key) {
        self.cache.prefetch(key);
    }

    /// Returns a cached result.
    #[inline]
    pub fn recall(&self, key: Key) -> Option<Id> {
        let place = self.cache.place(key);
        let found = self.cache.recall(place, key);
        self.sample_recall(place, key, found.is_some());
        found
    }

    #[inline(always)]
    fn sample_recall(&self, place: usize, key: Key, is_found: bool) {
        if place.is_multiple_of(POLL_INTERVAL) {
            self.samples.recalled(key.operation, is_found);
        }
    }

    /// Returns a cached pair of results, whose keys differ in the operation's lowest bit.
    #[inline]
    pub fn recall_both(&self, keys: [Key; 2]) -> Option<[Id; 2]> {
        Some([self.recall(keys[0])?, self.recall(keys[1])?])
    }

    /// Caches a result, evicting another.
    #[inline]
    pub fn remember(&self, key: Key, result: Id) -> Result<(), Halt> {
        self.remember_at(self.cache.place(key), key, result)
    }

    #[inline(always)]
    fn remember_at(&self, place: usize, key: Key, result: Id) -> Result<(), Halt> {
        self.cache.remember(place, key, result);
        if place.is_multiple_of(POLL_INTERVAL) {
            return self.poll();
        }
        Ok(())
    }
}

impl From<MappingError> for Halt {
    fn from(_: MappingError) -> Halt {
        Halt::Refused
    }
}

impl From<Stopped> for Halt {
    fn from(_: Stopped) -> Halt {
        Halt::Interrupted
    }
}

impl Diagram for Store {
    type Ref = Id;

    fn length(&self) -> usize {
        self.length
    }

    fn view(&self, at: Id) -> View<Id> {
        let Node {
            level,
            empty,
            stone,
            ball,
        } = self.node(at);
        let level = level as usize;
        match (at, ball) {
            (Id::BOTTOM, _) => View::Bottom,
            (Id::TOP, _) => View::Top,
            (_, Id::ABSENT) => View::Binary(level, [empty, stone]),
            _ => View::Ternary(level, [empty, stone, ball]),
        }
    }
}

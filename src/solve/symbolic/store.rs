//! The store of diagrams: every node once, every result remembered, within a memory limit.
//!
//! A set of positions with one player to move is one diagram for all ball squares, read from left to right. As long as
//! the ball has not been met a node has three children (the square is *empty*, holds a *stone*, holds the *ball*); after
//! the ball it has two. The two kinds are reduced differently:
//!
//! * a **binary** node whose children are equal is that child: it may skip squares, and ⊤ and ⊥ are its leaves;
//! * a **ternary** node stands on exactly the square after its parent's, and the only one that is left out is the one
//!   without a member, ⊥. So the number of a ternary node determines its square.
//!
//! Either way a set has one node, and equal sets are equal numbers (*hash consing*: [`Store::ternary`] and
//! [`Store::binary`] look the node up, in `unique`, before they make it). The *computed cache* (`cache`) maps an operation and its
//! operands to the result.
//!
//! **Threads share a store**: nodes are made through a shared reference. Only [`Store::grow`] and [`Store::collect`] need the store
//! alone: an operation that finds no place left ends with [`Halt::Full`] and is started again when there is more. It then finds
//! most of its results in the cache.
//!
//! Children are made before parents, so numbers grow upwards: [`Store::collect`] moves nodes together in one pass.

mod garbage;
mod node;
mod unique;

pub use node::{Id, Node};

use super::super::scratch::{NoRoom, Room};
use super::cache::{Cache, ID_BITS, Key};
use super::counters::{Counters, Samples};
use crate::diagram::{Diagram, View};
use node::pair;
use std::mem::size_of;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;
use unique::Unique;

/// Why an operation ended before its result was there. Nothing is lost but that result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// No node is left: there may be more after [`Store::grow`], or [`Store::collect`].
    Full,
    /// The system refused memory that the limit allows.
    Refused,
    /// The flag of [`Store::stop_on`] is up.
    Interrupted,
}

/// What a store may take, and when it tidies up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SymbolicLimits {
    /// Bytes that the store may hold.
    pub memory: u64,
    /// No collection below this number of nodes.
    pub collect_above: usize,
}

impl Default for SymbolicLimits {
    fn default() -> SymbolicLimits {
        SymbolicLimits {
            memory: 4 << 30,
            // What fits in a core's own cache is worth collecting for.
            collect_above: 1 << 15,
        }
    }
}

/// The place of a node, as its two words.
type Place = [AtomicU64; 2];

/// The level of a place that no node uses.
const WASTED: u32 = u32::MAX;

/// A counter that all threads change, away from what they only read.
#[repr(align(128))]
#[derive(Default)]
struct Counter(AtomicUsize);

/// All nodes of the diagrams of one length.
pub struct Store {
    length: usize,
    limits: SymbolicLimits,
    /// Nodes; `used` places are taken, and none is left if it is more than there are.
    places: Room<Place>,
    used: Counter,
    unique: Unique,
    cache: Cache,
    /// Results written to polling entries since the counters were reset.
    polls: Counter,
    /// Nodes that survived the last collection.
    survivors: usize,
    peak_nodes: usize,
    samples: Samples,
    counters: Counters,
    stop: Option<Arc<AtomicBool>>,
}

/// One entry of this many in the cache polls: a result written there checks whether the work must stop. Work may go on for hours
/// without a new node, never without a result. A power of two.
const POLL_INTERVAL: usize = 1 << 10;

/// How often the whole cache may be overwritten in one piece of work. A smaller cache forgets results before they are used, and
/// work of seconds takes hours.
const MAX_CACHE_TURNOVER: usize = 4;

/// The fewest places.
const FEWEST: usize = 1 << 10;

/// The most places: a node's number fits an entry of the cache and a slot of the unique table.
const MOST: usize = 1 << ID_BITS;

impl Store {
    /// An empty store for strips of `length` squares.
    pub fn new(length: usize, limits: SymbolicLimits) -> Result<Store, Halt> {
        let mut store = Store {
            length,
            limits,
            places: Room::new(FEWEST, None)?,
            used: Counter(AtomicUsize::new(2)),
            unique: Unique::new(FEWEST)?,
            cache: Cache::new(FEWEST)?,
            polls: Counter::default(),
            survivors: 0,
            peak_nodes: 0,
            samples: Samples::default(),
            counters: Counters::default(),
            stop: None,
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

    /// The number of squares.
    pub fn length(&self) -> usize {
        self.length
    }

    /// From now on operations end with [`Halt::Interrupted`] soon after the flag goes up.
    pub fn stop_on(&mut self, flag: Arc<AtomicBool>) {
        self.stop = Some(flag);
    }

    /// The limits it keeps.
    pub fn limits(&self) -> SymbolicLimits {
        self.limits
    }

    /// Nodes in the store, living or not.
    pub fn nodes(&self) -> usize {
        self.used.0.load(Ordering::Relaxed).min(self.places.len())
    }

    /// Nodes that there is room for, those in the store among them.
    pub fn room(&self) -> usize {
        self.places.len()
    }

    /// The most nodes that there have been.
    pub fn peak_nodes(&self) -> usize {
        self.peak_nodes.max(self.nodes())
    }

    /// What the store has done so far.
    pub fn counters(&self) -> Counters {
        let nodes_made = self.counters.nodes_made + (self.nodes() - self.survivors) as u64;
        Counters {
            nodes_made,
            peak_nodes: self.peak_nodes() as u64,
            ..self.samples.scaled(POLL_INTERVAL as u64, &self.counters)
        }
    }

    /// Bytes held now, with what a collection would take for marks.
    pub fn bytes(&self) -> u64 {
        let nodes = self.places.len() * size_of::<Place>();
        (nodes + self.unique.bytes() + garbage::mark_bytes(self.places.len())) as u64
            + Cache::bytes(self.cache.entries())
    }

    /// A node. ⊥ reads as a ternary node without members.
    #[inline]
    pub fn node(&self, id: Id) -> Node {
        // Every number was published after its node was written.
        let [children, rest] = &self.places[id.place()];
        Node::of([children.load(Ordering::Relaxed), rest.load(Ordering::Relaxed)])
    }

    /// The two halves of a binary diagram at a square that it may skip.
    #[inline]
    pub fn halves(&self, id: Id, level: usize) -> (Id, Id) {
        self.node(id).halves(id, level)
    }

    /// The node before or on the ball's square.
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

    /// The node after the ball's square.
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

    /// The number of a node. A new node is written to a place of its own and then offered to the unique table; if another thread
    /// offered the same node first, that number counts and the place is wasted.
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
                if let Some(own) = own {
                    self.places[own.place()][1].store(pair(Id(WASTED), Id::ABSENT), Ordering::Relaxed);
                }
                self.sample_probes(id.place(), distance);
                return Ok(id);
            }
        }
        unreachable!("the unique table always has a free slot")
    }

    #[inline]
    fn words(&self, id: Id) -> [u64; 2] {
        let [children, rest] = &self.places[id.place()];
        [children.load(Ordering::Relaxed), rest.load(Ordering::Relaxed)]
    }

    #[inline(always)]
    fn sample_probes(&self, place: usize, distance: usize) {
        if place.is_multiple_of(POLL_INTERVAL) {
            self.samples.probed(distance + 1);
        }
    }

    /// Writes a node to a place of its own.
    fn allocate(&self, words: [u64; 2]) -> Result<Id, Halt> {
        let place = self.used.0.fetch_add(1, Ordering::Relaxed);
        let Some(free) = self.places.get(place) else {
            return Err(Halt::Full);
        };
        for (word, value) in free.iter().zip(words) {
            word.store(value, Ordering::Relaxed);
        }
        Ok(Id(place as u32))
    }

    /// Ends the work if it must stop, or if the cache is too small for it and may grow.
    #[cold]
    fn poll(&self) -> Result<(), Halt> {
        if (self.stop.as_ref()).is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(Halt::Interrupted);
        }
        self.polls.0.fetch_add(1, Ordering::Relaxed);
        if self.cache_should_grow() {
            return Err(Halt::Full);
        }
        Ok(())
    }

    /// Whether the cache is too small for the piece of work at hand and may grow: the old one and the new one exist together.
    fn cache_should_grow(&self) -> bool {
        let written = POLL_INTERVAL * self.polls.0.load(Ordering::Relaxed);
        let entries = self.cache.entries();
        written > MAX_CACHE_TURNOVER * entries
            && self.bytes() + Cache::bytes(2 * entries) <= self.limits.memory
    }

    /// Counts from zero what a new piece of work writes to the cache.
    pub fn reset_turnover(&self) {
        self.polls.0.store(0, Ordering::Relaxed);
    }

    fn resize_cache(&mut self, entries: usize) -> Result<(), NoRoom> {
        self.cache.resize(entries, Some)?;
        self.reset_turnover();
        Ok(())
    }

    /// Makes room for more nodes, and with them for more look-ups and results. Near the limit the cache stays as it is.
    ///
    /// # Errors
    /// [`Halt::Full`] if the memory limit does not allow it, [`Halt::Refused`] if the system does not; then all is as it was.
    #[cold]
    pub fn grow(&mut self) -> Result<(), Halt> {
        let begun = Instant::now();
        let grown = self.enlarge();
        self.counters.growing.add(begun);
        grown
    }

    fn enlarge(&mut self) -> Result<(), Halt> {
        if self.cache_should_grow() {
            return Ok(self.resize_cache(2 * self.cache.entries())?);
        }
        let nodes = self.nodes();
        let more = self.places.len() / 2;
        let places = self.places.len() + more;
        let place_bytes = (more * size_of::<Place>() + garbage::mark_bytes(more)) as u64;
        let unique_bytes = self.unique.bytes_for(places) as u64;
        let spare = (self.limits.memory.saturating_sub(self.bytes()))
            .checked_sub(place_bytes + unique_bytes)
            .ok_or(Halt::Full)?;
        if places > MOST {
            return Err(Halt::Full);
        }
        self.unique.grow(places)?;
        self.places.resize(places)?;
        *self.used.0.get_mut() = nodes;
        let entries = places.next_power_of_two();
        if entries > self.cache.entries() && Cache::bytes(entries) <= spare / 2 {
            // A cache that cannot grow drops results sooner.
            let _ = self.resize_cache(entries);
        }
        Ok(())
    }

    /// A result that is one diagram, computed unless it is still remembered.
    #[inline(always)]
    pub fn once(&self, key: Key, find: impl FnOnce() -> Result<Id, Halt>) -> Result<Id, Halt> {
        let place = self.cache.place(key);
        if let Some(known) = self.recall_at(place, key) {
            return Ok(known);
        }
        let result = find()?;
        self.remember_at(place, key, result)?;
        Ok(result)
    }

    /// The number of results that it can remember.
    pub fn results(&self) -> usize {
        self.cache.entries()
    }

    /// Loads a remembered result ahead of its use.
    #[inline(always)]
    pub fn prefetch(&self, key: Key) {
        self.cache.prefetch(key);
    }

    /// What was computed before, if it is still remembered.
    #[inline]
    pub fn recall(&self, key: Key) -> Option<Id> {
        self.recall_at(self.cache.place(key), key)
    }

    #[inline(always)]
    fn recall_at(&self, place: usize, key: Key) -> Option<Id> {
        let found = self.cache.recall(place, key);
        if place.is_multiple_of(POLL_INTERVAL) {
            self.samples.recalled(key.operation, found.is_some());
        }
        found
    }

    /// What was computed before of two diagrams, whose keys differ in the operation's lowest bit.
    #[inline]
    pub fn recall_both(&self, keys: [Key; 2]) -> Option<[Id; 2]> {
        Some([self.recall(keys[0])?, self.recall(keys[1])?])
    }

    /// Remembers a result, in place of another.
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

impl From<NoRoom> for Halt {
    fn from(_: NoRoom) -> Halt {
        Halt::Refused
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
            (_, Id::ABSENT) => View::Binary { level, empty, stone },
            _ => View::Ternary {
                level,
                empty,
                stone,
                ball,
            },
        }
    }
}

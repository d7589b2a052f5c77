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
//! [`Store::binary`] look the node up before they make it). That makes it worth while to remember results: the
//! *computed cache* (`cache`) maps an operation and its operands to the result.
//!
//! **Threads share a store**: nodes are made through a shared reference. Whoever makes one writes it to a place of its own and then
//! offers its number to the unique table; if another thread offered the same node first, the other number counts and the place
//! is wasted. Only room is made by one thread alone ([`Store::grow`], [`Store::collect`]): an operation that finds none left ends
//! with [`Halt::Full`], and is begun again when there is some. Not much is lost, as results are remembered.
//!
//! Children are made before parents, so numbers grow upwards. [`Store::collect`] uses this: one pass down marks
//! what the given roots need, one pass up moves it together, and results that mention only surviving nodes survive too.

mod garbage;

use super::super::scratch::Room;
use super::cache::{Cache, Key, mix, pair, unpair};
use crate::diagram::{Diagram, View};
use std::mem::size_of;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};

/// The number of a node. Numbers are valid in one store, until it collects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(#[doc(hidden)] pub u32);

impl Id {
    /// No position.
    pub const BOTTOM: Id = Id(0);
    /// After the ball: every arrangement of what is left of the strip.
    pub const TOP: Id = Id(1);
    /// In a binary node, in place of the ball's child.
    const ABSENT: Id = Id(u32::MAX);

    fn place(self) -> usize {
        self.0 as usize
    }
}

/// Why an operation ended before its result was there. Nothing is lost but that result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// No node is left: there may be more after [`Store::grow`], or [`Store::collect`].
    Full,
    /// The flag of [`Store::stop_on`] is up.
    Interrupted,
}

/// One node: its square and its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    level: u32,
    /// Where the square is empty.
    pub empty: Id,
    /// Where the square holds a stone.
    pub stone: Id,
    /// Where the square holds the ball; meaningless in a binary node.
    pub ball: Id,
}

impl Node {
    /// The node's square.
    pub fn level(&self) -> usize {
        self.level as usize
    }

    /// Whether the ball is still to come.
    pub fn is_ternary(&self) -> bool {
        self.ball != Id::ABSENT
    }

    /// The node in two words.
    fn words(&self) -> [u64; 2] {
        [pair(self.empty, self.stone), pair(Id(self.level), self.ball)]
    }

    fn of([children, rest]: [u64; 2]) -> Node {
        let ((empty, stone), (level, ball)) = (unpair(children), unpair(rest));
        Node {
            level: level.0,
            empty,
            stone,
            ball,
        }
    }
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
    /// Room for nodes; `used` places are taken, and none is left if it is more than there are.
    places: Room<Place>,
    used: Counter,
    /// Open addressing, at most half full; 0 is a free slot (⊥ is never looked up).
    unique: Room<AtomicU32>,
    cache: Cache,
    /// Results written to watched entries in this piece of work.
    watched: Counter,
    /// Nodes that survived the last collection.
    survivors: usize,
    peak_nodes: usize,
    stop: Option<Arc<AtomicBool>>,
}

/// One entry of so many in the cache is watched: when a result is written there, the work looks whether it is to stop. It may go on for
/// hours without a new node, never without a result. A power of two.
const WATCHED: usize = 1 << 10;

/// How often the whole cache may be written over in one piece of work. After that it is too small: results are forgotten before they
/// are wanted, and work of seconds takes hours.
const OVERWRITTEN: usize = 4;

/// The fewest places.
const FEWEST: usize = 1 << 10;

impl Store {
    /// An empty store for strips of `length` squares.
    pub fn new(length: usize, limits: SymbolicLimits) -> Store {
        let mut store = Store {
            length,
            limits,
            places: Room::granted(FEWEST),
            used: Counter(AtomicUsize::new(2)),
            unique: Room::granted(2 * FEWEST),
            cache: Cache::new(FEWEST),
            watched: Counter::default(),
            survivors: 0,
            peak_nodes: 0,
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
        store
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

    /// Bytes held now, with what a collection would take for new numbers.
    pub fn bytes(&self) -> u64 {
        let new_numbers = self.places.len() * size_of::<Id>();
        let nodes = self.places.len() * size_of::<Place>();
        let unique = self.unique.len() * size_of::<u32>();
        (nodes + unique + new_numbers) as u64 + Cache::bytes(self.cache.entries())
    }

    /// A node. ⊥ reads as a ternary node without members.
    #[inline]
    pub fn node(&self, id: Id) -> Node {
        // Whoever knows the number has it from where it was published, after the node.
        let [children, rest] = &self.places[id.place()];
        Node::of([children.load(Ordering::Relaxed), rest.load(Ordering::Relaxed)])
    }

    /// The two halves of a binary diagram at a square that it may skip.
    #[inline]
    pub fn halves(&self, id: Id, level: usize) -> (Id, Id) {
        let node = self.node(id);
        if node.level() == level {
            (node.empty, node.stone)
        } else {
            (id, id)
        }
    }

    /// The node before or on the ball's square.
    pub fn ternary(&self, level: usize, empty: Id, stone: Id, ball: Id) -> Result<Id, Halt> {
        if empty == Id::BOTTOM && stone == Id::BOTTOM && ball == Id::BOTTOM {
            return Ok(Id::BOTTOM);
        }
        self.consed(Node {
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
        self.consed(Node {
            level: level as u32,
            empty,
            stone,
            ball: Id::ABSENT,
        })
    }

    fn consed(&self, node: Node) -> Result<Id, Halt> {
        let words = node.words();
        let mask = self.unique.len() - 1;
        let mut slot = mix(words[0], words[1]) as usize & mask;
        let mut own = None;
        loop {
            let mut found = self.unique[slot].load(Ordering::Acquire);
            if found == 0 {
                let id = match own {
                    Some(id) => id,
                    None => self.placed(words)?,
                };
                let offer = (self.unique[slot]).compare_exchange(0, id, Ordering::Release, Ordering::Acquire);
                match offer {
                    Ok(_) => return Ok(Id(id)),
                    Err(earlier) => (found, own) = (earlier, Some(id)),
                }
            }
            if self.node(Id(found)) == node {
                if let Some(own) = own {
                    self.places[own as usize][1].store(pair(Id(WASTED), Id::ABSENT), Ordering::Relaxed);
                }
                return Ok(Id(found));
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Writes a node to a place of its own.
    fn placed(&self, words: [u64; 2]) -> Result<u32, Halt> {
        let place = self.used.0.fetch_add(1, Ordering::Relaxed);
        let Some(free) = self.places.get(place) else {
            return Err(Halt::Full);
        };
        for (word, value) in free.iter().zip(words) {
            word.store(value, Ordering::Relaxed);
        }
        Ok(place as u32)
    }

    /// Ends the work if it is to stop, or if the cache is too small for it and may grow.
    #[cold]
    fn look_up(&self) -> Result<(), Halt> {
        if (self.stop.as_ref()).is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(Halt::Interrupted);
        }
        self.watched.0.fetch_add(1, Ordering::Relaxed);
        match self.is_cramped() {
            true => Err(Halt::Full),
            false => Ok(()),
        }
    }

    /// Whether the cache is too small for the piece of work at hand and may grow: the old one and the new one are there together.
    fn is_cramped(&self) -> bool {
        let written = WATCHED * self.watched.0.load(Ordering::Relaxed);
        let entries = self.cache.entries();
        written > OVERWRITTEN * entries && self.bytes() + Cache::bytes(2 * entries) <= self.limits.memory
    }

    /// A new piece of work begins: what it writes to the cache is counted anew.
    pub fn begin(&self) {
        self.watched.0.store(0, Ordering::Relaxed);
    }

    fn resize_cache(&mut self, entries: usize) {
        self.cache.resize(entries, Some);
        self.begin();
    }

    /// Makes room for more nodes, and with them for more look-ups and results.
    ///
    /// Results are a luxury: near the limit their table stays as it is.
    ///
    /// # Errors
    /// [`Halt::Full`] if the memory limit does not allow it.
    #[cold]
    pub fn grow(&mut self) -> Result<(), Halt> {
        if self.is_cramped() {
            self.resize_cache(2 * self.cache.entries());
            return Ok(());
        }
        let nodes = self.nodes();
        let more = self.places.len() / 2;
        let places = self.places.len() + more;
        let place_bytes = (more * (size_of::<Place>() + size_of::<Id>())) as u64;
        let slots = (2 * places).next_power_of_two();
        let slot_bytes = if slots > self.unique.len() {
            (slots * size_of::<u32>()) as u64
        } else {
            0
        };
        let spare = (self.limits.memory.saturating_sub(self.bytes()))
            .checked_sub(place_bytes + slot_bytes)
            .ok_or(Halt::Full)?;
        // The last number stands for an absent child.
        if places >= u32::MAX as usize || self.places.resize(places).is_err() {
            return Err(Halt::Full);
        }
        *self.used.0.get_mut() = nodes;
        if slot_bytes > 0 {
            self.rebuild_unique(slots);
        }
        let entries = places.next_power_of_two();
        if entries > self.cache.entries() && Cache::bytes(entries) <= spare / 2 {
            self.resize_cache(entries);
        }
        Ok(())
    }

    /// The unique table of all nodes.
    fn rebuild_unique(&mut self, slots: usize) {
        // The old one goes before the new one comes.
        self.unique = Room::granted(0);
        self.unique = Room::granted(slots);
        for place in 2..self.nodes() {
            let words = self.node(Id(place as u32)).words();
            if words[1] >> 32 == u64::from(WASTED) {
                continue;
            }
            let mut slot = mix(words[0], words[1]) as usize & (slots - 1);
            while *self.unique[slot].get_mut() != 0 {
                slot = (slot + 1) & (slots - 1);
            }
            *self.unique[slot].get_mut() = place as u32;
        }
    }

    /// A result that is one diagram, computed unless it is still remembered.
    #[inline(always)]
    pub fn once(&self, key: Key, find: impl FnOnce() -> Result<Id, Halt>) -> Result<Id, Halt> {
        if let Some((known, _)) = self.recall(key) {
            return Ok(known);
        }
        let result = find()?;
        self.remember(key, (result, Id::BOTTOM))?;
        Ok(result)
    }

    /// Results that it can remember.
    pub fn results(&self) -> usize {
        self.cache.entries()
    }

    /// What was computed before, if it is still remembered.
    #[inline]
    pub fn recall(&self, key: Key) -> Option<(Id, Id)> {
        self.cache.recall(key)
    }

    /// Remembers a result, in place of another.
    #[inline]
    pub fn remember(&self, key: Key, result: (Id, Id)) -> Result<(), Halt> {
        match self.cache.remember(key, result).is_multiple_of(WATCHED) {
            true => self.look_up(),
            false => Ok(()),
        }
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

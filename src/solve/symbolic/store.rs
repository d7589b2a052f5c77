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
//! *computed cache* maps an operation and its operands to the result. It is direct-mapped, so entries are
//! forgotten, but a key is compared in full, so nothing is ever mistaken.
//!
//! Children are made before parents, so numbers grow upwards. [`Store::collect`] uses this: one pass down marks
//! what the given roots need, one pass up moves it together, and results that mention only surviving nodes survive too.

use crate::diagram::{Diagram, View};
use std::mem::size_of;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The number of a node. Numbers are valid in one store, until it collects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(u32);

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
    /// The memory limit is reached.
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

    fn hash(&self) -> u64 {
        mix(
            u64::from(self.empty.0) << 32 | u64::from(self.stone.0),
            u64::from(self.level) << 32 | u64::from(self.ball.0),
        )
    }
}

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
    const UNUSED: Key = Key {
        operation: 0,
        first: Id::BOTTOM,
        second: Id::BOTTOM,
    };

    fn hash(&self) -> u64 {
        mix(
            u64::from(self.first.0) << 32 | u64::from(self.second.0),
            self.operation.into(),
        )
    }
}

/// A remembered result: one diagram, or two.
#[derive(Clone, Copy)]
struct Entry {
    key: Key,
    result: (Id, Id),
}

/// Spreads two words over 64 bits; the high bits are the good ones.
fn mix(a: u64, b: u64) -> u64 {
    let x = (a ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let y = (b.rotate_left(32) ^ x ^ (x >> 32)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    y ^ (y >> 29) ^ x.rotate_left(17)
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

/// All nodes of the diagrams of one length.
pub struct Store {
    length: usize,
    limits: SymbolicLimits,
    nodes: Vec<Node>,
    /// Open addressing; 0 is a free slot (⊥ is never looked up).
    unique: Vec<u32>,
    cache: Vec<Entry>,
    /// Nodes that survived the last collection.
    survivors: usize,
    peak_nodes: usize,
    peak_bytes: u64,
    stop: Option<Arc<AtomicBool>>,
}

/// New nodes between two looks at the flag that stops the work, a power of two.
const NODES_BETWEEN_LOOKS: usize = 1 << 12;

/// Nodes for each that is needed when garbage is collected. Rarer collections keep more results, and more of them are found again.
const GARBAGE: usize = 16;

/// The fewest slots of a table.
const SMALLEST_TABLE: usize = 1 << 10;

impl Store {
    /// An empty store for strips of `length` squares.
    pub fn new(length: usize, limits: SymbolicLimits) -> Store {
        let leaf = |id, ball| Node {
            level: length as u32,
            empty: id,
            stone: id,
            ball,
        };
        Store {
            length,
            limits,
            nodes: vec![leaf(Id::BOTTOM, Id::BOTTOM), leaf(Id::TOP, Id::ABSENT)],
            unique: vec![0; SMALLEST_TABLE],
            cache: vec![UNUSED_ENTRY; SMALLEST_TABLE],
            survivors: 0,
            peak_nodes: 0,
            peak_bytes: 0,
            stop: None,
        }
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
        self.nodes.len()
    }

    /// The most nodes that there have been.
    pub fn peak_nodes(&self) -> usize {
        self.peak_nodes.max(self.nodes.len())
    }

    /// Bytes held now, with what a collection would take for new numbers.
    pub fn bytes(&self) -> u64 {
        let new_numbers = (self.nodes.capacity() * size_of::<Option<Id>>()) as u64;
        table_bytes(&self.nodes) + table_bytes(&self.unique) + table_bytes(&self.cache) + new_numbers
    }

    /// The most bytes that have been held.
    pub fn peak_bytes(&self) -> u64 {
        self.peak_bytes.max(self.bytes())
    }

    /// A node. ⊥ reads as a ternary node without members.
    #[inline]
    pub fn node(&self, id: Id) -> Node {
        self.nodes[id.place()]
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
    pub fn ternary(&mut self, level: usize, empty: Id, stone: Id, ball: Id) -> Result<Id, Halt> {
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
    pub fn binary(&mut self, level: usize, empty: Id, stone: Id) -> Result<Id, Halt> {
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

    fn consed(&mut self, node: Node) -> Result<Id, Halt> {
        let mask = self.unique.len() - 1;
        let mut slot = node.hash() as usize & mask;
        loop {
            match self.unique[slot] {
                0 => break,
                id if self.nodes[id as usize] == node => return Ok(Id(id)),
                _ => slot = (slot + 1) & mask,
            }
        }
        if self.nodes.len() == self.nodes.capacity() {
            self.grow()?;
            return self.consed(node);
        }
        if self.nodes.len().is_multiple_of(NODES_BETWEEN_LOOKS) && self.is_stopped() {
            return Err(Halt::Interrupted);
        }
        let id = self.nodes.len() as u32;
        self.nodes.push(node);
        self.unique[slot] = id;
        Ok(Id(id))
    }

    fn is_stopped(&self) -> bool {
        (self.stop.as_ref()).is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Makes room for more nodes, and with them for more look-ups and results.
    ///
    /// Results are a luxury: near the limit their table stays as it is.
    #[cold]
    fn grow(&mut self) -> Result<(), Halt> {
        let more = (self.nodes.len() / 2).max(SMALLEST_TABLE / 2);
        let nodes = self.nodes.len() + more;
        let node_bytes = (more * (size_of::<Node>() + size_of::<Option<Id>>())) as u64;
        let slots = (2 * nodes).next_power_of_two();
        let slot_bytes = if slots > self.unique.len() {
            (slots * size_of::<u32>()) as u64
        } else {
            0
        };
        let spare = (self.limits.memory.saturating_sub(self.bytes()))
            .checked_sub(node_bytes + slot_bytes)
            .ok_or(Halt::Full)?;
        // The last number stands for an absent child.
        if nodes >= u32::MAX as usize || self.nodes.try_reserve_exact(more).is_err() {
            return Err(Halt::Full);
        }
        if slot_bytes > 0 {
            self.unique = rebuilt(&self.nodes, slots);
        }
        let entries = nodes.next_power_of_two();
        let entry_bytes = (entries * size_of::<Entry>()) as u64;
        if entries > self.cache.len() && entry_bytes <= spare / 2 {
            self.resize_cache(entries, Some);
        }
        self.peak_bytes = self.peak_bytes();
        Ok(())
    }

    /// What was computed before, if it is still remembered.
    #[inline]
    pub fn recall(&self, key: Key) -> Option<(Id, Id)> {
        let entry = &self.cache[key.hash() as usize & (self.cache.len() - 1)];
        (entry.key == key).then_some(entry.result)
    }

    /// Remembers a result, in place of another.
    #[inline]
    pub fn remember(&mut self, key: Key, result: (Id, Id)) {
        let place = key.hash() as usize & (self.cache.len() - 1);
        self.cache[place] = Entry { key, result };
    }

    /// Moves the remembered results that `keep` translates into a table of another size.
    fn resize_cache(&mut self, entries: usize, keep: impl Fn(Entry) -> Option<Entry>) {
        let old = std::mem::replace(&mut self.cache, vec![UNUSED_ENTRY; entries]);
        for entry in old {
            if entry.key == Key::UNUSED {
                continue;
            }
            if let Some(entry) = keep(entry) {
                self.remember(entry.key, entry.result);
            }
        }
    }

    /// Collects if that is likely to pay: if nearly all nodes have been made since the last time.
    ///
    /// `roots` are the diagrams that are still wanted; their numbers change.
    pub fn tidy(&mut self, roots: &mut [&mut Id]) {
        let nodes = self.nodes.len();
        let scarce = self.bytes() > self.limits.memory / 2 && nodes > self.survivors + self.survivors / 2;
        if scarce || (nodes > self.limits.collect_above && nodes > GARBAGE * self.survivors) {
            self.collect(roots);
        }
    }

    /// Forgets every node that no root needs.
    pub fn collect(&mut self, roots: &mut [&mut Id]) {
        self.peak_nodes = self.peak_nodes();
        self.peak_bytes = self.peak_bytes();
        let new_numbers = self.compact(roots);
        let renumbered = |id: Id| match id {
            Id::ABSENT => Some(id),
            _ => new_numbers[id.place()],
        };
        for root in roots {
            **root = renumbered(**root).expect("every root is kept");
        }
        self.survivors = self.nodes.len();
        let capacity = 2 * self.nodes.len();
        self.nodes.shrink_to(capacity);
        self.unique = Vec::new();
        self.unique = rebuilt(&self.nodes, (2 * self.nodes.capacity()).next_power_of_two());
        let entries = self.cache.len();
        if self.bytes() + (entries * size_of::<Entry>()) as u64 > self.limits.memory {
            self.cache = vec![UNUSED_ENTRY; SMALLEST_TABLE];
            return;
        }
        self.resize_cache(entries, |entry| {
            Some(Entry {
                key: Key {
                    first: renumbered(entry.key.first)?,
                    second: renumbered(entry.key.second)?,
                    ..entry.key
                },
                result: (renumbered(entry.result.0)?, renumbered(entry.result.1)?),
            })
        });
    }

    /// Moves the nodes that the roots need to the front and returns everyone's new number.
    fn compact(&mut self, roots: &[&mut Id]) -> Vec<Option<Id>> {
        let mut new_numbers = vec![None; self.nodes.len()];
        // While marking, any number will do as a mark.
        for root in roots {
            new_numbers[root.place()] = Some(Id::BOTTOM);
        }
        for leaf in [Id::BOTTOM, Id::TOP] {
            new_numbers[leaf.place()] = Some(leaf);
        }
        for place in (2..self.nodes.len()).rev() {
            if new_numbers[place].is_some() {
                let node = self.nodes[place];
                for child in [node.empty, node.stone, node.ball] {
                    if child != Id::ABSENT && new_numbers[child.place()].is_none() {
                        new_numbers[child.place()] = Some(Id::BOTTOM);
                    }
                }
            }
        }
        let mut kept = 2;
        for place in 2..self.nodes.len() {
            if new_numbers[place].is_some() {
                let moved = |id: Id| match id {
                    Id::ABSENT => id,
                    _ => new_numbers[id.place()].expect("children of kept nodes are kept, and come first"),
                };
                let node = self.nodes[place];
                self.nodes[kept] = Node {
                    level: node.level,
                    empty: moved(node.empty),
                    stone: moved(node.stone),
                    ball: moved(node.ball),
                };
                new_numbers[place] = Some(Id(kept as u32));
                kept += 1;
            }
        }
        self.nodes.truncate(kept);
        new_numbers
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

const UNUSED_ENTRY: Entry = Entry {
    key: Key::UNUSED,
    result: (Id::BOTTOM, Id::BOTTOM),
};

#[allow(clippy::ptr_arg, reason = "the capacity counts, not the slice")]
fn table_bytes<T>(table: &Vec<T>) -> u64 {
    (table.capacity() * size_of::<T>()) as u64
}

/// The unique table for some nodes.
fn rebuilt(nodes: &[Node], slots: usize) -> Vec<u32> {
    let mut unique = vec![0; slots];
    for (id, node) in nodes.iter().enumerate().skip(2) {
        let mut slot = node.hash() as usize & (slots - 1);
        while unique[slot] != 0 {
            slot = (slot + 1) & (slots - 1);
        }
        unique[slot] = id as u32;
    }
    unique
}

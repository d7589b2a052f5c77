//! The unique table: the number of every node, by a hash of the node.
//!
//! Open addressing, at most three quarters full. A slot is a word: 34 bits of the hash, the *tag*, and the node's number in 30; 0 is
//! a free slot (⊥ is never looked up). A look-up reads a node only if its tag is the right one. The highest bits of the tag are
//! the slot where the search begins, so a larger table is filled in order, without a look at the nodes.

use super::super::super::scratch::{NoRoom, Room};
use super::super::cache::{ID_BITS, mix};
use super::Id;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bits of a tag.
const TAG_BITS: u32 = u64::BITS - ID_BITS;

pub(super) struct Unique {
    slots: Room<AtomicU64>,
}

impl Unique {
    /// An empty table for this many nodes.
    pub fn new(nodes: usize) -> Result<Unique, NoRoom> {
        let slots = Room::new(slots_for(nodes), None)?;
        Ok(Unique { slots })
    }

    /// The bytes that it takes.
    pub fn bytes(&self) -> usize {
        self.slots.len() * size_of::<AtomicU64>()
    }

    /// The bytes of a table for this many nodes, 0 if this one is large enough.
    pub fn bytes_for(&self, nodes: usize) -> usize {
        let slots = slots_for(nodes);
        if slots <= self.slots.len() {
            return 0;
        }
        slots * size_of::<AtomicU64>()
    }

    /// The tag of a node.
    #[inline(always)]
    pub fn tag([children, rest]: [u64; 2]) -> u64 {
        mix(children, rest) >> ID_BITS
    }

    /// A slot's word.
    #[inline(always)]
    pub fn slot(tag: u64, id: Id) -> u64 {
        tag << ID_BITS | u64::from(id.0)
    }

    /// The node's number in a slot with this tag.
    #[inline(always)]
    pub fn number(slot: u64, tag: u64) -> Option<Id> {
        (slot >> ID_BITS == tag).then_some(Id((slot & ((1 << ID_BITS) - 1)) as u32))
    }

    /// The slots in the order in which a tag is searched, round and round.
    #[inline(always)]
    pub fn slots(&self, tag: u64) -> impl Iterator<Item = &AtomicU64> {
        let mask = self.slots.len() - 1;
        let first = (tag >> (TAG_BITS - self.slots.len().trailing_zeros())) as usize;
        (0..=mask).map(move |distance| &self.slots[(first + distance) & mask])
    }

    /// Makes it large enough for this many nodes.
    pub fn grow(&mut self, nodes: usize) -> Result<(), NoRoom> {
        if self.bytes_for(nodes) == 0 {
            return Ok(());
        }
        let old = std::mem::replace(self, Unique::new(nodes)?);
        for slot in old.slots.iter().map(|slot| slot.load(Ordering::Relaxed)) {
            if slot != 0 {
                self.insert(slot >> ID_BITS, slot);
            }
        }
        Ok(())
    }

    /// Inserts a word that the table does not have.
    fn insert(&mut self, tag: u64, word: u64) {
        let mut slots = self.slots(tag);
        let free = slots.find(|slot| slot.load(Ordering::Relaxed) == 0);
        free.expect("a free slot").store(word, Ordering::Relaxed);
    }

    /// Replaces the contents, for this many nodes in all, no more than before.
    pub fn rebuild(&mut self, nodes: usize, present: impl Iterator<Item = (Id, [u64; 2])>) {
        match Unique::new(nodes) {
            Ok(new) => *self = new,
            Err(_) => self.slots.fill_with(AtomicU64::default),
        }
        for (id, words) in present {
            let tag = Unique::tag(words);
            self.insert(tag, Unique::slot(tag, id));
        }
    }
}

/// The slots for a number of nodes: a power of two, and a third more than nodes at least.
fn slots_for(nodes: usize) -> usize {
    (nodes + nodes / 3).next_power_of_two()
}

//! The unique table, which maps nodes to their numbers.
//!
//! Open addressing with a load factor of at most 3/4. A slot is a word: 34 bits of the hash, the
//! *tag*, and the node's number in 30 bits; 0 is a free slot (⊥ is never inserted). A look-up reads
//! a node only if its tag matches. The highest bits of the tag determine the first slot, so a
//! larger table can be filled in order without reading the nodes.

use super::super::cache::{ID_BITS, mix};
use super::{Halt, Id};
use phutbase_base::job::Job;
use phutbase_machine::scratch::{Mapping, MappingError};
use std::sync::atomic::{AtomicU64, Ordering};

/// Slots that are moved between two checks whether the work must stop.
const CHECKED_SLOTS: usize = 1 << 16;

const TAG_BITS: u32 = u64::BITS - ID_BITS;

pub(super) struct Unique {
    slots: Mapping<AtomicU64>,
}

impl Unique {
    /// Returns an empty table for this many nodes.
    pub fn new(nodes: usize) -> Result<Unique, MappingError> {
        let slots = Mapping::new(slots_for(nodes), None)?;
        Ok(Unique { slots })
    }

    /// Returns the size in bytes.
    pub fn bytes(&self) -> usize {
        self.slots.len() * size_of::<AtomicU64>()
    }

    /// Returns the size in bytes of a table for this many nodes; 0 if this one is large enough.
    pub fn bytes_for(&self, nodes: usize) -> usize {
        let slots = slots_for(nodes);
        if slots <= self.slots.len() {
            return 0;
        }
        slots * size_of::<AtomicU64>()
    }

    /// Returns the tag of a node.
    #[inline(always)]
    pub fn tag([children, rest]: [u64; 2]) -> u64 {
        mix(children, rest) >> ID_BITS
    }

    /// Packs a tag and a number in a slot.
    #[inline(always)]
    pub fn slot(tag: u64, id: Id) -> u64 {
        tag << ID_BITS | u64::from(id.0)
    }

    /// Returns the number in a slot with this tag.
    #[inline(always)]
    pub fn number(slot: u64, tag: u64) -> Option<Id> {
        (slot >> ID_BITS == tag).then_some(Id((slot & ((1 << ID_BITS) - 1)) as u32))
    }

    /// Iterates over the slots in probing order for a tag, cyclically.
    #[inline(always)]
    pub fn slots(&self, tag: u64) -> impl Iterator<Item = &AtomicU64> {
        let mask = self.slots.len() - 1;
        let first = (tag >> (TAG_BITS - self.slots.len().trailing_zeros())) as usize;
        (0..=mask).map(move |distance| &self.slots[(first + distance) & mask])
    }

    /// Grows the table for this many nodes. On errors it is unchanged.
    pub fn grow(&mut self, nodes: usize, job: &Job) -> Result<(), Halt> {
        if self.bytes_for(nodes) == 0 {
            return Ok(());
        }
        let new = Unique::new(nodes)?;
        for slots in self.slots.chunks(CHECKED_SLOTS) {
            for slot in slots.iter().map(|slot| slot.load(Ordering::Relaxed)) {
                if slot != 0 {
                    new.insert(slot >> ID_BITS, slot);
                }
            }
            job.check()?;
        }
        *self = new;
        Ok(())
    }

    /// Inserts a word that is not in the table.
    fn insert(&self, tag: u64, word: u64) {
        let mut slots = self.slots(tag);
        let free = slots.find(|slot| slot.load(Ordering::Relaxed) == 0);
        free.expect("a free slot").store(word, Ordering::Relaxed);
    }

    /// Replaces the contents and shrinks the table for `nodes` nodes.
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

/// Returns the number of slots for this many nodes: a power of two, at least 4/3 of the nodes.
fn slots_for(nodes: usize) -> usize {
    (nodes + nodes / 3).next_power_of_two()
}

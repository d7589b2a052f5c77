//! Results of a check, in memory of a fixed size: one may be forgotten, and is then found again.

use super::nodes::Set;
use hashbrown::DefaultHashBuilder;
use std::hash::BuildHasher;

/// A question about two sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Key {
    /// Positive, because 0 marks an unused place.
    pub question: u32,
    pub sets: [Set; 2],
}

/// Bytes of an entry.
pub const ENTRY_BYTES: u64 = size_of::<(Key, Set)>() as u64;

/// Each key has two neighbouring places: the last result of either is in the first.
pub struct Results {
    pairs: Vec<[(Key, Set); 2]>,
    hasher: DefaultHashBuilder,
}

impl Results {
    /// Returns room for some results, rounded up to a power of two.
    pub fn with_room(entries: usize) -> Results {
        Results {
            pairs: vec![Default::default(); entries.next_power_of_two().max(2) / 2],
            hasher: DefaultHashBuilder::default(),
        }
    }

    #[inline(always)]
    fn place(&self, key: Key) -> usize {
        self.hasher.hash_one(key) as usize & (self.pairs.len() - 1)
    }

    /// Returns a result, if it is still known.
    #[inline(always)]
    pub fn recall(&self, key: Key) -> Option<Set> {
        let pair = &self.pairs[self.place(key)];
        pair.iter()
            .find(|(known, _)| *known == key)
            .map(|&(_, result)| result)
    }

    /// Keeps a result, and the one that was kept before it.
    #[inline(always)]
    pub fn keep(&mut self, key: Key, result: Set) {
        let place = self.place(key);
        let pair = &mut self.pairs[place];
        *pair = [(key, result), pair[0]];
    }
}

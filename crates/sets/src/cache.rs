//! A four-way set-associative cache of results.

use super::graph::{Ref, prefetch};
use hashbrown::DefaultHashBuilder;
use std::hash::{BuildHasher, Hash};

/// Entries from which a cache doubles later: 256 MiB with keys of 12 bytes.
const LARGE: usize = 1 << 24;

/// Results by key. A new result evicts the least recently used result of its line.
#[derive(Debug)]
pub(super) struct Cache<K> {
    lines: Vec<Line<K>>,
    /// Number of insertions since the cache grew.
    inserted: usize,
    hasher: DefaultHashBuilder,
}

/// Four results, the most recently used first. With keys of 12 bytes they fill a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Line<K>([Option<(K, Ref)>; 4]);

impl<K: Copy + Eq + Hash> Cache<K> {
    /// Returns the number of insertions after which the cache doubles. Evicted results are computed
    /// and inserted again, so a cache that doubles late is smaller and takes longer. For the
    /// equations of 96 squares, two insertions per entry take 1.3 times as many results as one, and
    /// two thirds of the memory; four take twice as many results, and little less memory.
    fn most_inserted(&self) -> usize {
        let entries = 4 * self.lines.len();
        if entries < LARGE { 2 * entries } else { 4 * entries }
    }

    pub(super) fn new() -> Cache<K> {
        Cache {
            lines: vec![Line::EMPTY; 1 << 8],
            inserted: 0,
            hasher: DefaultHashBuilder::default(),
        }
    }

    /// Returns the allocated memory, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.lines.capacity() * size_of::<Line<K>>()
    }

    #[inline]
    fn place(&self, key: K) -> usize {
        self.hasher.hash_one(key) as usize & (self.lines.len() - 1)
    }

    #[inline(always)]
    pub(super) fn prefetch(&self, key: K) {
        prefetch(&self.lines[self.place(key)]);
    }

    #[inline]
    pub(super) fn get(&mut self, key: K) -> Option<Ref> {
        let place = self.place(key);
        let line = &mut self.lines[place].0;
        let way = line
            .iter()
            .position(|entry| entry.is_some_and(|(known, _)| known == key))?;
        line[..=way].rotate_right(1);
        line[0].map(|(_, result)| result)
    }

    #[inline]
    pub(super) fn insert(&mut self, key: K, result: Ref) {
        if self.inserted >= self.most_inserted() {
            self.grow();
        }
        self.inserted += 1;
        let place = self.place(key);
        self.lines[place].push((key, result));
    }

    /// Doubles the cache in place.
    #[cold]
    fn grow(&mut self) {
        let before = self.lines.len();
        self.lines.resize(2 * before, Line::EMPTY);
        for place in 0..before {
            let line = std::mem::replace(&mut self.lines[place], Line::EMPTY);
            for (key, result) in line.0.into_iter().rev().flatten() {
                let place = self.place(key);
                self.lines[place].push((key, result));
            }
        }
        self.inserted = 0;
    }
}

impl<K: Copy> Line<K> {
    const EMPTY: Line<K> = Line([None; 4]);

    #[inline]
    fn push(&mut self, entry: (K, Ref)) {
        self.0.rotate_right(1);
        self.0[0] = Some(entry);
    }
}

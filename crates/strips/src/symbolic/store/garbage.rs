//! Garbage collection: drops unreachable nodes, and keeps the cached results that refer only to
//! surviving nodes.

use super::super::cache::Cache;
use super::numbers::Numbers;
use super::{Halt, Id, MIN_ENTRIES, Node, RESULTS, Store};
use phutbase_base::bits::bits;
use phutbase_machine::scratch::Mapping;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Nodes per surviving node at which garbage is collected. Rarer collections preserve more cached
/// results.
const GARBAGE: usize = 16;
/// Maximum number of entries per surviving node after a collection.
const KEPT_ROOM: usize = 4;
/// Number of levels from the roots on which marking forks.
const FORKS: u32 = 12;

/// Returns the size of the marks of this many nodes in bytes.
pub(super) fn mark_bytes(nodes: usize) -> usize {
    nodes.div_ceil(64) * (size_of::<AtomicU64>() + size_of::<u32>())
}

/// The surviving nodes as bits; the new number of a node is the number of survivors before it.
pub struct Marks {
    words: Mapping<AtomicU64>,
    /// Number of survivors before each word.
    before: Mapping<u32>,
    begun: Instant,
    /// The results of the store with the old numbers, once it is swept.
    results: Cache,
}

impl Marks {
    fn mark(&self, store: &Store, id: Id, forks: u32) {
        let (word, bit) = (&self.words[id.place() / 64], 1 << (id.place() % 64));
        if word.load(Ordering::Relaxed) & bit != 0 || word.fetch_or(bit, Ordering::Relaxed) & bit != 0 {
            return;
        }
        if store.check_stop().is_err() {
            return;
        }
        let node = store.node(id);
        let mark = |child, forks| self.mark(store, child, forks);
        let rest = |forks| {
            mark(node.stone, forks);
            if node.is_ternary() {
                mark(node.ball, forks);
            }
        };
        if forks > 0 {
            rayon::join(|| mark(node.empty, forks - 1), || rest(forks - 1));
        } else {
            mark(node.empty, 0);
            rest(0);
        }
    }

    /// Updates a root to its new number.
    pub fn renumber(&self, root: &mut Id) {
        *root = self.number(*root).expect("every root is kept");
    }

    /// Returns the new number of a surviving node.
    fn number(&self, id: Id) -> Option<Id> {
        let (word, bit) = (id.place() / 64, 1u64 << (id.place() % 64));
        let marks = self.words[word].load(Ordering::Relaxed);
        let earlier = (marks & (bit - 1)).count_ones();
        (marks & bit != 0).then(|| Id(self.before[word] + earlier))
    }

    /// Iterates over the surviving nodes in order.
    fn kept(&self) -> impl Iterator<Item = Id> {
        let words = self.words.iter().enumerate();
        words.flat_map(|(place, word)| {
            bits(word.load(Ordering::Relaxed)).map(move |bit| Id((64 * place + bit) as u32))
        })
    }
}

impl Store {
    /// Returns whether there are more nodes than the limit to collect at, nearly all of them new
    /// since the last collection.
    pub fn should_collect(&self) -> bool {
        let nodes = self.nodes();
        nodes > self.limits.collect_above && nodes > GARBAGE * self.survivors
    }

    /// Marks the leaves and all nodes reachable from the roots.
    ///
    /// # Errors
    /// [`Halt::Refused`] and [`Halt::Interrupted`].
    pub fn mark(&self, roots: &[Id]) -> Result<Marks, Halt> {
        let words = self.numbers.end(self.places.len()).div_ceil(64);
        let mut marks = Marks {
            words: Mapping::new(words, None)?,
            before: Mapping::new(words, None)?,
            begun: Instant::now(),
            results: Cache::new(RESULTS * MIN_ENTRIES)?,
        };
        marks.words[0].store(0b11, Ordering::Relaxed);
        roots.par_iter().for_each(|&root| marks.mark(self, root, FORKS));
        self.check_stop()?;
        let mut count = 0;
        for (before, word) in marks.before.iter_mut().zip(marks.words.iter()) {
            *before = count;
            count += word.load(Ordering::Relaxed).count_ones();
        }
        Ok(marks)
    }

    /// Drops every unmarked node, and moves the cached results to `marks`. The caller must
    /// [`renumber`](Marks::renumber) the roots.
    pub fn sweep(&mut self, marks: &mut Marks) {
        self.peak_nodes = self.peak_nodes();
        self.counters.nodes_made += (self.nodes() - self.survivors) as u64;
        std::mem::swap(&mut self.cache, &mut marks.results);
        self.compact(marks);
        self.survivors = self.nodes();
        let kept = (KEPT_ROOM * self.survivors).max(MIN_ENTRIES);
        if kept < self.places.len() {
            // If the table cannot shrink, it stays larger.
            let _ = self.places.resize(kept);
        }
        self.rebuild_unique();
    }

    /// Returns the results in `marks` that refer only to surviving nodes, with their new numbers.
    ///
    /// # Errors
    /// [`Halt`] without memory for them, or if the work must stop.
    pub fn surviving_results(&self, marks: &Marks) -> Result<Cache, Halt> {
        let before = marks.results.entries();
        let entries = before.min(RESULTS * self.places.len().next_power_of_two());
        if self.bytes() + Cache::bytes(before) + Cache::bytes(entries) > self.budget() {
            return Err(Halt::Full);
        }
        marks
            .results
            .resized(entries, |id| marks.number(id), || self.check_stop())
    }

    /// Ends a collection with the surviving results, or without any.
    pub fn end_collection(&mut self, marks: Marks, results: Result<Cache, Halt>) {
        self.counters.collections.add(marks.begun);
        drop(marks);
        match results {
            Ok(results) => self.cache = results,
            Err(_) => self.expect_results(),
        }
    }

    /// Enlarges the cache to the size for a store that created all its nodes itself, within half of
    /// the remaining memory. With imported nodes, few are created, so the cache would not grow with
    /// them and would evict results too soon.
    pub fn expect_results(&mut self) {
        let free = self.budget().saturating_sub(self.bytes());
        let mut entries = (GARBAGE / 2 * self.nodes()).next_power_of_two();
        while Cache::bytes(entries) > free / 2 {
            entries /= 2;
        }
        if entries > self.cache.entries() {
            // If the cache cannot grow, it evicts results sooner.
            let _ = self.grow_cache(entries);
        }
    }

    /// Moves the surviving nodes to the front.
    fn compact(&mut self, marks: &Marks) {
        let mut kept = 0;
        for id in marks.kept() {
            let node = self.node(id);
            // Children of survivors survive.
            let moved = |child: Id| marks.number(child).expect("a kept child");
            let node = Node {
                level: node.level,
                empty: moved(node.empty),
                stone: moved(node.stone),
                ball: if node.is_ternary() {
                    moved(node.ball)
                } else {
                    Id::ABSENT
                },
            };
            self.places[kept] = node.words().map(AtomicU64::new);
            kept += 1;
        }
        self.numbers = Numbers::from(kept);
    }

    fn rebuild_unique(&mut self) {
        let Store {
            places,
            numbers,
            unique,
            ..
        } = self;
        let nodes = (2..numbers.end(places.len())).map(|place| {
            let words = places[place].each_ref().map(|word| word.load(Ordering::Relaxed));
            (Id(place as u32), words)
        });
        unique.rebuild(places.len(), nodes);
    }
}

//! Garbage collection: drops the nodes that no root needs, and keeps the results that mention only surviving nodes.

use super::super::super::scratch::{NoRoom, Room};
use super::super::cache::Cache;
use super::{FEWEST, Halt, Id, Node, Store};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Nodes per surviving node when garbage is collected. Rarer collections keep more results, and more of them are found again.
const GARBAGE: usize = 16;
/// Places per surviving node, at most, right after a collection.
const KEPT_ROOM: usize = 4;
/// Squares from the roots on which marking is shared among threads.
const FORKS: u32 = 12;

/// The bytes of the marks of this many nodes.
pub(super) fn mark_bytes(nodes: usize) -> usize {
    nodes.div_ceil(64) * (size_of::<AtomicU64>() + size_of::<u32>())
}

/// The nodes that are kept, a bit for each; a kept node's new number is the number of kept nodes before it.
struct Marks {
    words: Room<AtomicU64>,
    /// The kept nodes before each word.
    before: Room<u32>,
}

impl Marks {
    /// Marks what the roots need, and the leaves.
    fn new(store: &Store, roots: &[Id]) -> Result<Marks, NoRoom> {
        let words = store.nodes().div_ceil(64);
        let mut marks = Marks {
            words: Room::new(words, None)?,
            before: Room::new(words, None)?,
        };
        *marks.words[0].get_mut() = 0b11;
        roots.par_iter().for_each(|&root| marks.mark(store, root, FORKS));
        let mut count = 0;
        for (before, word) in marks.before.iter_mut().zip(marks.words.iter()) {
            *before = count;
            count += word.load(Ordering::Relaxed).count_ones();
        }
        Ok(marks)
    }

    fn mark(&self, store: &Store, id: Id, forks: u32) {
        let (word, bit) = (&self.words[id.place() / 64], 1 << (id.place() % 64));
        if word.load(Ordering::Relaxed) & bit != 0 || word.fetch_or(bit, Ordering::Relaxed) & bit != 0 {
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

    /// The new number of a node that is kept.
    fn number(&self, id: Id) -> Option<Id> {
        let (word, bit) = (id.place() / 64, 1u64 << (id.place() % 64));
        let marks = self.words[word].load(Ordering::Relaxed);
        let earlier = (marks & (bit - 1)).count_ones();
        (marks & bit != 0).then(|| Id(self.before[word] + earlier))
    }

    /// The nodes that are kept, in order.
    fn kept(&self) -> impl Iterator<Item = Id> {
        let words = self.words.iter().enumerate();
        words.flat_map(|(place, word)| {
            let mut left = word.load(Ordering::Relaxed);
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros())?;
                left &= left - 1;
                Some(Id(64 * place as u32 + bit))
            })
        })
    }
}

impl Store {
    /// Whether a collection is likely to pay: nearly all nodes have been made since the last one.
    pub fn is_untidy(&self) -> bool {
        let nodes = self.nodes();
        let scarce = self.bytes() > self.limits.memory / 4 * 3 && nodes > self.survivors + self.survivors / 2;
        scarce || (nodes > self.limits.collect_above && nodes > GARBAGE * self.survivors)
    }

    /// Forgets every node that no root needs.
    ///
    /// `roots` are the diagrams that are still wanted; their numbers change.
    ///
    /// # Errors
    /// [`Halt::Refused`]; then all is as it was.
    pub fn collect(&mut self, roots: &mut [&mut Id]) -> Result<(), Halt> {
        let begun = Instant::now();
        let wanted: Vec<Id> = roots.iter().map(|root| **root).collect();
        let marks = Marks::new(self, &wanted)?;
        self.peak_nodes = self.peak_nodes();
        self.counters.nodes_made += (self.nodes() - self.survivors) as u64;
        self.compact(&marks);
        for root in roots {
            **root = marks.number(**root).expect("every root is kept");
        }
        self.survivors = self.nodes();
        let kept = (KEPT_ROOM * self.survivors).max(FEWEST);
        if kept < self.places.len() {
            self.places.resize(kept)?;
        }
        self.rebuild_unique();
        let entries = self.cache.entries();
        let fits = self.bytes() + Cache::bytes(entries) <= self.limits.memory;
        if !fits || self.cache.resize(entries, |id| marks.number(id)).is_err() {
            self.cache.shrink(FEWEST);
            self.expect_results();
        }
        self.counters.collections.add(begun);
        Ok(())
    }

    /// Enlarges the cache to what a store has that made its nodes itself, within half of the memory that is left. Where most nodes
    /// exist already, few are made and the cache would not grow with them; but one that is too small forgets results faster than
    /// they are found.
    pub fn expect_results(&mut self) {
        let free = self.limits.memory.saturating_sub(self.bytes());
        let mut entries = (GARBAGE / 2 * self.nodes()).next_power_of_two();
        while Cache::bytes(entries) > free / 2 {
            entries /= 2;
        }
        if entries > self.cache.entries() {
            // A cache that cannot grow drops results sooner.
            let _ = self.cache.resize(entries, Some);
        }
    }

    /// Moves the nodes that are kept to the front.
    fn compact(&mut self, marks: &Marks) {
        let mut kept = 0;
        for id in marks.kept() {
            let node = self.node(id);
            // Children of kept nodes are kept.
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
        *self.used.0.get_mut() = kept;
    }

    fn rebuild_unique(&mut self) {
        let Store {
            places, used, unique, ..
        } = self;
        let nodes = (2..*used.0.get_mut()).map(|place| {
            let words = places[place].each_ref().map(|word| word.load(Ordering::Relaxed));
            (Id(place as u32), words)
        });
        unique.rebuild(places.len(), nodes);
    }
}

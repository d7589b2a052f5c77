//! Garbage collection: the nodes that no root needs make room, and what was computed is remembered as far as its nodes are kept.

use super::super::cache::Cache;
use super::{FEWEST, Id, Node, Store};
use std::sync::atomic::AtomicU64;

/// Nodes for each that is needed when garbage is collected. Rarer collections keep more results, and more of them are found again.
const GARBAGE: usize = 16;
/// Places for each node that is needed, at most, right after a collection.
const KEPT_ROOM: usize = 4;

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
    pub fn collect(&mut self, roots: &mut [&mut Id]) {
        self.peak_nodes = self.peak_nodes();
        let new_numbers = self.compact(roots);
        let renumbered = |id: Id| match id {
            Id::ABSENT => Some(id),
            _ => Some(new_numbers[id.place()]).filter(|&new| new != Id::ABSENT),
        };
        for root in roots {
            **root = renumbered(**root).expect("every root is kept");
        }
        self.survivors = self.nodes();
        let kept = (KEPT_ROOM * self.survivors).max(FEWEST);
        if kept < self.places.len() {
            self.places.resize(kept).expect("less memory can be had");
        }
        self.rebuild_unique((2 * self.places.len()).next_power_of_two());
        let entries = self.cache.entries();
        if self.bytes() + Cache::bytes(entries) > self.limits.memory {
            self.cache = Cache::new(FEWEST);
            self.expect_results();
            return;
        }
        self.cache.resize(entries, renumbered);
    }

    /// Makes room for as many results as a store has that made its nodes itself, in half of the memory that is left at most. Where most
    /// nodes are there already, few are made and the cache would not grow with them; but one that is too small forgets
    /// results faster than they are found.
    pub fn expect_results(&mut self) {
        let free = self.limits.memory.saturating_sub(self.bytes());
        let mut entries = (GARBAGE / 2 * self.nodes()).next_power_of_two();
        while Cache::bytes(entries) > free / 2 {
            entries /= 2;
        }
        if entries > self.cache.entries() {
            self.cache.resize(entries, Some);
        }
    }

    /// Moves the nodes that the roots need to the front and returns everyone's new number; without one, [`Id::ABSENT`].
    fn compact(&mut self, roots: &[&mut Id]) -> Vec<Id> {
        let nodes = self.nodes();
        let mut new_numbers = vec![Id::ABSENT; nodes];
        // While marking, any number will do as a mark.
        for root in roots {
            new_numbers[root.place()] = Id::BOTTOM;
        }
        for leaf in [Id::BOTTOM, Id::TOP] {
            new_numbers[leaf.place()] = leaf;
        }
        for place in (2..nodes).rev() {
            if new_numbers[place] != Id::ABSENT {
                let node = self.node(Id(place as u32));
                for child in [node.empty, node.stone, node.ball] {
                    if child != Id::ABSENT && new_numbers[child.place()] == Id::ABSENT {
                        new_numbers[child.place()] = Id::BOTTOM;
                    }
                }
            }
        }
        let mut kept = 2;
        for place in 2..nodes {
            if new_numbers[place] != Id::ABSENT {
                // Children of kept nodes are kept, and come first.
                let moved = |id: Id| match id {
                    Id::ABSENT => id,
                    _ => new_numbers[id.place()],
                };
                let node = self.node(Id(place as u32));
                let node = Node {
                    level: node.level,
                    empty: moved(node.empty),
                    stone: moved(node.stone),
                    ball: moved(node.ball),
                };
                self.places[kept] = node.words().map(AtomicU64::new);
                new_numbers[place] = Id(kept as u32);
                kept += 1;
            }
        }
        *self.used.0.get_mut() = kept;
        new_numbers
    }
}

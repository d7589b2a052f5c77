//! The memory that a store may hold.

use super::super::cache::Cache;
use super::{MIN_ENTRIES, Place, RESULTS, Store, garbage};

/// Maximum memory in bytes that counting, checkpoints and tables take beside the store, unless they
/// are large.
const MAX_BESIDE: u64 = 12 << 20;

/// Limits of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SymbolicLimits {
    /// Maximum size of the store in bytes.
    pub memory: u64,
    /// From this number of nodes on, garbage is collected even if memory is left.
    pub collect_above: usize,
}

impl Default for SymbolicLimits {
    fn default() -> SymbolicLimits {
        SymbolicLimits {
            memory: 4 << 30,
            // A collection drops the results for garbage, which are used again: with one at 21
            // million nodes, 112 squares computed 902 million results instead of 760 million.
            collect_above: usize::MAX,
        }
    }
}

impl Store {
    /// Returns the bytes that the store may hold: the rest of the limit is for counting, for
    /// checkpoints and for the table.
    pub(super) fn budget(&self) -> u64 {
        self.limits.memory - (self.limits.memory / 4).min(MAX_BESIDE)
    }

    /// Returns the limit that the next growth needs.
    pub fn least_limit(&self) -> u64 {
        let more = self.places.len() / 2;
        let unique = self.unique.bytes_for(self.places.len() + more);
        let bytes = self.bytes() + (more * size_of::<Place>() + garbage::mark_bytes(more) + unique) as u64;
        bytes + (bytes / 3).min(MAX_BESIDE)
    }

    /// Drops all cached results when no operation follows.
    pub fn forget_results(&mut self) {
        // If a smaller cache cannot be allocated, the large one stays.
        if let Ok(cache) = Cache::new(RESULTS * MIN_ENTRIES) {
            self.cache = cache;
        }
    }
}

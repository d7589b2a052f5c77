//! Unpacked frames of pitches, with a budget in bytes that some tables share.

use phutbase_files::FileError;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Default budget in bytes.
const DEFAULT_BYTES: usize = 256 << 20;
/// Bytes of a usual frame.
const FRAME_BYTES: usize = 1 << 12;

/// Frames by table and number.
pub struct FrameCache(Cache<(u64, usize), Arc<Vec<u8>>, Bytes>);

#[derive(Clone)]
struct Bytes;

impl Weighter<(u64, usize), Arc<Vec<u8>>> for Bytes {
    fn weight(&self, _: &(u64, usize), frame: &Arc<Vec<u8>>) -> u64 {
        frame.len() as u64
    }
}

impl FrameCache {
    /// Creates a cache with the default budget.
    pub fn of_default_size() -> Arc<FrameCache> {
        FrameCache::new(DEFAULT_BYTES)
    }

    /// Creates an empty cache with a budget in bytes.
    pub fn new(budget: usize) -> Arc<FrameCache> {
        Arc::new(FrameCache(Cache::with_weighter(
            budget / FRAME_BYTES,
            budget as u64,
            Bytes,
        )))
    }

    /// A number for the frames of one more table, in any cache.
    pub(super) fn number_of_table() -> u64 {
        static TABLES: AtomicU64 = AtomicU64::new(0);
        TABLES.fetch_add(1, Ordering::Relaxed)
    }

    /// A frame of a table; `unpack` makes it if it is not here.
    pub(super) fn frame(
        &self,
        (table, number): (u64, usize),
        unpack: impl FnOnce() -> Result<Vec<u8>, FileError>,
    ) -> Result<Arc<Vec<u8>>, FileError> {
        let unpack = || unpack().map(Arc::new);
        self.0.get_or_insert_with(&(table, number), unpack)
    }
}

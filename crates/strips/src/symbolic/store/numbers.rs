//! Numbers for new nodes, handed out to threads in ranges.
//!
//! One shared counter, and nodes of two threads on one cache line, would slow all threads.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Number of numbers in a range.
const RANGE: usize = 64;
/// Number of ranges. Threads beyond it share them.
const THREADS: usize = 64;

/// A counter on its own cache lines.
#[repr(align(128))]
#[derive(Default)]
pub(super) struct Counter<T>(pub T);

/// The numbers of nodes: each is handed out once.
pub(super) struct Numbers {
    /// The end of the ranges handed out; larger than the limit once these are all.
    end: Counter<AtomicUsize>,
    /// For each thread the next number and the end of its range, in the low and the high half.
    ranges: Box<[Counter<AtomicU64>]>,
}

impl Numbers {
    /// Returns the numbers from `first` on.
    pub fn from(first: usize) -> Numbers {
        Numbers {
            end: Counter(AtomicUsize::new(first)),
            ranges: (0..THREADS).map(|_| Counter::default()).collect(),
        }
    }

    /// Returns a number below `limit`, or `None` if this thread's range is used up and all others
    /// are handed out.
    #[inline(always)]
    pub fn next(&self, limit: usize) -> Option<usize> {
        let thread = rayon::current_thread_index().unwrap_or(0) % THREADS;
        let range = &self.ranges[thread].0;
        let (next, end) = halves(range.fetch_add(1, Ordering::Relaxed));
        if next < end {
            return Some(next);
        }
        self.next_range(range, limit)
    }

    /// Begins a range. If threads share it and begin two at once, one is lost.
    #[cold]
    fn next_range(&self, range: &AtomicU64, limit: usize) -> Option<usize> {
        let first = self.end.0.fetch_add(RANGE, Ordering::Relaxed);
        let end = (first + RANGE).min(limit);
        if first >= end {
            // Keeps the range empty: `next` has counted it up.
            range.store(0, Ordering::Relaxed);
            return None;
        }
        range.store((end as u64) << 32 | (first + 1) as u64, Ordering::Relaxed);
        Some(first)
    }

    /// Returns the end of the ranges handed out.
    pub fn end(&self, limit: usize) -> usize {
        self.end.0.load(Ordering::Relaxed).min(limit)
    }

    /// Returns how many numbers were handed out.
    pub fn used(&self, limit: usize) -> usize {
        let left = self.ranges.iter().map(|range| {
            let (next, end) = halves(range.0.load(Ordering::Relaxed));
            end.saturating_sub(next)
        });
        self.end(limit).saturating_sub(left.sum())
    }

    /// Hands out numbers from `end` on if it was the limit.
    pub fn resume(&mut self, end: usize) {
        self.end.0.store(end, Ordering::Relaxed);
    }
}

fn halves(range: u64) -> (usize, usize) {
    ((range as u32) as usize, (range >> 32) as usize)
}

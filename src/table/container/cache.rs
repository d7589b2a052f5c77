//! Unpacked frames, kept within a budget, shared by threads.
//!
//! A slot per frame, so that a warm look-up is one uncontended read lock. When the budget is full, a clock hand goes
//! round the slots and drops what has not been asked for since it last came by.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, RwLock};

/// An unpacked frame.
pub type Frame = Arc<[u8]>;

/// Nothing is done under a slot's lock that could panic, but for reading a frame, which only locks to read.
const UNPOISONED: &str = "no thread panics while it changes a slot";

#[derive(Default)]
struct Slot {
    frame: RwLock<Option<Frame>>,
    asked_for: AtomicBool,
}

/// The frames of one table that are in memory.
pub struct FrameCache {
    slots: Vec<Slot>,
    /// Bytes that may be kept.
    budget: usize,
    held: AtomicUsize,
    hand: AtomicUsize,
}

impl FrameCache {
    /// An empty cache for a table with this many frames.
    pub fn new(frames: usize, budget: usize) -> FrameCache {
        FrameCache {
            slots: (0..frames).map(|_| Slot::default()).collect(),
            budget,
            held: AtomicUsize::new(0),
            hand: AtomicUsize::new(0),
        }
    }

    /// The bytes in memory now.
    pub fn held_bytes(&self) -> usize {
        self.held.load(Ordering::Relaxed)
    }

    /// Hands the frame to `read`, unpacking it with `unpack` if it is not in memory.
    ///
    /// # Errors
    /// Those of `unpack`.
    ///
    /// # Panics
    /// If `number` is not below the number of frames.
    pub fn with<T, E>(
        &self,
        number: usize,
        unpack: impl FnOnce() -> Result<Vec<u8>, E>,
        read: impl FnOnce(&[u8]) -> T,
    ) -> Result<T, E> {
        let slot = &self.slots[number];
        // A plain load first: a warm slot's cache line stays shared between threads.
        if !slot.asked_for.load(Ordering::Relaxed) {
            slot.asked_for.store(true, Ordering::Relaxed);
        }
        if let Some(frame) = &*slot.frame.read().expect(UNPOISONED) {
            return Ok(read(frame));
        }
        let frame: Frame = unpack()?.into();
        let result = read(&frame);
        self.keep(number, frame);
        Ok(result)
    }

    fn keep(&self, number: usize, frame: Frame) {
        let bytes = frame.len();
        let mut slot = self.slots[number].frame.write().expect(UNPOISONED);
        if slot.replace(frame).is_some() {
            return; // Another thread was faster.
        }
        // Before the slot is free: whoever drops the frame must find it counted.
        self.held.fetch_add(bytes, Ordering::Relaxed);
        drop(slot);
        // Two rounds of the hand reach every slot once with its mark removed.
        for _ in 0..2 * self.slots.len() {
            if self.held_bytes() <= self.budget {
                return;
            }
            let hand = self.hand.fetch_add(1, Ordering::Relaxed) % self.slots.len();
            if hand != number && !self.slots[hand].asked_for.swap(false, Ordering::Relaxed) {
                self.drop_frame(hand);
            }
        }
    }

    fn drop_frame(&self, number: usize) {
        let mut slot = self.slots[number].frame.write().expect(UNPOISONED);
        if let Some(frame) = slot.take() {
            self.held.fetch_sub(frame.len(), Ordering::Relaxed);
        }
    }
}

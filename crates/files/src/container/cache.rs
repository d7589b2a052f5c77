//! A cache of unpacked frames, with a budget shared by all tables.
//!
//! Each table has a *shelf* with a slot per frame. A walk takes a [`Reader`], for which it locks the
//! shelf briefly and increments a reference count. A slot is written once, so each cached frame that
//! the walk then reads takes one atomic load and no lock. Eviction is by generation: when half of
//! the budget is used up, every shelf starts a new generation of empty slots and keeps one old
//! generation. Frames that are used again move to the new generation; the others are dropped at the
//! next change. Beside its slots a cache holds at most the budget, or a quarter of their size if
//! that is more, and what earlier generations hold while a reader uses them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, RwLock, Weak};

/// Default budget of all tables, in bytes.
pub const DEFAULT_BYTES: usize = 256 << 20;

/// The budget shared by some shelves.
pub struct FrameCache {
    /// Bytes that both generations of all shelves may hold.
    budget: AtomicUsize,
    /// Bytes in the new generation of all shelves.
    young: AtomicUsize,
    /// Bytes of the slots of one generation of all shelves.
    slots: AtomicUsize,
    /// The shelves.
    shelves: Mutex<Vec<Weak<dyn Generations>>>,
}

/// The new generation of a shelf's slots and the old one.
trait Generations: Send + Sync {
    /// Starts a new generation.
    fn age(&self);
}

impl<F: Send + Sync> Generations for RwLock<[Arc<Slots<F>>; 2]> {
    fn age(&self) {
        let [young, old] = &mut *self.write().expect(NOT_POISONED);
        let frames = young.len();
        *old = std::mem::replace(young, empty(frames));
    }
}

/// No code that can panic runs under either lock.
const NOT_POISONED: &str = "no panic while the lock is held";

impl FrameCache {
    /// Creates a cache without shelves, with a budget in bytes.
    pub fn new(budget: usize) -> Arc<FrameCache> {
        Arc::new(FrameCache {
            budget: AtomicUsize::new(budget),
            young: AtomicUsize::new(0),
            slots: AtomicUsize::new(0),
            shelves: Mutex::default(),
        })
    }

    /// Reserves bytes of the budget for an unpacked table: at most a quarter of what is left.
    pub fn set_apart(&self, bytes: usize) -> bool {
        let left = |budget: usize| (bytes <= budget / 4).then(|| budget - bytes);
        let order = Ordering::Relaxed;
        self.budget.fetch_update(order, order, left).is_ok()
    }

    /// Gives reserved bytes back.
    pub fn give_back(&self, bytes: usize) {
        self.budget.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Charges a new frame, and starts a new generation if half of the budget is used up. Starting
    /// one allocates all slots, so a generation holds at least an eighth of the bytes that they
    /// take.
    fn charge(&self, bytes: usize) {
        let slots = self.slots.load(Ordering::Relaxed);
        let half = (self.budget.load(Ordering::Relaxed) / 2).max(slots / 8);
        if self.young.fetch_add(bytes, Ordering::Relaxed) + bytes <= half {
            return;
        }
        let shelves = self.shelves.lock().expect(NOT_POISONED);
        if self.young.load(Ordering::Relaxed) <= half {
            return; // Another thread did it.
        }
        self.young.store(0, Ordering::Relaxed);
        shelves
            .iter()
            .filter_map(Weak::upgrade)
            .for_each(|shelf| shelf.age());
    }
}

type Slots<F> = [OnceLock<Arc<F>>];

/// The cached frames of one table.
pub struct Shelf<F> {
    /// The cache with its budget.
    pub cache: Arc<FrameCache>,
    /// Bytes of the slots of one generation.
    slot_bytes: usize,
    /// Bytes of an unpacked frame, charged to the budget.
    frame_bytes: usize,
    /// The new generation and the old one.
    generations: Arc<RwLock<[Arc<Slots<F>>; 2]>>,
}

fn empty<F>(frames: usize) -> Arc<Slots<F>> {
    (0..frames).map(|_| OnceLock::new()).collect()
}

impl<F: Send + Sync + 'static> Shelf<F> {
    /// Creates an empty shelf for `frames` frames of `frame_bytes` unpacked bytes.
    pub fn new(cache: &Arc<FrameCache>, frames: usize, frame_bytes: usize) -> Shelf<F> {
        let generations = Arc::new(RwLock::new([empty::<F>(frames), empty(0)]));
        let slot_bytes = frames * size_of::<OnceLock<Arc<F>>>();
        cache.slots.fetch_add(slot_bytes, Ordering::Relaxed);
        let mut shelves = cache.shelves.lock().expect(NOT_POISONED);
        shelves.retain(|shelf| shelf.strong_count() > 0);
        let shelf: Weak<dyn Generations> = Arc::downgrade(&(generations.clone() as Arc<dyn Generations>));
        shelves.push(shelf);
        Shelf {
            cache: cache.clone(),
            slot_bytes,
            frame_bytes,
            generations,
        }
    }

    /// Returns a view for a few reads. The frames it has read stay in memory while it lives.
    #[inline]
    pub fn reader(&self) -> Reader<'_, F> {
        let young = self.generations.read().expect(NOT_POISONED)[0].clone();
        Reader { shelf: self, young }
    }
}

impl<F> Drop for Shelf<F> {
    fn drop(&mut self) {
        self.cache.slots.fetch_sub(self.slot_bytes, Ordering::Relaxed);
    }
}

/// A view of a shelf for a few reads.
pub struct Reader<'s, F> {
    shelf: &'s Shelf<F>,
    young: Arc<Slots<F>>,
}

impl<F: Send + Sync + 'static> Reader<'_, F> {
    /// Returns a frame, which `unpack` makes if it is not cached.
    #[inline]
    pub fn get<E>(&self, frame: usize, unpack: impl FnOnce() -> Result<F, E>) -> Result<&F, E> {
        match self.young[frame].get() {
            Some(found) => Ok(found),
            None => self.fetch(frame, unpack),
        }
    }

    #[cold]
    fn fetch<E>(&self, frame: usize, unpack: impl FnOnce() -> Result<F, E>) -> Result<&F, E> {
        let old = self.shelf.generations.read().expect(NOT_POISONED)[1].clone();
        let unpacked = match old.get(frame).and_then(OnceLock::get) {
            Some(known) => known.clone(),
            None => Arc::new(unpack()?),
        };
        let mut is_new = false;
        let kept = self.young[frame].get_or_init(|| {
            is_new = true;
            unpacked
        });
        if is_new {
            self.shelf.cache.charge(self.shelf.frame_bytes);
        }
        Ok(kept)
    }
}

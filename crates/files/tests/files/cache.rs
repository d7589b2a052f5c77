//! The cache of unpacked frames: it respects the budget shared by all tables, and returns the right
//! frames.

use phutbase_files::FrameCache;
use phutbase_files::container::cache::Shelf;
use std::cell::Cell;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A frame of eight bytes that counts the frames in memory.
struct Tracked(Arc<AtomicUsize>);

impl Tracked {
    fn frame(held: &Arc<AtomicUsize>, size: usize) -> Vec<Tracked> {
        held.fetch_add(8 * size, Ordering::Relaxed);
        (0..size).map(|_| Tracked(held.clone())).collect()
    }
}

impl Drop for Tracked {
    fn drop(&mut self) {
        self.0.fetch_sub(8, Ordering::Relaxed);
    }
}

/// Reads frame `number`, 100 bytes with that number, and counts how often it was unpacked.
fn ask(shelf: &Shelf<Vec<u8>>, number: usize, unpacked: &Cell<usize>) -> u8 {
    let unpack = || {
        unpacked.set(unpacked.get() + 1);
        Ok::<_, Infallible>(vec![number as u8; 100])
    };
    shelf.reader().get(number, unpack).unwrap()[7]
}

#[test]
fn a_frame_is_unpacked_once_while_it_is_in_memory() {
    let shelf = Shelf::new(&FrameCache::new(2000), 10, 100);
    let unpacked = Cell::new(0);
    for _ in 0..3 {
        for number in 0..10 {
            assert_eq!(ask(&shelf, number, &unpacked), number as u8);
        }
    }
    assert_eq!(unpacked.get(), 10);
}

#[test]
fn frames_of_the_old_generation_are_found_again_and_those_before_it_are_not() {
    // A generation ends with the sixth frame, which exceeds half of the budget.
    let shelf = Shelf::new(&FrameCache::new(1000), 50, 100);
    let unpacked = Cell::new(0);
    let ask_all = |numbers: &[usize]| {
        let before = unpacked.get();
        numbers
            .iter()
            .for_each(|&number| _ = ask(&shelf, number, &unpacked));
        unpacked.get() - before
    };
    assert_eq!(ask_all(&[0, 1, 2, 3, 4, 5]), 6, "these are old now");
    assert_eq!(ask_all(&[0, 1]), 0, "these are new again");
    assert_eq!(ask_all(&[10, 11, 12, 13]), 4, "another generation ends");
    assert_eq!(ask_all(&[0, 1, 10, 13]), 0);
    assert_eq!(ask_all(&[2, 5]), 2, "they were not asked for again");
}

#[test]
fn all_shelves_together_keep_within_the_budget() {
    for (budget, sizes) in [
        (4000, [10, 10, 10]),
        (4000, [1, 7, 40]),
        (100, [1, 2, 3]),
        (0, [1, 1, 1]),
    ] {
        let (cache, held) = (FrameCache::new(budget), Arc::new(AtomicUsize::new(0)));
        let shelves = sizes.map(|size| Shelf::new(&cache, 64, 8 * size));
        let bytes = Shelf::new(&cache, 64, 80);
        let (mut greatest, mut unpacked) = (0, 0);
        for round in 0..4000usize {
            let (shelf, number) = (round % 3, (round * round / 7) % 64);
            shelves[shelf]
                .reader()
                .get(number, || {
                    unpacked += 1;
                    Ok::<_, Infallible>(Tracked::frame(&held, sizes[shelf]))
                })
                .unwrap();
            // Frames of another type also count.
            bytes
                .reader()
                .get(number, || Ok::<_, Infallible>(vec![1u8; 80]))
                .unwrap();
            greatest = greatest.max(held.load(Ordering::Relaxed));
        }
        // Four shelves have slots of 16 bytes, an eighth of which a generation may hold.
        let budget = budget.max(2 * 4 * 64 * 16 / 8);
        // Each generation may exceed its half by its last frame.
        let largest = 8 * sizes.into_iter().max().unwrap();
        assert!(greatest <= budget + 2 * largest, "{greatest} bytes of {budget}");
        assert!(
            budget < 4000 || greatest > budget / 4,
            "{greatest} bytes of {budget} were used"
        );
        assert!(unpacked > 3 * 64, "frames were dropped");
        drop(shelves);
        assert_eq!(held.load(Ordering::Relaxed), 0, "a closed table leaves nothing");
    }
}

#[test]
fn an_error_is_passed_on_and_the_frame_is_tried_again() {
    let shelf: Shelf<u8> = Shelf::new(&FrameCache::new(1000), 3, 1);
    let reader = shelf.reader();
    for _ in 0..2 {
        assert_eq!(reader.get(1, || Err("damaged")), Err("damaged"));
    }
    assert_eq!(reader.get(1, || Ok::<_, &str>(5)), Ok(&5));
    assert_eq!(reader.get(1, || Err("not asked again")), Ok(&5));
}

#[test]
fn threads_get_the_right_frames_whatever_is_dropped_meanwhile() {
    for budget in [0, 1000, 20_000] {
        let cache = FrameCache::new(budget);
        let shelves = [(); 3].map(|()| Shelf::new(&cache, 64, 40));
        std::thread::scope(|scope| {
            for thread in 0..4usize {
                let shelves = &shelves;
                scope.spawn(move || {
                    for step in 0..3000usize {
                        let (shelf, frame) = (step % 3, (step * (2 * thread + 3)) % 64);
                        let content = (64 * shelf + frame) as u32;
                        let reader = shelves[shelf].reader();
                        let one = reader
                            .get(frame, || Ok::<_, Infallible>(vec![content; 10]))
                            .unwrap();
                        // Frames stay in memory as long as a reader that has seen them.
                        let other = reader.get(63 - frame, || {
                            Ok::<_, Infallible>(vec![(64 * shelf + 63 - frame) as u32; 10])
                        });
                        assert_eq!(other.unwrap()[9] + one[9], 2 * 64 * shelf as u32 + 63);
                        assert_eq!(*one, [content; 10]);
                    }
                });
            }
        });
    }
}

/// With a budget near 0 a generation still holds a part of the bytes that its slots take, so that
/// the slots of large tables are not allocated again for every frame.
#[test]
fn a_small_budget_does_not_allocate_every_slot_for_every_frame() {
    let cache = FrameCache::new(0);
    let shelves: Vec<Shelf<Vec<u8>>> = (0..4).map(|_| Shelf::new(&cache, 1 << 20, 100)).collect();
    let unpacked = Cell::new(0);
    let numbers = || (0..20_000).map(|number| number % 5000);
    for number in numbers() {
        assert_eq!(ask(&shelves[number % 4], number, &unpacked), number as u8);
    }
    // Each new generation would forget all frames.
    assert_eq!(unpacked.get(), 5000);
}

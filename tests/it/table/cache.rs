//! Unpacked frames in memory: within the budget that all tables share, and always the right ones.

use crate::games::pitch_support::pitch;
use crate::table::support::{generate_in, generate_pitch_in, positions, table};
use phutbase::games::rules::Rules;
use phutbase::games::strip::Strip;
use phutbase::outcome::Value;
use phutbase::table::Metric;
use phutbase::table::container::cache::{FrameCache, Shelf};
use phutbase::table::pitch::PitchTable;
use phutbase::table::strip::StripTable;
use std::cell::Cell;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Eight bytes of a frame, which count those that are in memory.
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

/// A frame of 100 bytes that are its number, and how often it had to be unpacked so far.
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
    // A generation ends with the frame that passes half of the budget: the sixth.
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
            // Frames of another type take their share.
            bytes
                .reader()
                .get(number, || Ok::<_, Infallible>(vec![1u8; 80]))
                .unwrap();
            greatest = greatest.max(held.load(Ordering::Relaxed));
        }
        // Each generation may pass its half by its last frame.
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
                        // What a reader has seen stays as long as the reader.
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

/// Tables of strips and of a pitch under one small budget, asked in turn by many threads: every answer is that of a table with ample memory.
#[test]
fn tables_that_share_hardly_any_memory_answer_right() {
    let directory = tempfile::tempdir().unwrap();
    let kinds = [(17, Metric::Dtw), (22, Metric::Wdl)];
    let paths = kinds.map(|(length, metric)| generate_in(directory.path(), length, metric));
    let pitches = generate_pitch_in(Rules::Ordinary, directory.path(), "7x3");
    let strips: Vec<Strip> = positions(17).step_by(307).collect();
    let expected = kinds.map(|(length, metric)| table(length, metric).verdicts(&strips).unwrap());
    let drawn = pitch("3/3/2o/1o1/3/@2/3 A");
    for budget in [0, 1 << 16] {
        let cache = FrameCache::new(budget);
        let tables = paths
            .each_ref()
            .map(|path| StripTable::open(path, &cache).unwrap());
        let pitch_table = PitchTable::open(&pitches, &cache).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (strips, expected, tables, pitch_table) = (&strips, &expected, &tables, &pitch_table);
                scope.spawn(move || {
                    // Each in its own order, so that the threads want different frames.
                    for step in 0..strips.len() {
                        let at = (step * (2 * thread + 7) + thread * 1009) % strips.len();
                        for (table, expected) in tables.iter().zip(expected) {
                            assert_eq!(
                                table.verdict(&strips[at]).unwrap(),
                                expected[at],
                                "'{}'",
                                strips[at]
                            );
                        }
                        if step % 50 == 0 {
                            assert_eq!(pitch_table.value(&drawn).unwrap(), Value::Draw);
                        }
                    }
                });
            }
            scope.spawn(|| assert_eq!(tables[0].verdicts(&strips).unwrap(), expected[0]));
        });
    }
}

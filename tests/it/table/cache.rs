//! Unpacked frames in memory: none twice, and none past the budget.

use phutbase::table::container::cache::FrameCache;
use std::convert::Infallible;

fn ask(cache: &FrameCache, number: usize, unpacked: &mut usize) -> u8 {
    let unpack = || {
        *unpacked += 1;
        Ok::<_, Infallible>(vec![number as u8; 100])
    };
    cache.with(number, unpack, |frame| frame[7]).unwrap()
}

#[test]
fn frames_in_memory_are_not_unpacked_again() {
    let cache = FrameCache::new(10, 1000);
    let mut unpacked = 0;
    for _ in 0..3 {
        for number in 0..10 {
            assert_eq!(ask(&cache, number, &mut unpacked), number as u8);
        }
    }
    assert_eq!(unpacked, 10);
    assert_eq!(cache.held_bytes(), 1000);
}

#[test]
fn the_budget_holds_and_answers_stay_right() {
    let cache = FrameCache::new(50, 300);
    let mut unpacked = 0;
    for round in 0..200 {
        let number = (round * 7) % 50;
        assert_eq!(ask(&cache, number, &mut unpacked), number as u8);
        assert!(cache.held_bytes() <= 300);
    }
    assert!(unpacked > 50);
}

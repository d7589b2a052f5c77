//! The memo of the nimber search, and its evictions.

use phutbase_nimbers::memo::{Knowledge, Memo};
use phutbase_nimbers::region::Region;

/// Returns a row of squares with gaps, a different canonical region for each number.
fn region(number: u64) -> Region {
    Region::new(8, u128::from(number << 8 | 1)).canonical()
}

#[test]
fn knowledge_grows() {
    let known = Knowledge::NOTHING.excluding(0).excluding(14).excluding(15);
    assert!(known.excludes(0) && known.excludes(14) && !known.excludes(1) && !known.excludes(15));
    assert_eq!(known.nimber(), None);
    let memo = Memo::new(u64::MAX);
    memo.learn(&region(5), known);
    memo.learn(&region(5), Knowledge::exact(200));
    let exact = memo.get(&region(5));
    assert_eq!(exact.nimber(), Some(200));
    assert!(exact.excludes(3) && !exact.excludes(200));
    assert_eq!(exact.excluding(200), exact);
}

#[test]
fn stored_knowledge_is_found() {
    let memo = Memo::new(u64::MAX);
    for (width, squares) in [(3, 0b111_010_111), (8, u64::MAX.into()), (11, 1 | 1 << 100)] {
        let region = Region::new(width, squares).canonical();
        memo.learn(&region, Knowledge::NOTHING.excluding(2));
        memo.learn(&region, Knowledge::NOTHING.excluding(5));
        assert!(memo.get(&region).excludes(2) && memo.get(&region).excludes(5));
        memo.learn(&region, Knowledge::exact(7));
        memo.learn(&region, Knowledge::NOTHING.excluding(1));
        assert_eq!(memo.get(&region).nimber(), Some(7));
    }
    assert_eq!(memo.regions(), 3);
}

#[test]
fn the_bound_holds_and_large_regions_stay() {
    const BOUND: u64 = 1 << 20;
    let memo = Memo::new(BOUND);
    for number in 1..200_000 {
        memo.learn(&region(number), Knowledge::exact((number % 7) as u8));
        assert!(memo.bytes() <= BOUND);
    }
    assert!(memo.bytes() > BOUND / 2, "{} bytes in use", memo.bytes());
    assert!(memo.forgotten() > 0);
    let known = |number: &u64| memo.get(&region(*number)) != Knowledge::NOTHING;
    let share = |squares: u32| {
        let all: Vec<u64> = (1..200_000)
            .filter(|number: &u64| number.count_ones() == squares)
            .collect();
        all.iter().copied().filter(known).count() as f64 / all.len() as f64
    };
    assert!(share(14) > 2.0 * share(6), "{} and {}", share(14), share(6));
    // Regions of 15 squares are always among the larger half.
    assert_eq!(share(15), 1.0);
}

#[test]
fn without_memory_nothing_is_kept() {
    let memo = Memo::new(0);
    memo.learn(&region(5), Knowledge::exact(1));
    assert_eq!(memo.get(&region(5)), Knowledge::NOTHING);
    assert_eq!((memo.regions(), memo.forgotten(), memo.bytes()), (0, 1, 0));
}

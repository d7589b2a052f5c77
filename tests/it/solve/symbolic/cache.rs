//! The cache of results, under threads.

use phutbase::solve::symbolic::cache::{Cache, Key};
use phutbase::solve::symbolic::store::Id;

/// Three threads write results that follow from their keys, to one entry; what is recalled is right, or forgotten.
#[test]
fn nothing_is_mistaken() {
    let cache = Cache::new(1);
    let key = |number: u32| Key {
        operation: 1,
        first: Id(number),
        second: Id(!number),
    };
    let result = |number: u32| (Id(number ^ 0x5555), Id(number.wrapping_mul(77)));
    let recalled: usize = std::thread::scope(|scope| {
        let work = |seed: u32| {
            let cache = &cache;
            move || {
                let mut recalled = 0;
                for step in 0..2_000_000u32 {
                    let number = (step ^ seed).wrapping_mul(2_654_435_761) >> 31;
                    if let Some(found) = cache.recall(key(number)) {
                        assert_eq!(found, result(number));
                        recalled += 1;
                    }
                    cache.remember(key(number), result(number));
                }
                recalled
            }
        };
        let threads = [1, 2, 3].map(|seed| scope.spawn(work(seed)));
        threads.map(|thread| thread.join().unwrap()).iter().sum()
    });
    assert!(recalled > 0);
}

//! The computed cache: its keys, its sizes, and its use by several threads.

use phutbase_fixtures::prelude::*;
use phutbase_strips::symbolic::cache::{Cache, ID_BITS, Key, OPERATIONS};
use phutbase_strips::symbolic::store::Id;

/// Returns a key and a result derived from it.
fn numbered(number: u32) -> (Key, Id) {
    let id = |factor: u32| Id(number.wrapping_mul(factor) % (1 << ID_BITS));
    let key = Key {
        operation: 1 + number.wrapping_mul(2_654_435_761) % (OPERATIONS - 1),
        first: id(2_246_822_519),
        second: id(3_266_489_917),
    };
    (key, id(668_265_263))
}

#[test]
fn every_bit_of_a_key_counts() {
    let largest = Id((1 << ID_BITS) - 1);
    let key = Key {
        operation: OPERATIONS - 1,
        first: largest,
        second: largest,
    };
    let cache = Cache::new(8).unwrap();
    let bits = 0..ID_BITS;
    let operations = (0..OPERATIONS.trailing_zeros()).map(|bit| Key {
        operation: key.operation ^ 1 << bit,
        ..key
    });
    let firsts = bits.clone().map(|bit| Key {
        first: Id(largest.0 ^ 1 << bit),
        ..key
    });
    let seconds = bits.map(|bit| Key {
        second: Id(largest.0 ^ 1 << bit),
        ..key
    });
    for other in operations.chain(firsts).chain(seconds) {
        for place in 0..2 {
            cache.remember(place, key, largest);
            assert_eq!(cache.recall(place, key), Some(largest));
            assert_eq!(cache.recall(place, other), None, "{other:?}");
        }
    }
}

/// Random keys in a cache that is resized: a recalled result is the key's.
#[test]
fn recalled_results_are_those_stored() {
    let mut cache = Cache::new(64).unwrap();
    let (mut hits, mut moved) = (0, 0);
    for (step, number) in random_numbers(3).take(100_000).enumerate() {
        let (key, result) = numbered((number >> 9) as u32 % 500);
        if let Some(found) = cache.recall(cache.place(key), key) {
            assert_eq!(found, result);
            hits += 1;
        }
        cache.remember(cache.place(key), key, result);
        assert_eq!(cache.recall(cache.place(key), key), Some(result));
        if step % 10_000 == 0 {
            match step / 10_000 % 3 {
                0 => cache = cache.resized(64, Some, || Ok(())).unwrap(),
                doubling => cache.grow(64 << (2 * doubling)).unwrap(),
            }
            moved += usize::from(cache.recall(cache.place(key), key) == Some(result));
        }
    }
    assert!(hits > 1_000 && moved > 5);
}

/// Threads store results derived from their keys in a few entries; a recalled result must be right.
#[test]
fn recalled_results_are_right_under_threads() {
    for entries in [4, 8, 64] {
        let cache = Cache::new(entries).unwrap();
        let work = |seed: u32| {
            let cache = &cache;
            move || {
                let mut recalled = 0;
                for step in 0..700_000u32 {
                    let number = (step ^ seed).wrapping_mul(2_654_435_761) >> 28;
                    let (key, result) = numbered(number);
                    let place = cache.place(key);
                    if let Some(found) = cache.recall(place, key) {
                        assert_eq!(found, result);
                        recalled += 1;
                    }
                    cache.remember(place, key, result);
                }
                recalled
            }
        };
        let recalled: usize = std::thread::scope(|scope| {
            let threads = [1, 2, 3, 4].map(|seed| scope.spawn(work(seed)));
            threads.map(|thread| thread.join().unwrap()).iter().sum()
        });
        assert!(recalled > 0);
    }
}

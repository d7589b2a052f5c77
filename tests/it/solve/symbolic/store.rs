//! The store of nodes: how its cache grows.

use phutbase::solve::symbolic::SymbolicLimits;
use phutbase::solve::symbolic::cache::Key;
use phutbase::solve::symbolic::store::{Halt, Id, Store};

/// What comes of so many different results, and the store after it.
fn after_remembering(results: u32, memory: u64) -> (Result<(), Halt>, Store) {
    let limits = SymbolicLimits {
        memory,
        ..SymbolicLimits::default()
    };
    let store = Store::new(8, limits);
    let key = |number| Key {
        operation: 1,
        first: Id(number),
        second: Id(number),
    };
    let result = (0..results).try_for_each(|number| store.remember(key(number), (Id::TOP, Id::TOP)));
    (result, store)
}

#[test]
fn a_cache_that_is_written_over_again_and_again_grows_within_the_memory_limit() {
    let fewest = Store::new(8, SymbolicLimits::default()).results() as u32;
    let many = 100 * fewest;
    assert_eq!(after_remembering(fewest, 1 << 30).0, Ok(()));
    let (result, mut store) = after_remembering(many, 1 << 30);
    let (results, room) = (store.results(), store.room());
    assert_eq!(result, Err(Halt::Full));
    store.grow().unwrap();
    assert_eq!((store.results(), store.room()), (2 * results, room));
    assert_eq!(after_remembering(many, store.bytes() - 1).0, Ok(()));
}

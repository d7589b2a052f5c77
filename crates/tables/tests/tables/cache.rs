//! The cache of unpacked frames that the tables of pitches share.

use phutbase_files::container::read::Container;
use phutbase_fixtures::prelude::*;
use phutbase_tables::FrameCache;

/// With any budget, also none, threads that ask two tables at once get the values of each.
#[test]
fn tables_that_share_a_cache_keep_their_own_values() {
    let tables = ["6x3", "5x3"].map(|size| table_file(&format!("pitch-{size}-dtw.phut")));
    let alone = tables.clone().map(|file| PitchTable::open(&file).unwrap());
    for budget in [0, 5000, 1 << 20] {
        let cache = FrameCache::new(budget);
        let shared = (tables.clone())
            .map(|file| PitchTable::with_cache(Container::open(&file).unwrap(), &cache).unwrap());
        std::thread::scope(|scope| {
            for step in [1001, 997] {
                let (alone, shared) = (&alone, &shared);
                scope.spawn(move || {
                    for index in (0..8 << 14).map(|number: u64| number * step % (8 << 14)) {
                        for (own, common) in alone.iter().zip(shared) {
                            let Some(pitch) = own.position(index) else {
                                continue;
                            };
                            assert_eq!(own.value(&pitch).unwrap(), common.value(&pitch).unwrap());
                        }
                    }
                });
            }
        });
    }
}

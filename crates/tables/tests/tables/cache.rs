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

/// Once the file is overwritten, the values that are still known come from the cache.
#[test]
fn a_cache_keeps_no_more_bytes_than_its_budget() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("pitch-7x3-dtw.phut");
    let good = std::fs::read(table_file("pitch-7x3-dtw.phut")).unwrap();
    std::fs::write(&path, &good).unwrap();
    let (frame, budget) = (1 << 16, 4 << 20);
    let cache = FrameCache::new(budget);
    let table = PitchTable::with_cache(Container::open(&path).unwrap(), &cache).unwrap();
    // One position of each frame of 64 KiB.
    let pitches: Vec<Pitch> = (0..)
        .step_by(frame)
        .map_while(|index| table.position(index))
        .collect();
    assert_eq!(pitches.len() as u64, table.blocks());
    assert!(pitches.len() * frame > 2 * budget);
    pitches.iter().for_each(|pitch| _ = table.value(pitch).unwrap());
    std::fs::write(&path, vec![0; good.len()]).unwrap();
    let kept = pitches.iter().filter(|pitch| table.value(pitch).is_ok()).count();
    assert!((1..=budget / frame).contains(&kept), "{kept} frames");
}

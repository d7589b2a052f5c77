//! Storage for planes, in memory and in files.

use phutbase_pitches::scratch::{Mapping, MappingError};
use std::sync::atomic::{AtomicU8, Ordering};

#[test]
fn memory_and_scratch_hold_the_same() {
    let directory = tempfile::tempdir().unwrap();
    for scratch in [None, Some(directory.path())] {
        let mut room: Mapping<u32> = Mapping::new(5000, scratch).unwrap();
        assert!(room.iter().all(|&value| value == 0) && room.len() == 5000);
        room[4999] = 7;
        assert_eq!(room[4998..], [0, 7]);
        let shared: Mapping<AtomicU8> = Mapping::new(3, scratch).unwrap();
        std::thread::scope(|scope| {
            for byte in shared.iter() {
                scope.spawn(|| byte.fetch_add(9, Ordering::Relaxed));
            }
        });
        assert!(shared.iter().all(|byte| byte.load(Ordering::Relaxed) == 9));
        assert!(Mapping::<u64>::new(0, scratch).unwrap().is_empty());
    }
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
    assert!(matches!(
        Mapping::<u8>::new(1, Some(&directory.path().join("none"))),
        Err(MappingError::Scratch { .. })
    ));
    // The bytes of the last ones do not fit into 64 bits.
    for count in [1 << 55, 1 << 60, (1 << 61) + 512, usize::MAX] {
        for scratch in [None, Some(directory.path())] {
            assert!(Mapping::<u64>::new(count, scratch).is_err(), "{count} values");
        }
    }
}

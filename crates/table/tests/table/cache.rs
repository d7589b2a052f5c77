//! The cache of unpacked frames under tables: threads that share one, and its budget.

use phutbase_fixtures::prelude::*;

/// The threads of rayon unpack all frames of a table for the thread that is the first to need them;
/// they must not wait for it while they look up positions themselves.
#[test]
fn a_thread_that_unpacks_a_table_does_not_block_those_that_work_for_it() {
    let (done, ended) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let strips: Vec<Strip> = positions(17).step_by(20_001).collect();
        let bytes = generated(17, Metric::Dtw);
        for _ in 0..10 {
            let table = StripTable::new(contained(bytes.clone(), NAME).unwrap(), &FrameCache::new(0));
            let table = table.unwrap();
            std::thread::scope(|scope| {
                for _ in 0..2 {
                    scope.spawn(|| table.verdicts(&strips).unwrap());
                    scope.spawn(|| strips.iter().for_each(|strip| _ = table.verdict(strip).unwrap()));
                }
            });
        }
        done.send(()).unwrap();
    });
    ended.recv_timeout(Duration::from_secs(300)).expect("no deadlock");
}

/// The budget for an unpacked table is given back if a damaged frame prevents that.
#[test]
fn a_table_that_cannot_be_unpacked_takes_no_budget() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("strip-64-wdl.phut");
    std::fs::copy(table_file("strip-64-wdl.phut"), &path).unwrap();
    for is_damaged in [false, true] {
        if is_damaged {
            damage_frame(&path, 20);
        }
        let cache = FrameCache::new(4 << 20);
        let table = StripTable::open(&path, &cache).unwrap();
        let boards = random_numbers(1).take(5000);
        let verdicts = boards.map(|stones| {
            let ball = 1 + stones as usize % 62;
            let board = (0..64).map(|square| match stones >> square & 1 {
                _ if square == ball => '@',
                1 => 'o',
                _ => '.',
            });
            table.verdict(&board.collect::<String>().parse().unwrap()).is_ok()
        });
        let answered = verdicts.filter(|answered| *answered).count();
        assert_eq!(answered == 5000, !is_damaged, "{answered}");
        // A quarter of the whole budget, or more than a quarter of the rest.
        assert_eq!(cache.set_apart(1 << 20), is_damaged);
    }
}

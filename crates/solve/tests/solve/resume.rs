//! Interrupted runs: the resumed run writes the same bytes; invalid checkpoints are refused.

use phutbase_base::job::Progress;
use phutbase_fixtures::prelude::*;
use phutbase_fixtures::values::{ENOUGH, solved_plies};
use phutbase_sets::count::count;
use phutbase_solve::SolveError;
use phutbase_solve::levels::Levels;
use phutbase_solve::plies::Plies;
use std::time::Instant;

fn request(length: usize, metric: Metric, directory: &Path) -> Request<Strips> {
    Request {
        checkpoint_every: Duration::ZERO,
        ..Request::new(Strips { length, metric }, directory)
    }
}

/// Runs until the table is written or `steps` steps are done, if positive.
fn run(request: &Request<Strips>, steps: u64) -> (Result<(), GenerateError>, Progress) {
    let lock = TablesLock::hold(&request.tables).unwrap();
    let job = Job::default().stopping_at_step(steps);
    let result = generate(request, Some(&lock), &job);
    (result.map(|_| ()), job.progress())
}

fn bytes(request: &Request<Strips>) -> Vec<u8> {
    std::fs::read(request.path()).unwrap()
}

/// The metrics whose runs save checkpoints.
const RESUMED: [Metric; 2] = [Metric::Dtw, Metric::Levels];

/// Returns a length for this metric at which a run has many steps.
fn long_enough(metric: Metric) -> usize {
    match metric {
        Metric::Dtw => 14,
        Metric::Levels | Metric::Wdl => 48,
    }
}

#[test]
fn stopped_anywhere_it_ends_with_the_same_bytes() {
    for metric in RESUMED {
        let whole = tempfile::tempdir().unwrap();
        let uninterrupted = request(long_enough(metric), metric, whole.path());
        run(&uninterrupted, 0).0.unwrap();
        for steps in [1, 3, 7] {
            let directory = tempfile::tempdir().unwrap();
            let request = request(long_enough(metric), metric, directory.path());
            for runs in 0.. {
                let (result, progress) = run(&request, steps);
                assert_eq!(progress.is_resumed, runs > 0, "{metric}, {steps} steps at a time");
                match result {
                    Ok(()) => break,
                    Err(GenerateError::Stopped(_)) => assert_eq!(progress.saved, Some(progress.note)),
                    Err(error) => panic!("{error}"),
                }
            }
            assert!(
                bytes(&request) == bytes(&uninterrupted),
                "{metric}, {steps} steps at a time"
            );
            assert!(!request.checkpoint().exists());
        }
    }
}

/// Strips of 48 squares have three levels. Stops after every round of either: no round is lost, and the
/// sets are the same.
#[test]
fn levels_resume_after_any_round() {
    let job = Job::default();
    let begun = || Levels::new(48, ENOUGH, &job).unwrap();
    let sizes = |levels: &Levels| -> Vec<BigUint> {
        levels
            .roots()
            .iter()
            .map(|&root| count(levels.graph(), root))
            .collect()
    };
    let mut whole = begun();
    let steps = 1 + (0..).take_while(|_| whole.step(&job).unwrap()).count();
    assert!(steps >= 3, "{steps} rounds");
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("checkpoint");
    for stopped in 0..steps {
        let mut levels = begun();
        for _ in 0..stopped {
            assert!(levels.step(&job).unwrap());
        }
        levels.save(&file).unwrap();
        let mut resumed = Levels::resume(48, ENOUGH, &file, &job).unwrap();
        let left = 1 + (0..).take_while(|_| resumed.step(&job).unwrap()).count();
        assert_eq!(stopped + left, steps);
        assert_eq!(sizes(&resumed), sizes(&whole), "stopped after round {stopped}");
    }
}

/// Creates an interrupted run in a directory of its own.
fn stopped(metric: Metric) -> (tempfile::TempDir, Request<Strips>) {
    let directory = tempfile::tempdir().unwrap();
    let request = request(long_enough(metric), metric, directory.path());
    assert!(run(&request, 3).0.is_err());
    assert!(request.checkpoint().exists());
    (directory, request)
}

#[test]
fn a_run_that_restores_its_checkpoint_stops_at_once() {
    for metric in RESUMED {
        let (_directory, request) = stopped(metric);
        let good = std::fs::read(request.checkpoint()).unwrap();
        let lock = TablesLock::hold(&request.tables).unwrap();
        let job = Job::default();
        job.stop();
        let error = generate(&request, Some(&lock), &job).unwrap_err();
        assert!(
            matches!(
                error,
                GenerateError::Stopped(_) | GenerateError::Strips(SolveError::Stopped(_))
            ),
            "{error}"
        );
        let progress = job.progress();
        assert!(!progress.is_resumed && progress.saved.is_some(), "{progress:?}");
        assert_eq!(std::fs::read(request.checkpoint()).unwrap(), good);
    }
}

#[test]
fn a_damaged_checkpoint_is_refused_and_kept() {
    for metric in RESUMED {
        let (_directory, request) = stopped(metric);
        let good = std::fs::read(request.checkpoint()).unwrap();
        let step = good.len().div_ceil(200);
        for place in (0..good.len()).step_by(step).chain([good.len() - 1]) {
            let mut damaged = good.clone();
            damaged[place] ^= 0x10;
            std::fs::write(request.checkpoint(), &damaged).unwrap();
            let error = run(&request, 0).0.unwrap_err().to_string();
            assert!(error.contains(".checkpoint"), "{error}");
            assert_eq!(std::fs::read(request.checkpoint()).unwrap(), damaged);
        }
        for length in [0, 5, 15, 16, 40, good.len() - 1] {
            std::fs::write(request.checkpoint(), &good[..length]).unwrap();
            let error = run(&request, 0).0.unwrap_err().to_string();
            assert!(error.contains(".checkpoint"), "{error}");
        }
        std::fs::write(request.checkpoint(), &good).unwrap();
        run(&request, 0).0.unwrap();
    }
}

/// Checksums are right, the contents are not those of a solver.
#[test]
fn a_crafted_checkpoint_is_refused() {
    type Edit = (Metric, fn(&mut Parts), &'static str);
    let edits: [Edit; 5] = [
        (
            Metric::Levels,
            |parts| parts.section("roots").truncate(8),
            "the sets of a level are missing",
        ),
        (
            Metric::Levels,
            |parts| parts.section("roots").fill(0xff),
            "a node has an invalid position",
        ),
        (
            Metric::Levels,
            |parts| parts.section("nodes").truncate(12),
            "a node has an invalid position",
        ),
        (
            Metric::Dtw,
            |parts| parts.section("nodes")[0] = 99,
            "a node has an invalid position",
        ),
        // The set of ply 1 is that of ply 3.
        (
            Metric::Dtw,
            |parts| parts.section("roots").rotate_left(8),
            "its sets do not grow",
        ),
    ];
    for (metric, edit, reason) in edits {
        let (_directory, request) = stopped(metric);
        let mut crafted = Parts::of(&std::fs::read(request.checkpoint()).unwrap());
        edit(&mut crafted);
        std::fs::write(request.checkpoint(), crafted.sealed()).unwrap();
        let error = run(&request, 0).0.unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
    // The set of ply 2 is that of ply 3, which is larger than that of ply 4.
    let (_directory, request) = stopped(Metric::Dtw);
    let mut crafted = Parts::of(&std::fs::read(request.checkpoint()).unwrap());
    crafted.section("roots").copy_within(8..12, 4);
    std::fs::write(request.checkpoint(), crafted.sealed()).unwrap();
    let error = run(&request, 0).0.unwrap_err().to_string();
    assert!(error.contains("ply 4 removes boards"), "{error}");
}

#[test]
fn work_that_reached_its_memory_limit_goes_on_with_more() {
    let job = Job::default();
    let little = 1 << 20;
    let mut stopped = Plies::new(22, little).unwrap();
    let error = loop {
        match stopped.step(&job) {
            Ok(decided) => assert_ne!(decided, BigUint::ZERO, "the limit is reached"),
            Err(error) => break error,
        }
    };
    assert!(matches!(error, SolveError::Memory { .. }), "{error}");
    assert!(stopped.roots().len() > 3, "{}", stopped.place());
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("checkpoint");
    stopped.save(&file).unwrap();
    let mut resumed = Plies::resume(22, ENOUGH, &file).unwrap();
    assert_eq!(resumed.place(), stopped.place());
    while resumed.step(&job).unwrap() != BigUint::ZERO {}
    let whole = solved_plies(22);
    let sizes = [&whole, &resumed].map(|plies| -> Vec<BigUint> {
        plies
            .roots()
            .iter()
            .map(|&root| count(plies.graph(), root))
            .collect()
    });
    assert_eq!(sizes[0], sizes[1]);
}

#[test]
fn a_checkpoint_of_another_length_or_metric_is_refused() {
    let (_here, dtw) = stopped(Metric::Dtw);
    let (_there, wdl) = stopped(Metric::Levels);
    let other = request(13, Metric::Dtw, &dtw.tables);
    std::fs::copy(dtw.checkpoint(), other.checkpoint()).unwrap();
    std::fs::copy(wdl.checkpoint(), dtw.checkpoint()).unwrap();
    for request in [&other, &dtw] {
        let error = run(request, 0).0.unwrap_err().to_string();
        assert!(error.contains("the work is"), "{error}");
    }
}

/// A second of work is saved when it is stopped, and on a busy machine a run may take that long.
#[test]
fn without_need_no_checkpoint_is_written() {
    loop {
        let directory = tempfile::tempdir().unwrap();
        let request = Request {
            checkpoint_every: Duration::from_secs(3600),
            ..request(12, Metric::Dtw, directory.path())
        };
        let begun = Instant::now();
        let (result, progress) = run(&request, 4);
        if begun.elapsed() > Duration::from_secs(1) {
            continue;
        }
        assert!(matches!(result, Err(GenerateError::Stopped(_))));
        assert_eq!((progress.note, progress.saved), ("ply 4".to_string(), None));
        assert!(!request.checkpoint().exists());
        return;
    }
}

#[test]
fn a_length_out_of_range_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    for metric in METRICS {
        assert!(run(&request(256, metric, directory.path()), 0).0.is_err());
    }
}

//! Interrupted runs of the symbolic engine: the resumed run writes the same bytes; invalid
//! checkpoints are rejected.

use crate::prelude::*;
use phutbase::job::Progress;
use phutbase::solve::symbolic::portable::Portable;
use phutbase::solve::symbolic::{LevelSolver, SymbolicError};

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

/// Returns a length for this metric at which a run has many steps.
fn long_enough(metric: Metric) -> usize {
    match metric {
        Metric::Dtw => 14,
        Metric::Levels | Metric::Wdl => 34,
    }
}

#[test]
fn stopped_anywhere_it_ends_with_the_same_bytes() {
    for metric in METRICS {
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

/// Strips of 22 squares have two levels. Stops after every step of either: no step is lost, and the
/// sets are the same.
#[test]
fn winners_resume_after_any_step_of_any_level() {
    let (length, limits) = (22, SymbolicLimits::default());
    let begun = || LevelSolver::new(length, limits, 1).unwrap();
    let job = Job::default();
    let mut whole = begun();
    let mut steps = 0;
    while whole.step(&job).unwrap() {
        steps += 1;
    }
    let expected = Portable::of(whole.store(), &whole.roots());
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("checkpoint");
    let mut levels = BTreeSet::new();
    let left = |solver: &mut LevelSolver| (0..).take_while(|_| solver.step(&job).unwrap()).count();
    for stopped in 1..=steps {
        let mut solver = begun();
        for _ in 0..stopped {
            assert!(solver.step(&job).unwrap());
        }
        levels.insert(solver.live().level);
        solver.save(&file).unwrap();
        let mut resumed = LevelSolver::resume(length, limits, 1, &file, &job).unwrap();
        assert_eq!(resumed.live(), solver.live());
        assert_eq!(stopped + left(&mut resumed), steps);
        assert!(
            Portable::of(resumed.store(), &resumed.roots()) == expected,
            "stopped after step {stopped}"
        );
    }
    assert!(levels.len() >= 2, "{levels:?}");
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
    for metric in METRICS {
        let (_directory, request) = stopped(metric);
        let good = std::fs::read(request.checkpoint()).unwrap();
        let lock = TablesLock::hold(&request.tables).unwrap();
        let job = Job::default();
        job.stop();
        let error = generate(&request, Some(&lock), &job).unwrap_err();
        assert!(
            matches!(error, GenerateError::Symbolic(SymbolicError::Stopped(_))),
            "{error}"
        );
        let progress = job.progress();
        assert!(!progress.is_resumed && progress.saved.is_some(), "{progress:?}");
        assert_eq!(std::fs::read(request.checkpoint()).unwrap(), good);
    }
}

#[test]
fn a_damaged_checkpoint_is_refused_and_kept() {
    for metric in METRICS {
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

/// Solver, length, and progress: finished levels, squares to copy, zones, time, next zone.
type Metadata = (
    String,
    u16,
    (u64, [Option<(u64, u64)>; 2], Vec<(u64, Option<u64>)>, u64, u64),
);

/// Checksums are right, the contents are not those of a solver.
#[test]
fn a_crafted_checkpoint_is_refused() {
    let (_directory, request) = stopped(Metric::Wdl);
    let good = Parts::of(&std::fs::read(request.checkpoint()).unwrap());
    let edits: [fn(&mut Metadata); 10] = [
        |(.., (levels, ..))| *levels += 1,
        |(.., (levels, ..))| *levels = 1 << 60,
        |(.., (_, uncopied, ..))| uncopied[0] = Some((0, 3)),
        |(.., (_, uncopied, ..))| uncopied[1] = Some((9, 8)),
        |(.., (_, uncopied, ..))| uncopied[1] = Some((1, 33)),
        |(.., (_, uncopied, ..))| uncopied[1] = Some((1, u64::MAX)),
        |(.., (_, _, zones, ..))| zones.truncate(9),
        |(.., (_, _, zones, ..))| zones[0].0 = 99,
        |(.., (_, _, _, time, _))| *time = u64::MAX,
        |(.., (.., next))| *next = u64::MAX,
    ];
    for (number, edit) in edits.into_iter().enumerate() {
        let mut crafted = good.clone();
        crafted.edit(edit);
        std::fs::write(request.checkpoint(), crafted.sealed()).unwrap();
        let error = run(&request, 0).0.unwrap_err().to_string();
        assert!(error.contains("does not fit"), "edit {number}: {error}");
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
    let little = SymbolicLimits {
        memory: 1 << 20,
        ..SymbolicLimits::default()
    };
    let mut stopped = LevelSolver::new(40, little, 1).unwrap();
    let error = stopped.run(&job).unwrap_err();
    assert!(matches!(error, SymbolicError::MemoryLimit { .. }), "{error}");
    assert!(stopped.live().ball > 0, "{:?}", stopped.live());
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("checkpoint");
    stopped.save(&file).unwrap();
    let limits = SymbolicLimits::default();
    let mut resumed = LevelSolver::resume(40, limits, 1, &file, &job).unwrap();
    assert_eq!(resumed.live(), stopped.live());
    let mut whole = LevelSolver::new(40, limits, 1).unwrap();
    let sets = [&mut whole, &mut resumed].map(|solver| {
        solver.run(&job).unwrap();
        Portable::of(solver.store(), &solver.roots())
    });
    assert!(sets[0] == sets[1]);
}

#[test]
fn a_checkpoint_of_another_length_or_metric_is_refused() {
    let (_here, dtw) = stopped(Metric::Dtw);
    let (_there, wdl) = stopped(Metric::Wdl);
    let other = request(13, Metric::Dtw, &dtw.tables);
    std::fs::copy(dtw.checkpoint(), other.checkpoint()).unwrap();
    std::fs::copy(wdl.checkpoint(), dtw.checkpoint()).unwrap();
    for request in [&other, &dtw] {
        let error = run(request, 0).0.unwrap_err().to_string();
        assert!(error.contains("the work is"), "{error}");
    }
}

#[test]
fn without_need_no_checkpoint_is_written() {
    let directory = tempfile::tempdir().unwrap();
    let request = Request {
        checkpoint_every: Duration::from_secs(3600),
        ..request(12, Metric::Dtw, directory.path())
    };
    let (result, progress) = run(&request, 4);
    assert!(matches!(result, Err(GenerateError::Stopped(_))));
    assert_eq!((progress.note, progress.saved), ("ply 4".to_string(), None));
    assert!(!request.checkpoint().exists());
}

#[test]
fn a_length_out_of_range_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    for metric in METRICS {
        assert!(run(&request(256, metric, directory.path()), 0).0.is_err());
    }
}

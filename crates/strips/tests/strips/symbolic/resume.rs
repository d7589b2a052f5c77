//! Interrupted runs of the symbolic engine: the resumed run writes the same bytes; invalid
//! checkpoints are rejected.

use super::against_dense::GOALS;
use crate::sets;
use phutbase_base::job::Progress;
use phutbase_fixtures::prelude::*;
use phutbase_strips::symbolic::portable::Portable;
use phutbase_strips::symbolic::{Goal, LevelSolver, SymbolicError};

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
        Metric::Levels | Metric::Wdl => 34,
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

/// Strips of 22 squares have two levels. Stops after every step of either: no step is lost, and the
/// sets are the same.
#[test]
fn sets_resume_after_any_step_of_any_level() {
    for goal in GOALS {
        let (length, limits) = (22, SymbolicLimits::default());
        let begun = || LevelSolver::new(length, goal, limits, 1).unwrap();
        let job = Job::default();
        let mut whole = begun();
        let mut steps = 0;
        while whole.step(&job).unwrap() {
            steps += 1;
        }
        let expected = Portable::of(whole.store(), &whole.roots());
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("checkpoint");
        let mut steps_of = BTreeMap::new();
        let left = |solver: &mut LevelSolver| (0..).take_while(|_| solver.step(&job).unwrap()).count();
        for stopped in 1..=steps {
            let mut solver = begun();
            for _ in 0..stopped {
                assert!(solver.step(&job).unwrap());
            }
            *steps_of.entry(solver.live().level).or_insert(0) += 1;
            solver.save(&file).unwrap();
            let threads = 1 + stopped % 3;
            let mut resumed = LevelSolver::resume(length, goal, limits, threads, &file, &job).unwrap();
            assert_eq!(resumed.live(), solver.live());
            assert_eq!(stopped + left(&mut resumed), steps);
            assert!(
                Portable::of(resumed.store(), &resumed.roots()) == expected,
                "{goal:?}, stopped after step {stopped}"
            );
        }
        assert!(steps_of[&0] >= 2 && steps_of[&1] >= 2, "{steps_of:?}");
    }
}

#[test]
fn a_checkpoint_of_the_other_goal_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("checkpoint");
    let limits = SymbolicLimits::default();
    for (goal, other) in [(Goal::Winners, Goal::Levels), (Goal::Levels, Goal::Winners)] {
        let mut solver = LevelSolver::new(6, goal, limits, 1).unwrap();
        solver.save(&file).unwrap();
        let refused = LevelSolver::resume(6, other, limits, 1, &file, &Job::default());
        let error = refused.err().unwrap().to_string();
        let name = |goal| format!("{goal:?} of length 6").to_lowercase();
        assert!(
            error.contains(&name(goal)) && error.contains(&name(other)),
            "{error}"
        );
    }
}

/// Returns a solver of winners after level 0, from a checkpoint whose sets are all empty. If
/// `without_work`, every zone is already up to date, as if proper turns won nothing.
fn from_nothing(length: usize, threads: usize, without_work: bool) -> LevelSolver {
    let limits = SymbolicLimits::default();
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut solver = LevelSolver::new(length, Goal::Winners, limits, 1).unwrap();
    solver.save(file.path()).unwrap();
    let mut crafted = Parts::of(&std::fs::read(file.path()).unwrap());
    let mut computed = 0;
    crafted.edit(|(.., (levels, _, zones, ..)): &mut Metadata| {
        *levels = 1;
        if without_work {
            zones.iter_mut().for_each(|zone| zone.1 = Some(0));
            computed = zones.len();
        }
    });
    // Two sets of level 0, four current ones, two of the level below, and three of each zone.
    *crafted.section("roots") = vec![0; 4 * (8 + 3 * computed)];
    std::fs::write(file.path(), crafted.sealed()).unwrap();
    LevelSolver::resume(
        length,
        Goal::Winners,
        limits,
        threads,
        file.path(),
        &Job::default(),
    )
    .unwrap()
}

/// The sets that Left wins with proper turns are the one solution of their equations, and all boards
/// that Left wins on short strips.
#[test]
fn proper_turns_win_every_won_board_of_short_strips() {
    for length in 3..=11 {
        let mut solver = from_nothing(length, 1 + length % 3, false);
        assert_eq!(solver.live().place(), "level 0");
        solver.run(&Job::default()).unwrap();
        assert_eq!(solver.live().level, 1);
        assert_eq!(solver.roots().len(), 2);
        for (strip, value) in positions(length).zip(reference_values(length, Rules::Ordinary)) {
            for side in [strip, strip.mirror()] {
                assert_eq!(sets::wdl(&solver, &side), value.wdl(), "{side}");
            }
        }
    }
}

/// If proper turns leave boards undecided, the work goes on with all turns.
#[test]
fn undecided_boards_are_left_to_all_turns() {
    for length in (3..=11).chain([22]) {
        let mut solver = from_nothing(length, 1 + length % 3, true);
        assert!(solver.step(&Job::default()).unwrap());
        assert_eq!(solver.live().place(), "proper turns");
        solver.run(&Job::default()).unwrap();
        assert!(solver.live().level >= 2, "{:?}", solver.live());
        let expected = phutbase_fixtures::values::solved(length, Goal::Levels, SymbolicLimits::default());
        let sets = |solver: &LevelSolver| Portable::of(solver.store(), &sets::last_level(solver));
        assert_eq!(solver.roots().len(), 2);
        assert!(sets(&solver) == sets(&expected), "{length} squares");
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

/// Solver, length, and progress: finished levels, squares to copy, zones, time, next zone.
type Metadata = (
    String,
    u16,
    (u64, [Option<(u64, u64)>; 2], Vec<(u64, Option<u64>)>, u64, u64),
);

/// Checksums are right, the contents are not those of a solver.
#[test]
fn a_crafted_checkpoint_is_refused() {
    let (_directory, request) = stopped(Metric::Levels);
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
        memory: 3 << 19,
        ..SymbolicLimits::default()
    };
    let mut stopped = LevelSolver::new(40, Goal::Levels, little, 1).unwrap();
    let error = stopped.run(&job).unwrap_err();
    assert!(matches!(error, SymbolicError::MemoryLimit { .. }), "{error}");
    assert!(stopped.live().ball > 0, "{:?}", stopped.live());
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("checkpoint");
    stopped.save(&file).unwrap();
    let limits = SymbolicLimits::default();
    let mut resumed = LevelSolver::resume(40, Goal::Levels, limits, 1, &file, &job).unwrap();
    assert_eq!(resumed.live(), stopped.live());
    let mut whole = LevelSolver::new(40, Goal::Levels, limits, 1).unwrap();
    let sets = [&mut whole, &mut resumed].map(|solver| {
        solver.run(&job).unwrap();
        Portable::of(solver.store(), &solver.roots())
    });
    assert!(sets[0] == sets[1]);
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

//! The symbolic engine compared with the reference solver, the dense engine and recorded counts.

use crate::sets;
use crate::sets::board;
use phutbase_fixtures::prelude::*;
use phutbase_fixtures::values::{Depths, solved};
use phutbase_sets::count::{count, count_by_ball, size};
use phutbase_strips::symbolic::algebra::Algebra;
use phutbase_strips::symbolic::portable::Portable;
use phutbase_strips::symbolic::store::{Id, Store};
use phutbase_strips::symbolic::{DepthSolver, Goal, LevelSolver, SymbolicError};

/// Returns limits that make the solver collect at every opportunity.
pub fn tiny() -> SymbolicLimits {
    SymbolicLimits {
        collect_above: 0,
        ..SymbolicLimits::default()
    }
}

fn depths(length: usize, limits: SymbolicLimits, threads: usize) -> DepthSolver {
    let mut solver = DepthSolver::new(length, limits, threads).unwrap();
    while solver.step(&Job::default()).unwrap() != BigUint::ZERO {}
    solver
}

pub const GOALS: [Goal; 2] = [Goal::Winners, Goal::Levels];

fn winners(length: usize, limits: SymbolicLimits) -> LevelSolver {
    solved(length, Goal::Winners, limits)
}

fn finished_levels(mut solver: LevelSolver) -> LevelSolver {
    solver.run(&Job::default()).unwrap();
    solver
}

fn counts(solver: &DepthSolver) -> Vec<u64> {
    let counts = solver.counts().iter();
    let mut counts: Vec<u64> = counts.map(|count| u64::try_from(count).unwrap()).collect();
    while counts.last() == Some(&0) {
        counts.pop();
    }
    counts
}

fn dense_counts(length: usize) -> Vec<u64> {
    let mut counts = finished(DenseSolver::new(length).unwrap()).counts().to_vec();
    while counts.last() == Some(&0) {
        counts.pop();
    }
    counts
}

fn rows(file: &str) -> Vec<Vec<u64>> {
    let lines = file.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            line.split_whitespace()
                .map(|word| word.parse().unwrap())
                .collect()
        })
        .collect()
}

#[test]
fn every_value_is_the_reference_solvers() {
    for length in 3..=11 {
        let expected = reference_values(length, Rules::Ordinary);
        let depths = depths(length, SymbolicLimits::default(), 1);
        let by_goal = GOALS.map(|goal| solved(length, goal, SymbolicLimits::default()));
        for (strip, &value) in positions(length).zip(expected) {
            for side in [strip, strip.mirror()] {
                assert_eq!(sets::value(&depths, &side), value, "{side}");
                for solver in &by_goal {
                    assert_eq!(sets::wdl(solver, &side), value.wdl(), "{side}");
                }
            }
        }
    }
}

/// Returns the depths of every position by index, from the dense engine.
fn dense_values(length: usize) -> Vec<Value> {
    Depths::of(&finished(DenseSolver::new(length).unwrap())).values()
}

#[test]
fn every_value_is_the_dense_engines() {
    for length in 12..=15 {
        let (depths, winners) = (depths(length, tiny(), 1), winners(length, tiny()));
        for (strip, value) in positions(length).zip(dense_values(length)) {
            assert_eq!(sets::value(&depths, &strip), value, "{strip}");
            assert_eq!(sets::wdl(&winners, &strip), value.wdl(), "{strip}");
        }
    }
}

#[test]
fn every_ply_decides_as_many_positions_as_the_dense_engine_says() {
    for length in 3..=20 {
        assert_eq!(
            counts(&depths(length, SymbolicLimits::default(), 1)),
            dense_counts(length),
            "{length}"
        );
    }
}

#[test]
fn recorded_depths_and_counts_are_met() {
    let recorded = rows(include_str!("../../../../../tests/data/strip_depths.tsv"));
    for length in [8, 12, 16] {
        let expected: Vec<u64> = (recorded.iter())
            .filter(|row| row[0] == length)
            .map(|row| row[2])
            .collect();
        assert!(!expected.is_empty());
        assert_eq!(
            counts(&depths(length as usize, SymbolicLimits::default(), 1)),
            expected,
            "{length}"
        );
    }
    for row in rows(include_str!("../../../../../tests/data/strip_counts.tsv")) {
        let expected = [row[1], row[2], row[3]].map(BigUint::from);
        for goal in GOALS {
            let solver = solved(row[0] as usize, goal, SymbolicLimits::default());
            assert_eq!(sets::totals(&solver), expected, "{row:?}");
        }
    }
}

#[test]
fn counts_by_ball_are_those_of_the_dense_engine() {
    let length = 13;
    let mut expected = vec![(U256::ZERO, U256::ZERO); length];
    for (strip, value) in positions(length).zip(dense_values(length)) {
        match value {
            Value::Win(_) => expected[strip.ball()].0 += 1,
            Value::Loss(_) => expected[strip.ball()].1 += 1,
            Value::Draw => {}
        }
    }
    let levels = winners(length, SymbolicLimits::default());
    let [wins, losses] = sets::last_level(&levels).map(|set| count_by_ball(levels.store(), set));
    // A loss with the ball on b is a win of Left's with Right to move and the ball on the mirror
    // square.
    let found: Vec<(U256, U256)> = wins.into_iter().zip(losses.into_iter().rev()).collect();
    assert_eq!(found, expected);
}

#[test]
fn collecting_all_the_time_changes_nothing() {
    for length in [17, 22] {
        let (lazy, eager) = (
            depths(length, SymbolicLimits::default(), 1),
            depths(length, tiny(), 1),
        );
        assert!(eager.store().counters().collections.count > 0, "it does collect");
        assert_eq!(lazy.counts(), eager.counts());
        let nodes = |solver: &DepthSolver| size(solver.store(), &sets::winners(solver));
        assert_eq!(nodes(&lazy), nodes(&eager));
        for goal in GOALS {
            let (lazy, eager) = (
                solved(length, goal, SymbolicLimits::default()),
                solved(length, goal, tiny()),
            );
            assert_eq!(sets::totals(&lazy), sets::totals(&eager));
            let nodes = |levels: &LevelSolver| size(levels.store(), &sets::last_level(levels));
            assert_eq!(nodes(&lazy), nodes(&eager));
        }
    }
}

#[test]
fn threads_find_the_same_plies() {
    let plies = |solver: &DepthSolver| Portable::of(solver.store(), solver.plies());
    let expected = plies(&depths(21, SymbolicLimits::default(), 1));
    for threads in [2, 4, 8] {
        let found = plies(&depths(21, tiny(), threads));
        assert_eq!(found, expected, "{threads} threads");
    }
}

#[test]
fn both_solvers_find_the_same_diagrams() {
    for length in [3, 4, 9, 18, 24] {
        let (depths, winners) = (depths(length, tiny(), 1), winners(length, tiny()));
        for (a, b) in sets::winners(&depths).into_iter().zip(sets::last_level(&winners)) {
            let (one, other) = (depths.store(), winners.store());
            assert_eq!(size(one, &[a]), size(other, &[b]));
            assert_eq!(count_by_ball(one, a), count_by_ball(other, b));
        }
    }
}

#[test]
fn both_goals_end_with_the_same_winners() {
    for length in [12, 22, 23, 34, 41] {
        let [winners, levels] = GOALS.map(|goal| solved(length, goal, tiny()));
        let sets = |solver: &LevelSolver| Portable::of(solver.store(), &sets::last_level(solver));
        assert_eq!(winners.roots().len(), 2);
        assert!(sets(&winners) == sets(&levels), "{length} squares");
    }
}

#[test]
fn the_diagram_of_32_squares_has_the_known_size() {
    let solver = winners(32, SymbolicLimits::default());
    assert_eq!(size(solver.store(), &sets::last_level(&solver)[..1]), 1_915);
}

#[test]
fn lengths_out_of_range_are_refused() {
    let limits = SymbolicLimits::default();
    let refused = |length, most| Some(SymbolicError::Length { length, most });
    for length in [0, 2, 256] {
        for goal in GOALS {
            assert_eq!(
                LevelSolver::new(length, goal, limits, 1).err(),
                refused(length, 255)
            );
        }
    }
    for (length, most) in [(2, 255), (129, 128), (256, 128)] {
        assert_eq!(DepthSolver::new(length, limits, 1).err(), refused(length, most));
    }
    assert!(DepthSolver::new(128, limits, 1).is_ok());
}

#[test]
fn levels_are_those_of_the_definition() {
    for length in 3..=11 {
        let expected = levels(length, Rules::Ordinary);
        assert_eq!(
            expected.len(),
            1,
            "no backward turn is needed on {length} squares"
        );
        let found = solved(length, Goal::Levels, SymbolicLimits::default());
        assert_eq!(found.roots().len(), 2);
        for (side, (root, members)) in found.roots().into_iter().zip(&expected[0]).enumerate() {
            for (board, &member) in positions(length).zip(members) {
                assert_eq!(
                    contains(found.store(), root, &board),
                    member,
                    "{board}, set {side}"
                );
            }
        }
    }
}

/// Numbers of boards won by Left and not in level 0, with Left to move and with Right to move.
#[test]
fn recorded_numbers_of_boards_past_level_0_are_met() {
    let recorded = rows(include_str!("../../../../../tests/data/forward_levels.tsv"));
    assert!(recorded.len() > 5);
    for row in recorded {
        let levels = solved(row[0] as usize, Goal::Levels, SymbolicLimits::default());
        let sizes: Vec<BigUint> = (levels.roots().iter())
            .map(|&root| count(levels.store(), root))
            .collect();
        assert!(sizes.len() <= 4, "{row:?}");
        let last = &sizes[sizes.len() - 2..];
        assert_eq!(
            [&last[0] - &sizes[0], &last[1] - &sizes[1]],
            [row[1], row[2]].map(BigUint::from)
        );
    }
}

/// Guesses are empty sets, the solution, the other player's sets, full sets and random sets; with
/// different numbers of threads.
#[test]
fn every_guess_leads_to_the_same_sets() {
    for (length, goal) in [4, 9, 22]
        .into_iter()
        .flat_map(|length| GOALS.map(|goal| (length, goal)))
    {
        let expected = solved(length, goal, SymbolicLimits::default());
        let roots = expected.roots();
        let mut algebra = Algebra::new(length, SymbolicLimits::default()).unwrap();
        let everything = algebra.growing(|algebra| {
            (1..=length - 2).try_fold(Id::BOTTOM, |set, ball| {
                let store = algebra.store();
                let with_ball = store.ternary(ball, Id::BOTTOM, Id::BOTTOM, Id::TOP)?;
                let widened = (0..ball)
                    .rev()
                    .try_fold(with_ball, |set, level| store.ternary(level, set, set, Id::BOTTOM))?;
                algebra.or(set, widened)
            })
        });
        let everything = everything.unwrap();
        let random = random_boards(&mut algebra, length, 300);
        let own = [
            [Id::BOTTOM, Id::BOTTOM],
            [Id::BOTTOM, everything],
            [everything, Id::BOTTOM],
            [everything, everything],
            [random, everything],
            [random, random],
        ];
        let mut results = Vec::new();
        for threads in [1, 2, 4] {
            let last = roots.len() - 1;
            for guess in [
                [roots[0], roots[1]],
                [roots[1], roots[0]],
                [roots[last - 1], roots[last]],
            ] {
                results.push(from_guess(length, goal, threads, expected.store(), guess));
            }
            for guess in own {
                results.push(from_guess(length, goal, threads, algebra.store(), guess));
            }
        }
        for found in results {
            assert_eq!(found.roots().len(), expected.roots().len());
            let same = |levels: &LevelSolver| Portable::of(levels.store(), &levels.roots());
            assert_eq!(same(&found), same(&expected), "{length} squares");
        }
    }
}

fn from_guess(length: usize, goal: Goal, threads: usize, store: &Store, guess: [Id; 2]) -> LevelSolver {
    let mut solver = LevelSolver::new(length, goal, tiny(), threads).unwrap();
    solver.guess(store, guess).unwrap();
    finished_levels(solver)
}

/// Generates a set of random boards.
fn random_boards(algebra: &mut Algebra, length: usize, members: usize) -> Id {
    let mut numbers = random_numbers(7);
    let mut set = Id::BOTTOM;
    for _ in 0..members {
        let mut below = |limit: u64| numbers.next().unwrap() % limit;
        let ball = 1 + below(length as u64 - 2) as usize;
        let stones = u128::from(below(1 << length)) & !(1 << ball);
        let strip = Strip::new(length, ball, stones, Side::Left).unwrap();
        set = algebra
            .growing(|algebra| algebra.or(set, board(algebra, &strip)?))
            .unwrap();
    }
    set
}

/// Without memory for its results an operation recomputes them endlessly. There must be some after
/// a collection at the memory limit, and after resuming from a checkpoint with many nodes.
#[test]
fn there_is_room_for_results() {
    let limits = SymbolicLimits {
        memory: 8 << 20,
        ..SymbolicLimits::default()
    };
    let mut algebra = Algebra::new(40, limits).unwrap();
    let mut kept = random_boards(&mut algebra, 40, 1000);
    while algebra.store_mut().grow().is_ok() {}
    let mut marks = algebra.mark(&[kept]).unwrap();
    algebra.sweep(&mut marks);
    marks.renumber(&mut kept);
    let store = algebra.store_mut();
    let results = store.surviving_results(&marks);
    store.end_collection(marks, results);
    let store = algebra.store();
    assert!(store.nodes() > 10_000 && store.results() > store.nodes());

    let file = tempfile::NamedTempFile::new().unwrap();
    let mut solver = DepthSolver::new(28, SymbolicLimits::default(), 1).unwrap();
    for _ in 0..20 {
        solver.step(&Job::default()).unwrap();
    }
    solver.save(file.path()).unwrap();
    let limits = SymbolicLimits::default();
    let resumed = DepthSolver::resume(28, limits, 1, file.path(), &Job::default()).unwrap();
    let store = resumed.store();
    assert!(store.nodes() > 3_000 && store.results() > 8 * store.nodes());
}

//! The symbolic engine against the reference, the dense engine and recorded counts.

use num_bigint::BigUint;
use phutbase::game::Game;
use phutbase::games::strip::{Strip, StripGame};
use phutbase::outcome::Value;
use phutbase::solve::dense::DenseSolver;
use phutbase::solve::reference;
use phutbase::solve::symbolic::{DepthSolver, Limits, Progress, SymbolicError, WinnerSolver};

/// Collects at every opportunity.
fn tiny() -> Limits {
    Limits {
        collect_above: 0,
        ..Limits::default()
    }
}

fn depths(length: usize, limits: Limits) -> DepthSolver {
    let mut solver = DepthSolver::new(length, limits).unwrap();
    while solver.step().unwrap() != BigUint::ZERO {}
    solver
}

fn winners(length: usize, limits: Limits) -> WinnerSolver {
    let mut solver = WinnerSolver::new(length, limits).unwrap();
    while solver.step().unwrap() != Progress::Done {}
    solver
}

fn positions(length: usize) -> impl Iterator<Item = Strip> {
    let game = StripGame::new(length).unwrap();
    (0..game.positions()).map(move |index| game.position(index))
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
    let mut solver = DenseSolver::in_memory(length).unwrap();
    while solver.step().unwrap() != 0 {}
    let mut counts = solver.counts().to_vec();
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
        let expected = reference::solve(&StripGame::new(length).unwrap());
        let (depths, winners) = (
            depths(length, Limits::default()),
            winners(length, Limits::default()),
        );
        for (strip, value) in positions(length).zip(expected) {
            for side in [strip, strip.mirror()] {
                assert_eq!(depths.value(&side), value, "{side}");
                assert_eq!(winners.winners().wdl(&side), value.wdl(), "{side}");
            }
        }
    }
}

/// Depths of every position from the dense engine, as a list by index.
fn dense_values(length: usize) -> Vec<Value> {
    use phutbase::generate::{Request, TablesLock, generate};
    use phutbase::table::{Metric, directory::Tablebase};
    let directory = tempfile::tempdir().unwrap();
    let request = Request {
        tables: directory.path().to_path_buf(),
        ..Request::new(length, Metric::Dtw)
    };
    let lock = TablesLock::hold(directory.path()).unwrap();
    generate(&request, &lock, &mut |_| std::ops::ControlFlow::Continue(())).unwrap();
    let tables = Tablebase::open(directory.path()).unwrap();
    positions(length)
        .map(|strip| tables.value(&strip).unwrap())
        .collect()
}

#[test]
fn every_value_is_the_dense_engines() {
    for length in 12..=15 {
        let (depths, winners) = (depths(length, tiny()), winners(length, tiny()));
        for (strip, value) in positions(length).zip(dense_values(length)) {
            assert_eq!(depths.value(&strip), value, "{strip}");
            assert_eq!(winners.winners().wdl(&strip), value.wdl(), "{strip}");
        }
    }
}

#[test]
fn every_ply_decides_as_many_positions_as_the_dense_engine_says() {
    for length in 3..=20 {
        assert_eq!(
            counts(&depths(length, Limits::default())),
            dense_counts(length),
            "{length}"
        );
    }
}

#[test]
fn recorded_depths_and_counts_are_met() {
    let recorded = rows(include_str!("../../data/strip_depths.tsv"));
    for length in [8, 12, 16] {
        let expected: Vec<u64> = (recorded.iter())
            .filter(|row| row[0] == length)
            .map(|row| row[2])
            .collect();
        assert!(!expected.is_empty());
        assert_eq!(
            counts(&depths(length as usize, Limits::default())),
            expected,
            "{length}"
        );
    }
    for row in rows(include_str!("../../data/strip_counts.tsv")) {
        let solver = winners(row[0] as usize, Limits::default());
        let totals = solver.winners().totals();
        let found = [&totals.wins, &totals.losses, &totals.draws];
        assert_eq!(
            found,
            [row[1], row[2], row[3]].map(BigUint::from).each_ref(),
            "{row:?}"
        );
    }
}

#[test]
fn counts_by_ball_are_those_of_the_dense_engine() {
    let length = 13;
    let mut expected = vec![(0u128, 0u128); length];
    for (strip, value) in positions(length).zip(dense_values(length)) {
        match value {
            Value::Win(_) => expected[strip.ball()].0 += 1,
            Value::Loss(_) => expected[strip.ball()].1 += 1,
            Value::Draw => {}
        }
    }
    assert_eq!(winners(length, Limits::default()).winners().by_ball(), expected);
}

#[test]
fn collecting_all_the_time_changes_nothing() {
    for length in [17, 22] {
        let (lazy, eager) = (depths(length, Limits::default()), depths(length, tiny()));
        assert!(
            eager.store().peak_nodes() < lazy.store().peak_nodes(),
            "it does collect"
        );
        assert_eq!(lazy.counts(), eager.counts());
        assert_eq!(lazy.winners().nodes(), eager.winners().nodes());
        let (lazy, eager) = (winners(length, Limits::default()), winners(length, tiny()));
        assert!(
            eager.store().peak_nodes() < lazy.store().peak_nodes(),
            "it does collect"
        );
        assert_eq!(lazy.winners().totals(), eager.winners().totals());
        assert_eq!(lazy.winners().nodes(), eager.winners().nodes());
    }
}

#[test]
fn both_solvers_find_the_same_diagrams() {
    for length in [3, 4, 9, 18, 24] {
        let (depths, winners) = (depths(length, tiny()), winners(length, tiny()));
        assert_eq!(
            depths.winners().nodes_by_side(),
            winners.winners().nodes_by_side()
        );
        assert_eq!(depths.winners().by_ball(), winners.winners().by_ball());
    }
}

#[test]
fn the_diagram_of_32_squares_has_the_known_size() {
    let solver = winners(32, Limits::default());
    assert_eq!(solver.winners().nodes_by_side().0, 1_915);
}

#[test]
fn a_memory_limit_stops_the_work_with_an_error() {
    let limits = Limits {
        memory: 1 << 20,
        collect_above: 0,
    };
    let mut solver = WinnerSolver::new(32, limits).unwrap();
    let error = loop {
        match solver.step() {
            Ok(progress) => assert_ne!(progress, Progress::Done, "32 squares within a mebibyte"),
            Err(error) => break error,
        }
    };
    assert!(matches!(error, SymbolicError::MemoryLimit { length: 32, bytes, .. } if bytes <= 1 << 20));
    assert!(solver.store().peak_bytes() <= 1 << 20);
    let nothing = Limits { memory: 0, ..limits };
    assert!(matches!(
        DepthSolver::new(128, nothing),
        Err(SymbolicError::MemoryLimit { .. })
    ));
}

#[test]
fn lengths_out_of_range_are_refused() {
    for length in [0, 2, 129] {
        let error = SymbolicError::Length { length };
        assert_eq!(
            WinnerSolver::new(length, Limits::default()).err(),
            Some(error.clone())
        );
        assert_eq!(DepthSolver::new(length, Limits::default()).err(), Some(error));
    }
}

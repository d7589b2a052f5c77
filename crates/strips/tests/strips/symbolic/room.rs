//! Limits of the solver for winners: memory, and the reported number of nodes.

use super::against_dense::tiny;
use phutbase_fixtures::prelude::*;
use phutbase_sets::count::size;
use phutbase_strips::symbolic::guess::directional_winners;
use phutbase_strips::symbolic::{Goal, LevelSolver, SymbolicError};

#[test]
fn a_memory_limit_stops_the_work_with_an_error() {
    let limits = SymbolicLimits {
        memory: 1 << 20,
        collect_above: 0,
    };
    let mut solver = LevelSolver::new(48, Goal::Levels, limits, 1).unwrap();
    let job = Job::default();
    let mut most = 0;
    let error = loop {
        match solver.step(&job) {
            Ok(_) => most = most.max(solver.store().bytes()),
            Err(error) => break error,
        }
    };
    assert!(matches!(error, SymbolicError::MemoryLimit { length: 48, bytes, .. } if bytes <= 1 << 20));
    assert!(most <= 1 << 20);
}

/// Work repeated after a collection may find its cache too small; the cache then grows and the run
/// succeeds.
#[test]
fn a_run_within_a_limit_fits_a_larger_one() {
    let fits = |memory| {
        let limits = SymbolicLimits {
            memory,
            collect_above: 0,
        };
        let mut solver = LevelSolver::new(24, Goal::Levels, limits, 1).unwrap();
        solver.run(&Job::default()).is_ok()
    };
    let smallest = (4..).map(|step| step << 18).find(|&memory| fits(memory)).unwrap();
    for memory in (smallest..2 * smallest).step_by(1 << 15) {
        assert!(fits(memory), "{smallest} bytes are enough, {memory} are not");
    }
}

/// In little memory the room grows as far as it can.
#[test]
fn garbage_is_rarely_collected_in_a_little_less_memory_than_a_run_takes() {
    let limits = SymbolicLimits {
        memory: 10 << 20,
        ..SymbolicLimits::default()
    };
    let mut solver = LevelSolver::new(48, Goal::Levels, limits, 1).unwrap();
    solver.run(&Job::default()).unwrap();
    let collections = solver.counters().collections.count;
    assert!((1..=3).contains(&collections), "{collections}");
}

/// At large lengths the first ball square takes minutes.
#[test]
fn nodes_are_shown_before_the_first_ball_square_is_done() {
    let (graph, level) = directional_winners(24, &Job::default()).unwrap();
    let mut solver = LevelSolver::new(24, Goal::Levels, tiny(), 1).unwrap();
    solver.guess(&graph, level).unwrap();
    assert_eq!(solver.live().place(), "the guess of level 0");
    assert!(solver.store().nodes() > size(&graph, &level) && solver.store().bytes() > 0);
}

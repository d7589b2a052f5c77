//! What the solver for who wins holds: memory within its limit, nodes that are shown, threads that do not run ahead.

use super::against_dense::{tiny, winners};
use phutbase::solve::symbolic::{LevelSolver, MOST_THREADS, SymbolicError, SymbolicLimits};
use std::ops::ControlFlow;

#[test]
fn a_memory_limit_stops_the_work_with_an_error() {
    let limits = SymbolicLimits {
        memory: 1 << 20,
        collect_above: 0,
    };
    let mut solver = LevelSolver::new(32, limits, 1).unwrap();
    let mut most = 0;
    let ended = solver.run(&mut |solver| {
        most = most.max(solver.live().bytes);
        ControlFlow::Continue(())
    });
    let error = ended.unwrap_err();
    assert!(matches!(error, SymbolicError::MemoryLimit { length: 32, bytes, .. } if bytes <= 1 << 20));
    assert!(most <= 1 << 20);
}

/// Work that is done again after a collection may be told that its cache is too small: the cache then grows, and nothing is wrong.
#[test]
fn what_fits_a_limit_fits_a_larger_one() {
    let fits = |memory| {
        let limits = SymbolicLimits {
            memory,
            collect_above: 0,
        };
        let mut solver = LevelSolver::new(24, limits, 1).unwrap();
        solver.run(&mut |_| ControlFlow::Continue(())).is_ok()
    };
    let smallest = (4..).map(|step| step << 18).find(|&memory| fits(memory)).unwrap();
    for memory in (smallest..2 * smallest).step_by(1 << 15) {
        assert!(fits(memory), "{smallest} bytes are enough, {memory} are not");
    }
}

/// Far lengths take minutes for their first ball square.
#[test]
fn nodes_are_shown_before_the_first_ball_square_is_done() {
    let shorter = winners(23, SymbolicLimits::default());
    let mut solver = LevelSolver::new(24, tiny(), 1).unwrap();
    solver.guess(shorter.store(), shorter.first()).unwrap();
    let live = solver.live();
    assert_eq!(live.place(), "level 0, sweep 1");
    assert!(live.nodes > shorter.nodes() && live.bytes > 0);
}

/// A thread that runs ahead works from sets that are about to improve: at 128 squares, minutes became hours by chance.
#[test]
fn threads_go_from_the_middle_outwards_together() {
    let mut seen = 0;
    for length in 12..32 {
        let mut solver = LevelSolver::new(length, tiny(), MOST_THREADS).unwrap();
        let middle = (length - 1) / 2;
        let ended = solver.run(&mut |solver| {
            let live = solver.live();
            if (live.level, live.sweep()) == (0, 1) && live.recomputed > 0 {
                // The middle is the first zone; the two of each ring come next.
                let ring = (live.recomputed - 1).div_ceil(2);
                assert_eq!(live.ball.abs_diff(middle).div_ceil(2), ring, "{live:?}");
                seen += 1;
            }
            ControlFlow::Continue(())
        });
        assert!(ended.unwrap().is_continue());
    }
    assert!(seen > 0, "a busy machine looks seldom, not never");
}

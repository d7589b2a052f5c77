//! The boards that the solution says are won, against tables made without it.

use phutbase_fixtures::prelude::*;
use phutbase_sets::won::won;

/// Every board of a length, with either player to move.
fn agrees(table: &StripTable, length: usize) {
    let sets = table.sets(length).unwrap();
    let (mut graph, solved) = won(length, &Job::default()).unwrap();
    let stored = [Side::Left, Side::Right].map(|to_move| sets.won_by_left(to_move));
    // Equal sets have equal references.
    assert_eq!(graph.copy(&sets, &stored).unwrap(), solved, "{length} squares");
}

#[test]
fn every_board_of_3_to_36_squares_agrees_with_the_depths() {
    let table = shipped("strip-36-dtw.phut");
    (3..=36).for_each(|length| agrees(&table, length));
}

#[test]
fn every_board_of_64_squares_agrees_with_levels_and_winners() {
    for name in ["strip-64-levels.phut", "strip-64-wdl.phut"] {
        let table = shipped(name);
        [37, 50, 63, 64]
            .into_iter()
            .for_each(|length| agrees(&table, length));
    }
}

/// A false win or loss is seen.
#[test]
fn a_wrong_board_is_noticed() {
    let (mut graph, solved) = won(20, &Job::default()).unwrap();
    let mut sets = phutbase_sets::Sets::new(graph.clone());
    let board: Strip = "o@o.o..o..o...o.o...".parse().unwrap();
    let pattern = Pattern::parse(&board.to_string(), 20).unwrap();
    let one = pattern.set(sets.graph_mut()).unwrap();
    let how = if phutbase_sets::count::contains(&graph, solved[0], &board) {
        phutbase_sets::Join::Minus
    } else {
        phutbase_sets::Join::Or
    };
    let changed = sets.join(how, solved[0], one).unwrap();
    assert_ne!(graph.copy(sets.graph(), &[changed]).unwrap(), [solved[0]]);
}

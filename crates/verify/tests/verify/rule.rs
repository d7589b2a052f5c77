//! Who wins by the rule of the solution, by the equations of winners.

use phutbase_fixtures::prelude::*;
use phutbase_sets::won::won;
use phutbase_sets::{Join, Sets};
use phutbase_testing::turns::set_of;
use phutbase_verify::strip::check_winners;

#[test]
fn the_winners_of_a_length_follow_from_the_rules() {
    let job = Job::default();
    for length in (3..=40).chain([64]) {
        let (graph, won_by_left) = won(length, &job).unwrap();
        assert_eq!(
            check_winners(&graph, won_by_left, &job),
            Ok(None),
            "{length} squares"
        );
    }
}

/// A board too many contradicts an inclusion, a board too few the number of boards at the latest.
#[test]
fn sets_with_a_board_too_few_or_too_many_are_refused() {
    let job = Job::default();
    let mut changes = 0;
    for length in 3..=9 {
        for board in positions(length) {
            for side in 0..2 {
                let (graph, mut planted) = won(length, &job).unwrap();
                let mut sets = Sets::new(graph);
                let one = set_of(&mut sets, &[board]);
                let without = sets.join(Join::Minus, planted[side], one).unwrap();
                planted[side] = match without == planted[side] {
                    true => sets.join(Join::Or, without, one).unwrap(),
                    false => without,
                };
                let found = check_winners(sets.graph(), planted, &job).unwrap();
                assert!(found.is_some(), "'{board}' in set {side}");
                changes += 1;
            }
        }
    }
    assert_eq!(changes, (3..=9).map(|n| (n - 2) << n).sum::<usize>());
}

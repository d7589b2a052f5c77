//! Levels of backward turns, compared with their definition, with the winners and with recorded counts.

use phutbase_fixtures::prelude::*;
use phutbase_fixtures::values::{ENOUGH, solved_levels};
use phutbase_sets::count::count;
use phutbase_sets::won::won;
use phutbase_solve::SolveError;
use phutbase_solve::levels::Levels;
use phutbase_testing::levels::levels;

#[test]
fn levels_are_those_of_the_definition() {
    for length in 3..=11 {
        let expected = levels(length, Rules::Ordinary);
        assert_eq!(
            expected.len(),
            1,
            "no backward turn is needed on {length} squares"
        );
        let found = solved_levels(length);
        assert_eq!(found.roots().len(), 2);
        for (side, (root, members)) in found.roots().into_iter().zip(&expected[0]).enumerate() {
            for (board, &member) in positions(length).zip(members) {
                assert_eq!(
                    contains(found.graph(), root, &board),
                    member,
                    "{board}, set {side}"
                );
            }
        }
    }
}

#[test]
fn the_last_level_has_the_boards_that_are_won() {
    for length in [12, 22, 23, 34, 41] {
        let levels = solved_levels(length);
        let roots = levels.roots();
        let (mut graph, won) = won(length, &Job::default()).unwrap();
        let last = graph
            .copy(levels.graph(), roots.last_chunk::<2>().unwrap())
            .unwrap();
        assert_eq!(last, won, "{length} squares");
    }
}

/// Numbers of boards won by Left and not in level 0, with Left to move and with Right to move.
#[test]
fn recorded_numbers_of_boards_past_level_0_are_met() {
    let recorded = include_str!("../../../../tests/data/forward_levels.tsv");
    let rows = recorded.lines().filter(|line| !line.starts_with('#'));
    let rows: Vec<Vec<u64>> = rows
        .map(|line| {
            line.split_whitespace()
                .map(|word| word.parse().unwrap())
                .collect()
        })
        .collect();
    assert!(rows.len() > 5);
    for row in rows {
        let levels = solved_levels(row[0] as usize);
        let sizes: Vec<BigUint> = levels
            .roots()
            .iter()
            .map(|&root| count(levels.graph(), root))
            .collect();
        assert!(sizes.len() <= 4, "{row:?}");
        let last = &sizes[sizes.len() - 2..];
        let found = [&last[0] - &sizes[0], &last[1] - &sizes[1]];
        assert_eq!(found, [row[1], row[2]].map(BigUint::from));
    }
}

#[test]
fn lengths_out_of_range_are_refused() {
    for length in [0, 2, 256] {
        let refused = Levels::new(length, ENOUGH, &Job::default());
        assert_eq!(refused.err(), Some(SolveError::Length(length)));
    }
}

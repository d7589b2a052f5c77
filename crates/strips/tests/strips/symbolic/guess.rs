//! The guess for level 0, compared with the potential of every board.

use phutbase_fixtures::prelude::*;
use phutbase_sets::count::count;
use phutbase_solution::directional::winner;
use phutbase_strips::symbolic::guess::directional_winners;

#[test]
fn it_has_the_boards_that_left_wins_in_the_directional_game() {
    for length in 3..=13 {
        let (graph, sets) = directional_winners(length, &Job::default()).unwrap();
        for board in positions(length) {
            for (side, set) in [Side::Left, Side::Right].into_iter().zip(sets) {
                let strip = board.with_side(side);
                let expected = winner(&strip) == Side::Left;
                assert_eq!(contains(&graph, set, &strip), expected, "{strip}");
            }
        }
    }
}

/// The numbers of wins of former tables of the directional game.
#[test]
fn it_has_as_many_boards_as_the_tables() {
    let recorded = include_str!("../../../../../tests/data/directional_wins.tsv")
        .lines()
        .skip(1);
    for line in recorded {
        let (length, won) = line.split_once('\t').unwrap();
        let (length, won): (usize, BigUint) = (length.parse().unwrap(), won.parse().unwrap());
        let (graph, [left, right]) = directional_winners(length, &Job::default()).unwrap();
        assert_eq!(count(&graph, left), won);
        // Their mirror images are the boards that Left loses with Left to move.
        let positions = BigUint::from(length - 2) << (length - 1);
        assert_eq!(count(&graph, right), positions - won);
    }
}

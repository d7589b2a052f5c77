//! The boards that each player wins, against the winner of each board and the numbers of wins.

use phutbase_base::job::Job;
use phutbase_base::outcome::Side;
use phutbase_rules::strip::positions;
use phutbase_sets::count::{contains, count};
use phutbase_sets::won::won;
use phutbase_solution::count::Counts;
use phutbase_solution::winner;
use phutbase_testing::boards::both_sides;

#[test]
fn every_board_of_3_to_14_squares() {
    for length in 3..=14 {
        let (graph, sets) = won(length, &Job::default()).unwrap();
        for strip in both_sides(length) {
            let is_won = contains(&graph, sets[strip.side() as usize], &strip);
            assert_eq!(is_won, winner(&strip) == Side::Left, "{strip}");
        }
    }
}

#[test]
fn the_numbers_of_wins_of_64_squares() {
    let counts = Counts::up_to(64, &Job::default()).unwrap();
    for length in [3, 4, 5, 31, 63, 64] {
        let (graph, [left, right]) = won(length, &Job::default()).unwrap();
        let wins = counts.wins(length);
        assert_eq!(count(&graph, left), wins);
        // Without draws, Left loses the other boards, and Right as many.
        assert_eq!(count(&graph, left) + count(&graph, right), positions(length));
    }
}

//! Union, intersection and difference, board by board.

use phutbase_sets::algebra::{Join, Sets};
use phutbase_testing::prelude::*;
use phutbase_testing::turns::set_of;

/// Sets so large that cached results are evicted and recomputed.
#[test]
fn joins_of_random_sets_have_the_boards_that_they_should() {
    let game = StripGame::new(12).unwrap();
    let boards: Vec<Strip> = (0..game.positions())
        .map(|index| game.position(index).with_side(Side::Left))
        .collect();
    let mut sets = Sets::new(Graph::new(12));
    let chosen: Vec<u64> = random_numbers(1).take(boards.len()).collect();
    let one = |bit: u64| -> Vec<Strip> {
        let boards = boards.iter().zip(&chosen);
        boards
            .filter(|(_, chosen)| *chosen >> bit & 1 == 1)
            .map(|(&board, _)| board)
            .collect()
    };
    let [a, b, c] = [0, 1, 2].map(|bit| set_of(&mut sets, &one(bit)));
    for (a, b, at, of) in [(a, b, 0, 1), (b, c, 1, 2), (c, a, 2, 0)] {
        for how in [Join::Or, Join::And, Join::Minus] {
            let joined = sets.join(how, a, b).unwrap();
            for (board, chosen) in boards.iter().zip(&chosen) {
                let [a, b] = [at, of].map(|bit| chosen >> bit & 1 == 1);
                let expected = match how {
                    Join::Or => a || b,
                    Join::And => a && b,
                    Join::Minus => a && !b,
                };
                assert_eq!(contains(sets.graph(), joined, board), expected, "{how:?} {board}");
            }
        }
    }
}

//! The number of backward turns that a win needs: by levels, by the rules alone, and as
//! the command reports it.

use phutbase_fixtures::prelude::*;
use phutbase_fixtures::values::solved_levels as levels;
use phutbase_theory::forward::{needed, replay};
use phutbase_theory::proof::NotProved;

/// Correct claims are confirmed by playing on, and wrong ones are refuted.
#[test]
fn replays_confirm_true_claims_only() {
    for length in 3..=8 {
        let levels = levels(length);
        let roots = levels.roots();
        let game = StripGame::new(length).unwrap();
        for board in (0..game.positions()).map(|index| game.position(index)) {
            for (side, root) in [Side::Left, Side::Right].into_iter().zip(&roots) {
                let strip = board.with_side(side);
                let won = contains(levels.graph(), *root, &strip);
                let replayed = replay(levels.graph(), &roots, &strip, 0, 1 << 20);
                assert_eq!(replayed.is_ok(), won, "{strip}");
            }
        }
    }
}

#[test]
fn a_backward_turn_that_is_not_needed_is_not_confirmed() {
    let levels = levels(9);
    let won: Strip = "....@oo.. L".parse().unwrap();
    let replay = |turns, limit| replay(levels.graph(), &levels.roots(), &won, turns, limit);
    assert!(replay(0, 1 << 20).is_ok());
    assert!(matches!(replay(1, 1 << 20), Err(NotProved::Refuted(_))));
    assert_eq!(replay(0, 0), Err(NotProved::TooLong(0)));
}

/// There are exactly three such positions of 22 squares.
#[test]
fn the_first_backward_turns_are_needed_at_22_squares() {
    let levels = levels(22);
    let found = needed(Graph::new(22), levels.graph(), &levels.roots(), 5).unwrap();
    assert_eq!(found.left_to_move[1..], [3u32.into()]);
    assert_eq!(found.right_to_move[1..], [0u32.into()]);
    let positions: Vec<String> = found
        .examples
        .iter()
        .map(|(_, strip)| strip.to_string())
        .collect();
    assert_eq!(
        positions,
        [
            "........o.oo@.oooo....",
            "........oo.o@.oooo....",
            "........oooo@.oooo...."
        ]
    );
}

//! Oddish Phutball: the engines compared with each other, Theorem 1, Lemma 2 and the strategy of
//! the proof.

use crate::support::numbers;
use phutbase_fixtures::prelude::*;
use phutbase_rules::potentials::oddish_winner;
use phutbase_theory::oddish::sets::predicted;
use phutbase_theory::oddish::{lemma_2, play_out, sets, theorem_1};

/// Reads `data/oddish_counts.tsv`: squares, positions, wins, losses, draws, longest.
fn pinned() -> Vec<[u64; 6]> {
    numbers(include_str!("../../../../tests/data/oddish_counts.tsv"))
}

#[test]
fn theorem_1_is_never_wrong_and_the_counts_are_the_pinned_ones() {
    let pinned = pinned();
    assert_eq!(pinned.len(), 11);
    for [squares, positions, wins, losses, draws, longest] in pinned {
        let found = theorem_1(squares as usize, &Job::default()).unwrap();
        let counts = [found.positions, found.wins, found.losses, found.draws].map(|count| count.0 as u64);
        assert_eq!(counts, [positions, wins, losses, draws], "{squares} squares");
        assert_eq!(found.longest, Some(longest as usize));
        assert!(found.holds());
    }
    for squares in 13..=14 {
        let found = theorem_1(squares, &Job::default()).unwrap();
        assert!(found.holds() && found.draws.0 == 0, "{squares} squares");
    }
}

#[test]
fn the_predicted_sets_are_the_exact_ones_on_every_board_up_to_13_squares() {
    for squares in 2..=13 {
        let game = OddishGame::new(squares).unwrap();
        let values = reference::solve(&game);
        let (graph, sets) = predicted(squares, &Job::default()).unwrap();
        for (index, value) in values.iter().enumerate() {
            let position = game.position(index as u64);
            // Right wins a board if Left, with Right to move, wins its mirror image.
            let mirror = position.mirror();
            for (board, set, wins) in [(position, sets[0], Wdl::Win), (mirror, sets[1], Wdl::Loss)] {
                let (gap, stones) = (board.gap(), board.stones());
                // A strip of one cell more, with the ball as the arrow.
                let cells = Strip::from_pattern(squares + 1, gap, stones, Side::Left).unwrap();
                let member = contains(&graph, set, &cells);
                assert_eq!(member, value.wdl() == wins, "'{board}'");
            }
        }
    }
}

#[test]
fn the_sets_prove_theorem_1_and_their_counts_are_the_pinned_and_the_enumerated_ones() {
    for [squares, positions, wins, losses, ..] in pinned() {
        let found = sets::check(squares as usize, &Job::default()).unwrap();
        assert!(found.holds(), "{found:?}");
        let counts = [found.positions, found.wins, found.losses].map(|count| count.0 as u64);
        assert_eq!(counts, [positions, wins, losses]);
    }
    for squares in 13..=14 {
        let (found, enumerated) = (
            sets::check(squares, &Job::default()).unwrap(),
            theorem_1(squares, &Job::default()).unwrap(),
        );
        assert_eq!((found.wins, found.losses), (enumerated.wins, enumerated.losses));
    }
    for squares in [63, 64, 65, 120] {
        assert!(
            sets::check(squares, &Job::default()).unwrap().holds(),
            "{squares}"
        );
    }
    assert!(sets::check(1, &Job::default()).is_err() && sets::check(121, &Job::default()).is_err());
}

#[test]
fn lemma_2_holds_on_every_position_up_to_14_squares() {
    for squares in 2..=14 {
        let found = lemma_2(squares).unwrap();
        assert!(found.holds(), "{squares} squares: {found:?}");
        assert_eq!(
            found.zero + found.positive,
            OddishGame::new(squares).unwrap().positions()
        );
    }
}

#[test]
fn the_strategy_wins_every_position_that_the_theorem_gives_up_to_12_squares() {
    for squares in 2..=12 {
        let found = play_out(squares).unwrap();
        assert_eq!(found.won, found.given, "{squares} squares");
        // By the mirror, half of the positions with either player to move are Left's.
        assert_eq!(found.given, OddishGame::new(squares).unwrap().positions());
    }
}

proptest! {
    #[test]
    fn the_mirror_image_has_the_other_winner(squares in 2usize..=63, gap in 1usize..63, stones: u64, right: bool) {
        let side = if right { Side::Right } else { Side::Left };
        let stones = stones & ((1 << squares) - 1);
        if let Some(position) = Oddish::new(squares, gap, stones, side) {
            let winner = oddish_winner(&position);
            prop_assert_eq!(oddish_winner(&position.mirror()), winner.opponent());
            prop_assert_eq!(position.to_string().parse::<Oddish>().unwrap(), position);
        }
    }
}

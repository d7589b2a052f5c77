//! Oddish Phutball: the engines against each other, Theorem 1, Lemma 2 and the strategy of the proof.

use crate::common::cli::run;
use num_bigint::BigUint;
use phutbase::diagram::count::contains;
use phutbase::game::Game;
use phutbase::games::oddish::{Oddish, OddishGame};
use phutbase::games::strip::Strip;
use phutbase::outcome::{Side, Value, Wdl};
use phutbase::solve::reference;
use phutbase::theory::oddish::sets::{self, Predicted};
use phutbase::theory::oddish::{lemma_2, play_out, predicted_winner, strategy, theorem_1};
use phutbase::theory::watch::unwatched;
use proptest::prelude::*;

/// The lines of `data/oddish_counts.tsv`: squares, positions, wins, losses, draws, longest.
fn pinned() -> Vec<[u64; 6]> {
    let lines = include_str!("../../data/oddish_counts.tsv").lines();
    let lines = lines.filter(|line| !line.starts_with('#'));
    let numbers = lines.map(|line| {
        let fields: Vec<u64> = line.split('\t').map(|field| field.parse().unwrap()).collect();
        fields.try_into().unwrap()
    });
    numbers.collect()
}

#[test]
fn the_reference_agrees_with_theorem_1_and_the_counts_up_to_10_squares() {
    for [squares, positions, wins, losses, draws, longest] in pinned() {
        if squares > 10 {
            continue;
        }
        let game = OddishGame::new(squares as usize).unwrap();
        let values = reference::solve(&game);
        let count = |wanted: fn(&Value) -> bool| values.iter().filter(|value| wanted(value)).count() as u64;
        assert_eq!(values.len() as u64, positions);
        assert_eq!(count(|value| matches!(value, Value::Win(_))), wins);
        assert_eq!(count(|value| matches!(value, Value::Loss(_))), losses);
        assert_eq!(count(|value| matches!(value, Value::Draw)), draws);
        let depths = values.iter().filter_map(|value| value.depth());
        assert_eq!(depths.max().map(|depth| u64::from(depth.0)), Some(longest));
        for (index, value) in values.iter().enumerate() {
            let position = game.position(index as u64);
            let winner = value.wdl().winner(Side::Left);
            assert_eq!(winner, Some(predicted_winner(&position)), "'{position}'");
        }
    }
}

#[test]
fn theorem_1_is_never_wrong_and_the_counts_are_the_pinned_ones() {
    let pinned = pinned();
    assert_eq!(pinned.len(), 11);
    for [squares, positions, wins, losses, draws, longest] in pinned {
        let found = theorem_1(squares as usize, unwatched()).unwrap();
        let counts = [
            found.positions,
            found.wins,
            found.losses,
            found.draws,
            found.longest as u64,
        ];
        assert_eq!(
            counts,
            [positions, wins, losses, draws, longest],
            "{squares} squares"
        );
        assert_eq!(found.mismatches, 0);
    }
    for squares in 13..=15 {
        let found = theorem_1(squares, unwatched()).unwrap();
        assert_eq!((found.draws, found.mismatches), (0, 0), "{squares} squares");
        assert_eq!(found.wins + found.losses, found.positions);
    }
}

#[test]
fn the_predicted_sets_are_the_exact_ones_on_every_board_up_to_13_squares() {
    for squares in 2..=13 {
        let game = OddishGame::new(squares).unwrap();
        let values = reference::solve(&game);
        let predicted = Predicted::new(squares).unwrap().unwrap();
        for (index, value) in values.iter().enumerate() {
            let position = game.position(index as u64);
            // That Right wins is that Left wins in the mirror image, where Right is to move.
            let mirror = position.mirror();
            for (board, set, wins) in [
                (position, predicted.sets[0], Wdl::Win),
                (mirror, predicted.sets[1], Wdl::Loss),
            ] {
                let (gap, stones) = (board.gap(), board.stones());
                // A strip of one cell more, with the ball for the arrow.
                let cells = Strip::from_pattern(squares + 1, gap, stones.into(), Side::Left).unwrap();
                let member = contains(&predicted.graph, set, &cells);
                assert_eq!(member, value.wdl() == wins, "'{board}'");
            }
        }
    }
}

#[test]
fn the_sets_prove_theorem_1_and_their_counts_are_the_pinned_and_the_enumerated_ones() {
    for [squares, positions, wins, losses, ..] in pinned() {
        let found = sets::check(squares as usize, unwatched()).unwrap();
        assert!(found.holds(), "{found:?}");
        let counts = [found.positions(), found.wins, found.losses];
        assert_eq!(counts, [positions, wins, losses].map(BigUint::from));
    }
    for squares in 13..=15 {
        let (found, enumerated) = (
            sets::check(squares, unwatched()).unwrap(),
            theorem_1(squares, unwatched()).unwrap(),
        );
        assert_eq!(found.wins, enumerated.wins.into());
        assert_eq!(found.losses, enumerated.losses.into());
    }
    for squares in [40, 63, 64, 65, 119, 120] {
        assert!(sets::check(squares, unwatched()).unwrap().holds(), "{squares}");
    }
    assert!(sets::check(1, unwatched()).is_err() && sets::check(121, unwatched()).is_err());
}

#[test]
fn lemma_2_holds_on_every_position_up_to_16_squares() {
    for squares in 2..=16 {
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
        // Half of the positions with either player to move are Left's, by the mirror.
        assert_eq!(found.given, OddishGame::new(squares).unwrap().positions());
    }
}

proptest! {
    #[test]
    fn the_mirror_image_has_the_other_winner(squares in 2usize..=63, gap in 1usize..63, stones: u64, right: bool) {
        let side = if right { Side::Right } else { Side::Left };
        let stones = stones & ((1 << squares) - 1);
        if let Some(position) = Oddish::new(squares, gap, stones, side) {
            let winner = predicted_winner(&position);
            prop_assert_eq!(predicted_winner(&position.mirror()), winner.opponent());
            prop_assert_eq!(position.to_string().parse::<Oddish>().unwrap(), position);
        }
    }
}

#[test]
fn the_command_prints_a_line_for_each_size() {
    let lines = run("theory oddish oddish:2..11 --json").ok().json_lines();
    assert_eq!(lines.len(), 10);
    for (line, [squares, positions, wins, losses, draws, longest]) in lines.iter().zip(pinned()) {
        for (field, value) in [
            ("squares", squares),
            ("positions", positions),
            ("wins", wins),
            ("losses", losses),
            ("draws", draws),
            ("longest", longest),
            ("mismatches", 0),
        ] {
            assert_eq!(line[field], value, "{field} at {squares} squares");
        }
        assert_eq!(line["lemma_2"]["fails_iii"], 0);
        assert_eq!(line["strategy"]["given"], line["strategy"]["won"]);
    }
    let lines = run("theory oddish oddish:2..31 --solved-squares 11 --lemma-squares 0 --json")
        .ok()
        .json_lines();
    let last = lines.last().unwrap();
    assert_eq!(
        (&last["checked"], &last["mismatches"]),
        (&"sets".into(), &0.into())
    );
    assert_eq!(last["positions"], 30u64 << 31);
    assert!(last["longest"].is_null() && last["nodes"].is_number());
    assert_eq!(lines[9]["checked"], "positions");
    let text = run("theory oddish oddish:2..5 --strategy-squares 4").ok().stdout;
    assert!(
        text.contains("128 positions, 86 wins, 42 losses, 0 draws, longest 13"),
        "{text}"
    );
}

#[test]
fn sizes_out_of_range_are_bad_usage() {
    for size in ["1", "121"] {
        run(&format!("theory oddish oddish:2..{size}")).refusal(2);
    }
    run("theory oddish oddish:2..5 --memory 0").refusal(2);
}

#[test]
fn the_strategy_jumps_over_an_even_number_or_places_behind_the_stones() {
    let turn = |board: &str| strategy(&board.parse().unwrap()).unwrap().to_string();
    assert_eq!(turn(".^ooo."), "^3");
    assert_eq!(turn(".^oo.o"), "^3");
    assert_eq!(turn(".^ooo"), "^4", "home");
    assert_eq!(turn(".^o..."), "o2");
    assert_eq!(turn(".^...."), "o1");
    assert_eq!(strategy(&".^. R".parse().unwrap()), None);
}

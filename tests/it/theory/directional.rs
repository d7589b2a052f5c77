//! Directional Phutball by its potential: winners and keeping turns of short strips compared with
//! the reference solver, and strips of any length.

use crate::prelude::*;
use phutbase_ask::sources::Sources;
use phutbase_solution::directional::automaton::PotentialState;
use phutbase_solution::directional::{keeping_turn, potentials, verdict, winner};
use phutbase_testing::boards::both_sides_under;
use phutbase_theory::proof::prove;
use std::collections::HashSet;

fn long(text: &str) -> AnyStrip {
    text.parse().unwrap()
}

/// The table of changes against the definition, in every state after at most 80 squares.
#[test]
fn the_step_is_the_defined_one() {
    let mut reached = HashSet::from([PotentialState::HOME]);
    let mut last = reached.clone();
    for _ in 0..80 {
        last = (last.iter())
            .flat_map(|&state| [false, true].map(|stone| (state, stone)))
            .map(|(state, stone)| {
                let next = state.defined_step(stone);
                assert_eq!(state.step(stone), next, "{state:?}, {stone}");
                next
            })
            .filter(|&next| reached.insert(next))
            .collect();
    }
    assert!(
        reached.len() > 1_000 && !last.is_empty(),
        "{} states",
        reached.len()
    );
}

/// Every position of 3 to 12 squares, with either player to move: the winner and the keeping turn.
#[test]
fn every_value_and_every_turn_are_the_reference_solvers() {
    for strip in (3..=12).flat_map(|length| both_sides_under(Rules::Directional, length)) {
        let value = reference_value(&strip).wdl();
        assert_eq!(verdict(&strip).wdl, value, "'{strip}'");
        assert_eq!(keeping_turn(&strip).is_some(), value == Wdl::Win, "'{strip}'");
        if let Some(turn) = keeping_turn(&strip) {
            assert!(turn.is_forward(&strip), "'{strip}' {turn}");
            let keeps = match strip.play(turn).unwrap() {
                After::Position(next) => reference_value(&next).wdl() == Wdl::Loss,
                After::Over { winner, .. } => winner == strip.side(),
            };
            assert!(keeps, "'{strip}' {turn}");
        }
    }
}

/// The keeping turns, played against every reply, without any values.
#[test]
fn the_turns_that_keep_the_win_win() {
    let suggest = |strip: &Strip| keeping_turn(strip);
    for strip in (3..=9).flat_map(|length| both_sides_under(Rules::Directional, length)) {
        let proof = prove(&strip, winner(&strip), &suggest, 1_000_000);
        assert!(proof.is_ok(), "'{strip}': {proof:?}");
    }
}

/// Up to 21 squares the ordinary game has the same winners; these boards of 22 squares are the
/// first that differ.
#[test]
fn the_games_part_at_22_squares() {
    for strip in (3..=12).flat_map(both_sides) {
        assert_eq!(verdict(&strip).wdl, reference_value(&strip).wdl(), "'{strip}'");
    }
    for board in [
        "........o.oo@.oooo....",
        "........oo.o@.oooo....",
        "........oooo@.oooo....",
    ] {
        assert_eq!(winner(&long(board)), Side::Right, "{board}");
    }
}

#[test]
fn lines_end_at_home_with_the_winner() {
    let sources = Sources::new(Tablebase::empty(), 0);
    let mut numbers = random_numbers(3);
    for length in [3, 5, 12, 30, 64, 128, 200, 255, 1000] {
        let mut below = |limit: usize| numbers.next().unwrap() as usize % limit;
        let ball = 1 + below(length - 2);
        let squares: Vec<bool> = (0..length)
            .map(|square| square != ball && below(3) == 0)
            .collect();
        for side in [Side::Left, Side::Right] {
            let strip = AnyStrip::new(squares.iter().copied(), ball, side)
                .unwrap()
                .under(Rules::Directional);
            let line = sources
                .best_line(&Phutball::Strip(strip.clone()), usize::MAX)
                .unwrap();
            let home = line.last().unwrap().after.winner();
            assert_eq!(home, Some(winner(&strip)), "'{strip}'");
        }
    }
}

/// A strip of 10⁶ squares is answered at once: its potentials, and a turn after which the opponent
/// loses.
#[test]
fn a_million_squares() {
    let empty = format!("{}@{}", ".".repeat(500_000), ".".repeat(499_999));
    assert_eq!(potentials(&long(&empty)), [125_001, 125_001]);
    let turn = keeping_turn(&long(&empty)).unwrap().to_string();
    let square: usize = turn.strip_prefix('o').unwrap().parse().unwrap();
    let after = format!(
        "{} R",
        &(empty[..square].to_string() + "o" + &empty[square + 1..])
    );
    assert_eq!(winner(&long(&after)), Side::Left);

    let input = format!("{empty}\n.@o\n");
    let lines = Tables::none()
        .run_on("probe --batch - --rules directional", input.as_bytes())
        .json_lines();
    let expected = json!(["win", [125_001, 125_001], "directional", turn]);
    assert_eq!(fields(&lines[0], "value potentials rules turn"), expected);
    assert_eq!(fields(&lines[1], "value turn depth"), json!(["win", "@R", null]));
}

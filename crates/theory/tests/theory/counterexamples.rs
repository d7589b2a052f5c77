//! Counterexamples to plausible assertions: the scans compared with the rules, and proofs of the
//! shortest ones.

use crate::support::{all_values, best_turn};
use phutbase_fixtures::prelude::*;
use phutbase_theory::monotonicity::{Harms, examine};
use phutbase_theory::proof::prove;
use phutbase_theory::values::AllValues;

/// Returns the winner of a position, by the reference solver.
fn winner(strip: &Strip) -> Option<Side> {
    reference_value(strip).wdl().winner(strip.side())
}

#[test]
fn values_in_memory_are_those_of_the_reference_solver() {
    for length in [3, 7, 13, 15] {
        let values = all_values(length);
        for strip in positions(length) {
            let value = reference_value(&strip);
            assert_eq!(values.value(&strip), value, "'{strip}'");
            assert_eq!(values.value(&strip.mirror()), value, "'{strip}'");
        }
    }
}

/// Returns the number for both players to move.
fn total(harms: &Harms) -> u64 {
    harms.left_to_move + harms.right_to_move
}

/// The boards of docs/THEORY.md.
#[test]
fn two_more_stones_can_hurt_and_a_filled_hole_can_help() {
    let table = shipped("strip-64-wdl.phut");
    for (board, winner) in [
        ("....oooo.@oo..o.oo.oo.oo.o....................o. R", Side::Left),
        ("....oooo.@ooooo.oo.oo.oo.o....................o. R", Side::Right),
        ("....oooo.@o.oo.o...............o", Side::Right),
        ("....oooo.@o.oooo...............o", Side::Left),
    ] {
        let board = strip(board);
        assert_eq!(
            table.verdict(&board).unwrap().wdl.winner(board.side()),
            Some(winner),
            "{board}"
        );
    }
}

#[test]
fn no_length_below_10_has_a_stone_or_a_deletion_that_hurts_and_10_has_three_of_each() {
    let mut shorter: Option<AllValues> = None;
    for length in 3..=12 {
        let values = all_values(length);
        let found = examine(&values, shorter.as_ref(), 1000, &Job::default()).unwrap();
        assert_eq!(total(&found.stone_hurts) > 0, length >= 10);
        assert_eq!(total(&found.deletion_hurts) > 0, length >= 10);
        // Recounted from the rules and the reference solver alone.
        let mut recounted = [0, 0];
        for strip in positions(length) {
            for strip in [strip, strip.with_side(Side::Right)] {
                let [stones, deletions] = recount(&strip);
                recounted = [recounted[0] + stones, recounted[1] + deletions];
            }
        }
        assert_eq!(
            recounted,
            [total(&found.stone_hurts), total(&found.deletion_hurts)],
            "length {length}"
        );
        shorter = Some(values);
    }
}

/// Returns the number of squares to the right of the ball that refute each assertion in a position.
fn recount(strip: &Strip) -> [u64; 2] {
    let mut harms = [0, 0];
    if winner(strip) != Some(Side::Left) {
        return harms;
    }
    let text = strip.to_string();
    let (board, side) = text.split_at(strip.length());
    for square in (strip.ball() + 1..strip.length()).filter(|&square| strip.stones() >> square & 1 == 0) {
        let (before, after) = (&board[..square], &board[square + 1..]);
        let with_stone: Strip = format!("{before}o{after}{side}").parse().unwrap();
        harms[0] += u64::from(winner(&with_stone) != Some(Side::Left));
        if let Ok(without) = format!("{before}{after}{side}").parse::<Strip>() {
            harms[1] += u64::from(winner(&without) != Some(Side::Left));
        }
    }
    harms
}

#[test]
fn a_proof_needs_no_trust_in_the_suggestions() {
    for strip in positions(10).step_by(7) {
        let (value, winner) = (reference_value(&strip), winner(&strip).unwrap());
        let proof = prove(&strip, winner, &best_turn, 1 << 20).unwrap();
        assert_eq!(value.wdl() == Wdl::Win, winner == Side::Left);
        assert_eq!(
            value.depth().map(|depth| u32::from(depth.0)),
            Some(proof.plies),
            "'{strip}'"
        );
        // Neither the best suggestions nor bad ones prove a false claim.
        let lazy = |strip: &Strip| {
            let stone = |turn: &Turn| matches!(strip.play(*turn), Ok(After::Position(_)));
            strip.turns().into_iter().find(stone)
        };
        assert!(prove(&strip, winner.opponent(), &best_turn, 1 << 20).is_err());
        assert!(prove(&strip, winner.opponent(), &lazy, 1 << 20).is_err());
    }
}

#[test]
fn the_papers_examples_are_proved_and_their_opposites_are_not() {
    let (left_wins, right_wins): (Strip, Strip) =
        ("o@o.o.o....".parse().unwrap(), "o@o.ooo....".parse().unwrap());
    assert!(prove(&left_wins, Side::Left, &best_turn, 100_000).is_ok());
    assert!(prove(&right_wins, Side::Right, &best_turn, 100_000).is_ok());
    assert!(prove(&left_wins, Side::Right, &best_turn, 100_000).is_err());
    let unproved = prove(&left_wins, Side::Left, &|_| None, 100_000).unwrap_err();
    let reason = format!("no legal turn was suggested in '{left_wins}'");
    assert_eq!(unproved.to_string(), reason);
}

#[test]
fn a_long_way_takes_no_stack() {
    // Both players place stones from the right until the strip is full: a path of a hundred
    // positions.
    let strip: Strip = format!(".@{}", ".".repeat(110)).parse().unwrap();
    let suggest = |strip: &Strip| {
        strip
            .turns()
            .into_iter()
            .rfind(|turn| matches!(turn, Turn::Place(_)))
    };
    let proved = move || prove(&strip, Side::Left, &suggest, 1000).is_err();
    let thread = std::thread::Builder::new().stack_size(16 << 10).spawn(proved);
    assert!(thread.unwrap().join().unwrap());
}

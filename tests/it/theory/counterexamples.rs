//! Counterexamples to tempting assertions: the scans against the rules, and the shortest ones re-proved.

use crate::common::cli::run;
use crate::theory::support::{all_values, best_turn};
use phutbase::game::Game;
use phutbase::games::strip::{After, Strip, StripGame, Turn};
use phutbase::outcome::{Side, Value, Wdl};
use phutbase::solve::reference;
use phutbase::theory::monotonicity::{Harms, examine};
use phutbase::theory::proof::prove;
use phutbase::theory::values::AllValues;
use phutbase::theory::watch::unwatched;
use std::collections::BTreeMap;

/// Who wins a length, by the reference solver.
struct Reference {
    game: StripGame,
    values: Vec<Value>,
}

impl Reference {
    fn new(length: usize) -> Reference {
        let game = StripGame::new(length).unwrap();
        let values = reference::solve(&game);
        Reference { game, values }
    }

    fn winner(&self, strip: &Strip) -> Option<Side> {
        self.values[self.game.index(strip) as usize]
            .wdl()
            .winner(strip.side())
    }
}

#[test]
fn values_in_memory_are_those_of_the_reference_solver() {
    for length in [3, 7, 13, 15] {
        let values = all_values(length);
        let reference = Reference::new(length);
        for (index, &value) in reference.values.iter().enumerate() {
            let strip = reference.game.position(index as u64);
            assert_eq!(values.value(&strip), value, "'{strip}'");
            assert_eq!(values.value(&strip.mirror()), value, "'{strip}'");
        }
    }
}

/// Both players to move together.
fn total(harms: &Harms) -> u64 {
    harms.left_to_move + harms.right_to_move
}

#[test]
fn no_length_below_10_has_a_stone_or_a_deletion_that_hurts_and_10_has_three_of_each() {
    let mut shorter: Option<(AllValues, Reference)> = None;
    for length in 3..=12 {
        let values = all_values(length);
        let reference = Reference::new(length);
        let short_values = shorter.as_ref().map(|(values, _)| values);
        let found = examine(&values, short_values, 1000, unwatched()).unwrap();
        assert_eq!(total(&found.stone) > 0, length >= 10);
        assert_eq!(total(&found.square) > 0, length >= 10);
        // Recounted from the rules and the reference solver alone.
        let mut recounted = [0, 0];
        for strip in (0..reference.game.positions()).map(|index| reference.game.position(index)) {
            for strip in [strip, strip.with_side(Side::Right)] {
                let [stones, deletions] =
                    recount(&strip, &reference, shorter.as_ref().map(|(_, values)| values));
                recounted = [recounted[0] + stones, recounted[1] + deletions];
            }
        }
        assert_eq!(
            recounted,
            [total(&found.stone), total(&found.square)],
            "length {length}"
        );
        shorter = Some((values, reference));
    }
}

/// How many squares to the right of the ball refute either assertion in a position.
fn recount(strip: &Strip, reference: &Reference, shorter: Option<&Reference>) -> [u64; 2] {
    let mut harms = [0, 0];
    if reference.winner(strip) != Some(Side::Left) {
        return harms;
    }
    let text = strip.to_string();
    let (board, side) = text.split_at(strip.length());
    for square in (strip.ball() + 1..strip.length()).filter(|&square| strip.stones() >> square & 1 == 0) {
        let (before, after) = (&board[..square], &board[square + 1..]);
        let with_stone: Strip = format!("{before}o{after}{side}").parse().unwrap();
        harms[0] += u64::from(reference.winner(&with_stone) != Some(Side::Left));
        if let (Some(shorter), Ok(without)) = (shorter, format!("{before}{after}{side}").parse::<Strip>()) {
            harms[1] += u64::from(shorter.winner(&without) != Some(Side::Left));
        }
    }
    harms
}

#[test]
fn a_proof_needs_no_trust_in_the_suggestions() {
    let reference = Reference::new(10);
    for index in (0..reference.game.positions()).step_by(7) {
        let strip = reference.game.position(index);
        let winner = reference.winner(&strip).unwrap();
        let proof = prove(&strip, winner, &best_turn, 1 << 20).unwrap();
        let value = reference.values[index as usize];
        assert_eq!(value.wdl() == Wdl::Win, winner == Side::Left);
        assert_eq!(
            value.depth().map(|depth| u32::from(depth.0)),
            Some(proof.plies),
            "'{strip}'"
        );
        // With the best suggestions and with bad ones: what is not so is not proved.
        let lazy = |strip: &Strip| {
            let stone = |turn: &Turn| matches!(strip.play(*turn), Ok(After::Position(_)));
            strip.turns().into_iter().find(stone)
        };
        assert!(prove(&strip, winner.opponent(), &best_turn, 1 << 20).is_err());
        assert!(prove(&strip, winner.opponent(), &lazy, 1 << 20).is_err());
    }
}

/// The strip of two half strips in notation, read from the ball; the first is the half of Left, who moves.
fn strip_of_halves(own: &str, other: &str) -> Strip {
    let left: String = other
        .chars()
        .skip(1)
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .collect();
    format!("{left}{own}").parse().unwrap()
}

/// What the commands show as counterexamples, with the winner that each must have: up to 14 squares, and the cycle at 22.
fn shown_by_the_commands() -> Vec<(Strip, Side)> {
    let mut shown: Vec<(Strip, Side)> = Vec::new();
    let mut add = |position: &serde_json::Value, winner: Side| {
        shown.push((position.as_str().unwrap().parse().unwrap(), winner));
    };
    for line in run("theory generalized 3..14 --json").ok().json_lines() {
        for (field, winner) in [
            ("predicted_win_examples", Side::Right),
            ("predicted_loss_examples", Side::Left),
        ] {
            let examples = line[field].as_array().unwrap();
            examples.iter().for_each(|example| add(example, winner));
        }
        for cause in line["causes"].as_array().unwrap() {
            match cause["cause"].as_str().unwrap().starts_with("predicted win") {
                true => add(&cause["example"], Side::Right),
                false => add(&cause["example"], Side::Left),
            }
        }
    }
    for line in run("theory monotonicity 3..14 --json").ok().json_lines() {
        for field in ["stone_hurts", "deletion_hurts"] {
            for pair in line[field]["examples"].as_array().unwrap() {
                add(&pair[0], Side::Left);
                add(&pair[1], Side::Right);
            }
        }
    }
    let lines = run("theory potential 3..22 --json").ok().json_lines();
    let cycle = lines
        .iter()
        .find(|line| line["kind"] == "length" && line["length"] == 22);
    for duel in cycle.unwrap()["cycle"].as_array().unwrap() {
        let half = |name: &str| duel[name].as_str().unwrap().to_string();
        let winner = if duel["mover_wins"] == true {
            Side::Left
        } else {
            Side::Right
        };
        shown.push((strip_of_halves(&half("own"), &half("other")), winner));
    }
    shown
}

/// Where the reference solver reaches, it is asked; past it a strategy is played out against every reply.
#[test]
fn every_counterexample_that_a_command_shows_is_proved_again_from_scratch() {
    const REACH: usize = 16;
    let shown = shown_by_the_commands();
    assert!(shown.iter().any(|(strip, _)| strip.length() == 14) && shown.len() > 60);
    let mut references: BTreeMap<usize, Reference> = BTreeMap::new();
    let mut played_out = 0;
    for (strip, winner) in shown {
        let length = strip.length();
        if length <= REACH {
            let reference = references.entry(length).or_insert_with(|| Reference::new(length));
            assert_eq!(reference.winner(&strip), Some(winner), "'{strip}'");
        } else {
            prove(&strip, winner, &best_turn, 20_000_000).unwrap();
            played_out += 1;
        }
    }
    assert_eq!(played_out, 1, "one duel of the cycle has 22 squares");
}

#[test]
fn the_commands_print_what_was_found() {
    let lines = run("theory monotonicity 3..11 --json").ok().json_lines();
    assert_eq!(lines[7]["length"], 10);
    assert_eq!(lines[6]["stone_hurts"]["left_to_move"], 0);
    assert_eq!(lines[7]["stone_hurts"]["examples"][0][0], ".@.o.o....");
    assert_eq!(lines[0]["empty_strip"][0], "W3");
    run("theory monotonicity 3..2").refusal(2);
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
    // Both place stones from the right until the strip is full: a way of a hundred positions.
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

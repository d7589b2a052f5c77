//! Oddish Phutball: notation, turns, index.

use phutbase_rules::oddish::{MAX_INDEXED_SQUARES, MIN_SQUARES, Turn};
use phutbase_testing::prelude::*;

fn turns(board: &str) -> String {
    let position: Oddish = board.parse().unwrap();
    let turns: Vec<String> = position.turns().iter().map(Turn::to_string).collect();
    turns.join(" ")
}

fn after(board: &str, turn: Turn) -> String {
    let position: Oddish = board.parse().unwrap();
    match position.play(turn).unwrap() {
        Successor::Position(next) => next.to_string(),
        Successor::Over(outcome) => outcome.to_string(),
    }
}

#[test]
fn every_turn_is_listed_once() {
    assert_eq!(turns(".^."), "o0 o1");
    assert_eq!(turns("o^."), "o1 ^0");
    assert_eq!(turns(".oo^oo.o"), "o0 o5 ^4 ^5 ^2 ^1");
}

#[test]
fn the_arrow_removes_what_it_passes_and_the_ends_win() {
    assert_eq!(after(".oo^oo.o", Turn::Move(4)), ".oo.^o.o R");
    assert_eq!(after(".oo^oo.o", Turn::Move(1)), ".^..oo.o R");
    assert_eq!(after(".^.o R", Turn::Place(0)), "o^.o");
    assert_eq!(after(".^oo", Turn::Move(3)), "win");
    assert_eq!(after("o^oo", Turn::Move(0)), "loss");
    assert_eq!(after("o^oo R", Turn::Move(0)), "win");
    let position: Oddish = ".^oo".parse().unwrap();
    assert_eq!(position.play(Turn::Move(0)), None);
    assert_eq!(position.play(Turn::Place(1)), None);
}

#[test]
fn index_and_position_are_inverse_on_every_position_up_to_11_squares() {
    for squares in MIN_SQUARES..=11 {
        let game = OddishGame::new(squares).unwrap();
        assert_eq!(game.positions(), (squares as u64 - 1) << squares);
        for index in 0..game.positions() {
            let position = game.position(index);
            assert_eq!(game.index(&position), index);
            assert_eq!(
                game.index(&position.mirror()),
                index,
                "the mirror is the same game"
            );
            assert_eq!(position.mirror().mirror(), position);
        }
    }
    assert_eq!(OddishGame::new(1), None);
    assert_eq!(OddishGame::new(MAX_INDEXED_SQUARES + 1), None);
}

#[test]
fn boards_after_turns_are_those_of_the_rules() {
    for text in ["..o^o.", "oo^o R", "o.^o.o.o.o", ".^."] {
        let position: Oddish = text.parse().unwrap();
        for turn in position.turns() {
            let written = position.notation_after(turn);
            match position.play(turn).unwrap() {
                Successor::Position(next) => assert_eq!(written, next.to_string()),
                Successor::Over(_) => {
                    assert!(written.trim_end_matches(" R").trim_matches('^').len() < written.len());
                }
            }
        }
    }
}

//! Stones that take back turns, against the reference solver on all boards of a length.

use phutbase_fixtures::prelude::*;
use phutbase_theory::reversible::{Beginning, Laws, answered, turns};

/// Length of the boards that are enumerated.
const LENGTH: usize = 13;

fn left_wins(board: &Strip) -> bool {
    reference_value(board).wdl().winner(board.side()) == Some(Side::Left)
}

/// Plays a turn and a stone of Right's on every board with these first squares. Returns true if Left wins each
/// board before the turn that he wins after the stone, with either player to move; `None` if the
/// stone is on no empty square.
fn takes_back(beginning: Beginning, turn: Turn, stone: usize) -> Option<bool> {
    let mut boards = (0..1u64 << (LENGTH - beginning.squares)).flat_map(|rest| {
        let stones = u64::from(beginning.stones) | rest << beginning.squares;
        let board = |side| Strip::new(LENGTH, beginning.ball, stones, side).unwrap();
        [Side::Left, Side::Right].map(board)
    });
    let keeps = |board: Strip| {
        let After::Position(next) = board.with_side(Side::Left).play(turn).unwrap() else {
            panic!("'{board}' {turn} ends the game");
        };
        match next.with_side(Side::Right).play(Turn::Place(stone)).ok()? {
            After::Position(answered) => {
                Some(!left_wins(&answered.with_side(board.side())) || left_wins(&board))
            }
            After::Over { .. } => None,
        }
    };
    boards.try_fold(true, |all, board| Some(all && keeps(board)?))
}

/// The stones that take back a turn on every board of every length are those that do on all boards of one.
#[test]
fn answers_are_those_of_the_definition() {
    let mut laws = Laws::default();
    for squares in 1..=5 {
        for (beginning, turn) in (0..1 << squares).flat_map(|stones| turns(squares, stones)) {
            let found: BTreeSet<usize> = laws.answers(beginning, turn).collect();
            let is_answer = |&stone: &usize| takes_back(beginning, turn, stone) == Some(true);
            let expected: BTreeSet<usize> = (0..beginning.squares).filter(is_answer).collect();
            assert_eq!(found, expected, "{beginning} {turn}");
        }
    }
}

/// Counts of all turns that are not proper, by another program.
#[test]
fn every_turn_behind_up_to_nine_squares_has_an_answer() {
    let counts = (1..=9).map(|squares| {
        let found = answered(squares, usize::MAX, &Job::default()).unwrap();
        assert_eq!(found.exceptions, 0, "{:?}", found.first);
        found.turns
    });
    assert_eq!(
        counts.collect::<Vec<u64>>(),
        [2, 6, 19, 48, 115, 266, 601, 1336, 2935]
    );
}

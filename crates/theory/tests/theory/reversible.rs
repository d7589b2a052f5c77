//! Stones that take back turns, against the definition, on correct and planted values.

use phutbase_fixtures::prelude::*;
use phutbase_theory::reversible::{Answered, answered};

fn found(table: &StripTable, length: usize, squares: usize) -> Answered {
    answered(&table.sets(length).unwrap(), squares, usize::MAX, &Job::default()).unwrap()
}

/// Returns the turns that are not proper and legal on all boards with some first squares, and those
/// of them that no stone takes back, as text.
fn by_definition(length: usize, squares: usize, wins: &dyn Fn(&Strip) -> bool) -> (u64, BTreeSet<String>) {
    // The first squares, and the ball and stones after a turn and an answer.
    let mut turns: BTreeMap<(usize, u64, String), Vec<(usize, u64)>> = BTreeMap::new();
    let left_half = (1u64 << squares) - 1;
    for half in 0..=left_half {
        let empty = |stones: u64, ball: usize, to: usize| {
            let free = move |&square: &usize| square != ball && stones >> square & 1 == 0;
            (0..to).filter(free).collect::<Vec<usize>>()
        };
        let mut add = |known: usize, before: u64, turn: Turn, ball: usize, after: u64, to: usize| {
            let answers = empty(after, ball, to)
                .into_iter()
                .map(|square| (ball, after | 1 << square));
            turns.insert((known, before, turn.to_string()), answers.collect());
        };
        for square in empty(half, squares, squares) {
            let after = half | 1 << square;
            if after != left_half {
                add(squares + 1, half, Turn::Place(square), squares, after, squares);
            }
        }
        if squares >= 3 && half >> (squares - 2) == 2 {
            let after = half & !(1 << (squares - 1));
            add(
                squares + 1,
                half,
                Turn::Jump(squares - 2),
                squares - 2,
                after,
                squares + 1,
            );
        }
        let before = half | 1 << (squares + 1);
        add(
            squares + 3,
            before,
            Turn::Jump(squares + 2),
            squares + 2,
            half,
            squares + 3,
        );
    }
    let count = turns.len() as u64;
    let takes_back = |known: usize, before: u64, ball: usize, after: u64| {
        (0..1u64 << (length - known)).all(|rest| {
            [Side::Left, Side::Right].into_iter().all(|side| {
                let board =
                    |ball, stones: u64| Strip::new(length, ball, stones | rest << known, side).unwrap();
                !wins(&board(ball, after)) || wins(&board(squares, before))
            })
        })
    };
    let unanswered = turns.into_iter().filter(|((known, before, _), answers)| {
        !answers
            .iter()
            .any(|&(ball, after)| takes_back(*known, *before, ball, after))
    });
    let texts = unanswered.map(|((known, before, turn), _)| {
        let squares = (0..known).map(|square| match before >> square & 1 {
            _ if square == squares => '@',
            1 => 'o',
            _ => '.',
        });
        format!("{} {turn}", squares.collect::<String>())
    });
    (count, texts.collect())
}

fn agrees(table: &StripTable, length: usize, squares: usize, wins: &dyn Fn(&Strip) -> bool) -> u64 {
    let found = found(table, length, squares);
    let texts = (found.first.iter()).map(|(known, turn)| format!("{known} {turn}"));
    let expected = by_definition(length, squares, wins);
    assert_eq!(
        (found.turns, texts.collect()),
        expected,
        "{length} squares, {squares} behind the ball"
    );
    assert_eq!(found.exceptions, expected.1.len() as u64);
    found.exceptions
}

#[test]
fn every_turn_is_taken_back_as_by_the_definition() {
    let table = table(10, Metric::Wdl);
    let wins = |board: &Strip| reference_value(board).wdl().winner(board.side()) == Some(Side::Left);
    for length in 5..=10 {
        for squares in 1..=length - 4 {
            assert_eq!(agrees(&table, length, squares, &wins), 0);
        }
    }
}

/// One wrong value at a time: the exceptions are those that the planted values have.
#[test]
fn planted_errors_are_turns_without_an_answer() {
    let mut contradicted = 0;
    plant(8, 5, |planes, metric, _| {
        if metric == Metric::Wdl {
            let wins = |board: &Strip| *planes.clone().left_wins(board) != 0;
            for squares in 1..=4 {
                contradicted += agrees(&planes.table(metric), 8, squares, &wins);
            }
        }
    });
    assert!(contradicted > 3, "{contradicted}");
}

#[test]
fn half_strips_of_up_to_nine_squares_have_an_answer_on_64_squares() {
    let table = shipped("strip-64-wdl.phut");
    let turns = (1..=9).map(|squares| {
        let found = found(&table, 64, squares);
        assert_eq!(found.exceptions, 0, "{:?}", found.first);
        found.turns
    });
    assert!(turns.sum::<u64>() > 2000);
}

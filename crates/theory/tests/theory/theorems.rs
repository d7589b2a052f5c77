//! Lemma 1 and Theorem Z (docs/PROOF.md), which hold for every length, on every position of short strips.

use phutbase_fixtures::prelude::*;
use phutbase_testing::boards::{both_sides_under, positions_under};

/// Returns the board without its last square; `None` if the ball would then be on the last square.
fn without_last(board: &Strip) -> Option<Strip> {
    let length = board.length() - 1;
    let stones = board.stones() & !(1 << length);
    Some(Strip::new(length, board.ball(), stones, board.side())?.under(board.rules()))
}

/// Returns the board without its first square; `None` if the ball would then be on the first
/// square.
fn without_first(board: &Strip) -> Option<Strip> {
    let shorter = Strip::new(
        board.length() - 1,
        board.ball() - 1,
        board.stones() >> 1,
        board.side(),
    )?;
    Some(shorter.under(board.rules()))
}

fn has_stone(board: &Strip, square: usize) -> bool {
    board.stones() >> square & 1 == 1
}

/// Lemma 1 on every position of 4 to 12 squares: value, depth and the number of backward turns
/// needed stay the same when a stone on an end is removed with its square; at both ends, for either
/// player to move, under both sets of rules.
#[test]
fn a_stone_on_an_end_changes_nothing() {
    for rules in Rules::ALL {
        let mut shorter_levels = levels(3, rules);
        for length in 4..=12 {
            let own_levels = levels(length, rules);
            let mut compared = [0; 2];
            for board in both_sides_under(rules, length) {
                let value = reference_value(&board);
                let ends = [(length - 1, without_last(&board)), (0, without_first(&board))];
                for (end, (square, shorter)) in ends.into_iter().enumerate() {
                    if let Some(shorter) = shorter.filter(|_| has_stone(&board, square)) {
                        assert_eq!(value, reference_value(&shorter), "'{board}', '{shorter}'");
                        let turns = needed(&own_levels, &board);
                        assert_eq!(turns, needed(&shorter_levels, &shorter), "'{board}', '{shorter}'");
                        assert_eq!(turns.is_some(), for_left(&board) == 1, "'{board}'");
                        compared[end] += 1;
                    }
                }
            }
            let expected = (length - 3) << (length - 1);
            assert_eq!(compared, [expected; 2], "{length} squares, {rules}");
            shorter_levels = own_levels;
        }
    }
}

/// Returns 1 for a win of Left, 0 for a draw, −1 for a loss.
fn for_left(board: &Strip) -> i32 {
    match reference_value(board).wdl().winner(board.side()) {
        Some(Side::Left) => 1,
        Some(Side::Right) => -1,
        None => 0,
    }
}

/// Theorem Z on every board of 3 to 12 squares.
#[test]
fn having_the_move_never_hurts() {
    for rules in Rules::ALL {
        for board in (3..=12).flat_map(|length| positions_under(rules, length)) {
            let waiting = board.with_side(Side::Right);
            assert!(for_left(&board) >= for_left(&waiting), "'{board}'");
        }
    }
}

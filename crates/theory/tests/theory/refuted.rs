//! Refuted claims of docs/THEORY.md that no verb checks, by the boards that show it. The winners are those of
//! the tables, and of the solution.

use phutbase_fixtures::prelude::*;

/// Asserts the winner of a board with Left to move, by a table and by the solution.
fn won_by(winner: Side, board: &str) {
    let board = strip(board);
    let table = shipped("strip-144-wdl.phut");
    let wdl = table.verdict(&board).unwrap().wdl;
    assert_eq!(wdl.winner(Side::Left), Some(winner), "{board}");
    assert_eq!(phutbase_solution::winner(&board), winner, "{board}");
}

/// The chain property, and with it an exact potential κ ≤ λ for all strips (Proposition 7): each of two left
/// halves wins against one of two right halves and loses against the other.
#[test]
fn two_halves_of_66_squares_cross() {
    let left = [
        "....................o.oo.oo.oo.oo",
        "..o.................oo.o.oo.oo.o.",
    ];
    let right = [
        "o.oo.oo.o.oo....................",
        "......o...o...o...o...o...o...o.",
    ];
    for (one, left) in left.into_iter().enumerate() {
        for (other, right) in right.into_iter().enumerate() {
            let winner = if one == other { Side::Left } else { Side::Right };
            won_by(winner, &format!("{left}@{right}"));
        }
    }
}

/// One number for each half strip, κ = λ: with p of the mover's half at most that of the other, p(oo.o........) <
/// p(...) ≤ p(.oooo....) ≤ p(oo.o........).
#[test]
fn three_halves_need_two_numbers() {
    let duel = |own: &str, other: &str| format!("{}@{own}", other.chars().rev().collect::<String>());
    won_by(Side::Right, &duel("...", "oo.o........"));
    won_by(Side::Left, &duel("...", ".oooo...."));
    won_by(Side::Left, &duel(".oooo....", "oo.o........"));
}

/// Returns the winning turns of Left's on a board, by the reference rules and the solution.
fn winning_turns(board: &Strip) -> impl Iterator<Item = Turn> {
    let wins = move |turn: &Turn| match board.play(*turn).unwrap() {
        After::Over { winner, .. } => winner == Side::Left,
        After::Position(next) => phutbase_solution::winner(&next) == Side::Left,
    };
    board.turns().into_iter().filter(wins)
}

/// Law N with jumps forward of at least four squares only, and backward of at least six squares only: every
/// winning proper turn of these boards is a shorter jump.
#[test]
fn short_jumps_are_needed() {
    for (board, squares) in [
        ("o@oo..", 3),
        ("........o.oo@.oooo....", 5),
        ("........oo.o@.oooo....", 5),
        ("........oooo@.oooo....", 5),
    ] {
        won_by(Side::Left, board);
        let board = strip(board);
        let proper: Vec<Turn> = winning_turns(&board)
            .filter(|&turn| turn.is_proper(&board))
            .collect();
        assert!(!proper.is_empty(), "{board}");
        for turn in proper {
            let Turn::Jump(to) = turn else {
                panic!("'{board}' {turn} is no jump");
            };
            assert_eq!(to.abs_diff(board.ball()), squares, "'{board}' {turn}");
        }
    }
}

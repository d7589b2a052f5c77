//! Boards that need many backward turns, and the laws that would make a family of them
//! (docs/THEORY.md, Conjecture 2).

use phutbase_fixtures::prelude::*;
use phutbase_sets::{Diagram, View};
use phutbase_tables::StripSets;

const U: &str = "oooo.oo.oo..o....";

fn empty(squares: usize) -> String {
    ".".repeat(squares)
}

/// `B_k`, Left to move.
fn board_b(k: usize) -> Strip {
    strip(&format!("{}{}oooo@.oooo....", empty(8 * k), U.repeat(k - 1)))
}

/// `D_k`, Right to move: the ball stands on the last square of the last U, or of the empty squares.
fn board_d(k: usize) -> Strip {
    let left = empty(16 + 8 * k) + &U.repeat(k);
    strip(&format!("{}@{} R", &left[..left.len() - 1], empty(14)))
}

/// Left wins the boards of both families on up to 144 squares. Those on up to 64 squares need k
/// backward turns.
#[test]
fn boards_of_the_families_need_their_number_of_turns() {
    let (winners, levels) = (shipped("strip-144-wdl.phut"), shipped("strip-64-levels.phut"));
    let boards = (1..=5).map(|k| (k, board_b(k)));
    for (k, board) in boards.chain((0..=4).map(|k| (k, board_d(k)))) {
        let expected = if board.side() == Side::Left {
            Wdl::Win
        } else {
            Wdl::Loss
        };
        assert_eq!(winners.verdict(&board).unwrap().wdl, expected, "{board}");
        if board.length() <= 64 {
            let sets = levels.sets(board.length()).unwrap();
            let has = |level: usize| contains(&sets, sets.level(level)[board.side() as usize], &board);
            assert!(has(k) && (k == 0 || !has(k - 1)), "{board}");
        }
    }
    let lengths = [board_b(5), board_d(4)].map(|board| board.length());
    assert_eq!(lengths, [122, 130]);
}

/// Returns the part of a set behind a word at the left end.
fn behind(sets: &StripSets, set: u32, word: &str) -> u32 {
    word.chars().fold(set, |set, symbol| match sets.view(set) {
        View::Ternary(_, [empty, stone, _]) => {
            if symbol == 'o' {
                stone
            } else {
                empty
            }
        }
        View::Bottom => set,
        _ => panic!("behind the ball"),
    })
}

/// Returns the word of `a` empty squares behind stones, which change nothing (Lemma 1), and that of
/// a + 8 empty squares and U, with as many squares.
fn words(a: usize) -> [String; 2] {
    ["o".repeat(25) + &empty(a), empty(a + 8) + U]
}

/// `.a z` and `.a+8 U z` have the same winners for every z, on the left of the ball and with the
/// ball, and all that follows: a set has one diagram, so the parts behind the words are the same.
#[test]
fn the_replacement_keeps_the_winner() {
    let table = shipped("strip-144-wdl.phut");
    let sets = table.sets(144).unwrap();
    for a in [4, 6, 8, 14, 16, 24, 32, 40] {
        for side in [Side::Left, Side::Right] {
            let [short, long] = words(a).map(|word| behind(&sets, sets.won_by_left(side), &word));
            assert_eq!(short, long, "{a} empty squares, {side} to move");
            assert_ne!(short, 0);
        }
    }
    let [short, long] = words(2).map(|word| behind(&sets, sets.won_by_left(Side::Left), &word));
    assert_ne!(short, long, "two empty squares are too few");
}

/// The longer word does not need one backward turn more on every board.
#[test]
fn the_replacement_is_no_law_of_levels() {
    let sets = shipped("strip-64-levels.phut").sets(64).unwrap();
    let [short, long] = words(8);
    let part = |level: usize, word: &str| behind(&sets, sets.level(level)[0], word);
    assert_ne!(part(0, &short), part(1, &long));
}

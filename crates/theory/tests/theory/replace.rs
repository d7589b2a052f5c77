//! Laws of replacement for every length, against the reference solver on every short board.

use phutbase_fixtures::prelude::*;
use phutbase_solution::half::HalfState;
use phutbase_theory::outside::Outside;
use phutbase_theory::replace::{Exception, LawStatus, Replacement};

/// Longest boards on which the reference solver looks for exceptions.
const LONGEST: usize = 14;

/// Laws of docs/THEORY.md, the mirror image of one, and others at the left end.
const LAWS: [[&str; 2]; 17] = [
    ["o@", ".@"],
    ["o.@", "..@"],
    ["o..@", "...@"],
    [".o...@", ".....@"],
    [".o@", "@o."],
    ["o@..", "..o@"],
    ["oo@", "@oo"],
    ["@.o.", "...@"],
    ["@.oo.", "....@"],
    ["@.oooo.", "......@"],
    ["@.", "@o"],
    ["@", "@"],
    ["|o@", "|.@"],
    ["|o.o", "|..."],
    ["|....", "|............oooo.oo.oo..o...."],
    ["|oo", "|"],
    ["|", "|oo"],
];

/// Words that lose wins, and the squares of the shortest boards with Left and with Right to move that
/// show it where they are too long to enumerate, as tables of winners had them.
const FALSE_LAWS: [([&str; 2], [Option<usize>; 2]); 12] = [
    (["o@.", ".o@"], [None; 2]),
    ([".@", "@."], [None; 2]),
    (["@.", ".@"], [None; 2]),
    (["@o", "@."], [None; 2]),
    (["@...", "o.o@"], [None; 2]),
    (["o@.o.", ".o@.o"], [None, Some(15)]),
    (["@.ooo.", ".....@"], [Some(22), Some(22)]),
    (["|.", "|o"], [None; 2]),
    (["|.o@o", "|o@o."], [None; 2]),
    (["|..o.", "|oooo"], [None; 2]),
    (["|...@", "|o@o."], [None; 2]),
    (["|o.", "|"], [None; 2]),
];

fn answer([pattern, replacement]: [&str; 2]) -> LawStatus {
    Replacement::parse(pattern, replacement).unwrap().answer()
}

/// Returns the board with the second word in the place of the first; `None` if the first is not
/// there, or if the result is no board.
fn replaced(board: &Strip, [pattern, replacement]: [&str; 2]) -> Option<Strip> {
    let squares = board.with_side(Side::Left).to_string();
    let text = match (pattern.strip_prefix('|'), replacement.strip_prefix('|')) {
        (Some(before), Some(after)) => format!("{after}{}", squares.strip_prefix(before)?),
        _ => {
            let place = squares.find(pattern)?;
            let rest = &squares[place + pattern.len()..];
            format!("{}{replacement}{rest}", &squares[..place])
        }
    };
    Some(text.parse::<Strip>().ok()?.with_side(board.side()))
}

/// True if Left wins a board: by the reference solver, on longer boards by the solution.
fn left_wins(board: &Strip) -> bool {
    if board.length() <= LONGEST {
        reference_value(board).wdl().winner(board.side()) == Some(Side::Left)
    } else {
        phutbase_solution::winner(board) == Side::Left
    }
}

/// Lists the boards of a length with a player to move that Left wins and loses with the other word.
fn lost(length: usize, words: [&str; 2], side: Side) -> impl Iterator<Item = Strip> {
    let boards = positions(length).map(move |board| board.with_side(side));
    boards.filter(move |board| {
        replaced(board, words).is_some_and(|other| left_wins(board) && !left_wins(&other))
    })
}

#[test]
fn laws_that_hold_have_no_exception_on_any_short_board() {
    for words in LAWS {
        assert_eq!(answer(words), LawStatus::Holds, "{words:?}");
        for length in 3..=LONGEST {
            for side in [Side::Left, Side::Right] {
                assert_eq!(lost(length, words, side).next(), None, "{words:?}");
            }
        }
    }
}

#[test]
fn false_laws_are_refuted_by_shortest_boards() {
    for (words, longer) in FALSE_LAWS {
        let LawStatus::Fails(found) = answer(words) else {
            panic!("{words:?} are not refuted");
        };
        for ((found, side), longer) in found.into_iter().zip([Side::Left, Side::Right]).zip(longer) {
            let is_lost = |&length: &usize| lost(length, words, side).next().is_some();
            let shortest = (3..=LONGEST).find(is_lost).or(longer);
            let Some(Exception { won, lost: other }) = found else {
                assert_eq!(shortest, None, "{words:?}, {side}");
                continue;
            };
            let won = won.to_strip().unwrap();
            assert_eq!(won.side(), side);
            assert_eq!(replaced(&won, words), other.to_strip(), "{words:?}");
            assert!(left_wins(&won) && !left_wins(&other.to_strip().unwrap()), "{won}");
            assert_eq!(shortest, Some(won.length()), "{words:?}, {side}");
        }
    }
}

/// The boards of docs/THEORY.md, which a search in tables of winners found first.
#[test]
fn first_boards_are_those_of_the_page() {
    let first = |words| match answer(words) {
        LawStatus::Fails([Some(exception), _]) => exception.won.to_string(),
        answer => panic!("{answer:?}"),
    };
    assert_eq!(first(["o@.", ".o@"]), "....ooooo@..");
    assert_eq!(first(["@.ooo.", ".....@"]), "....oooo.@.ooo........");
}

/// Every pair of words of up to two squares beside the ball, behind states with K up to the bound and up
/// to a greater one.
#[test]
fn states_with_greater_numbers_have_the_same_shapes() {
    let words: Vec<Vec<bool>> = (0..3usize)
        .flat_map(|squares| (0..1usize << squares).map(move |bits| (squares, bits)))
        .map(|(squares, bits)| (0..squares).map(|at| bits >> at & 1 == 1).collect())
        .collect();
    let [near, far] = [Outside::of_words(2), Outside::up_to(40)];
    let opposite = near.pairs([&[]; 2]);
    for one in &words {
        for other in &words {
            let [near, far] = [&near, &far].map(|outside| outside.pairs([one, other]));
            assert_eq!(
                near.shapes().collect::<Vec<_>>(),
                far.shapes().collect::<Vec<_>>()
            );
            for side in [Side::Left, Side::Right] {
                assert_eq!(near.lost(&opposite, side), far.lost(&opposite, side));
            }
        }
    }
}

/// The bound of K in `outside` grows by as much for each square of a word.
#[test]
fn a_square_changes_the_number_by_at_most_four() {
    for empty in 0..64 {
        for bits in 0..1u32 << 12 {
            let mut half = HalfState::EMPTY.empty_squares(empty);
            for square in 0..12 {
                let next = half.step(bits >> square & 1 == 1);
                assert!(half.name().number.abs_diff(next.name().number) <= 4, "{half:?}");
                half = next;
            }
        }
    }
}

#[test]
fn words_that_are_no_law_are_refused() {
    for words in [
        ["ox", "o@"],
        ["o@", "@@"],
        ["|o", ".@"],
        [".o", "o."],
        ["|.o", "|o@"],
        ["|@o", "|o@"],
        ["@.............", "@"],
    ] {
        assert!(Replacement::parse(words[0], words[1]).is_err(), "{words:?}");
    }
}

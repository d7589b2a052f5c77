//! Local comparisons against the definition, board by board, on correct and planted values.

use crate::prelude::*;
use phutbase_base::count::Count;
use phutbase_theory::replace::{Compared, Replacement, compare};

/// Laws of docs/THEORY.md, and the mirror image of one.
const LAWS: [[&str; 2]; 10] = [
    ["o@", ".@"],
    ["o.@", "..@"],
    ["o..@", "...@"],
    [".o...@", ".....@"],
    [".o@", "@o."],
    ["o@..", "..o@"],
    ["oo@", "@oo"],
    ["|o@", "|.@"],
    ["@.o.", "...@"],
    ["@.oo.", "....@"],
];

/// Words that may lose wins: the ball moves either way, stones come and go, in front and behind.
const OTHERS: [[&str; 2]; 13] = [
    ["o@.", ".o@"],
    [".@", "@."],
    ["@.", ".@"],
    ["@", "@"],
    ["@o", "@."],
    ["@.", "@o"],
    ["@...", "o.o@"],
    ["o@.o.", ".o@.o"],
    ["|.", "|o"],
    ["|o.o", "|..."],
    ["|..o.", "|oooo"],
    ["|.o@o", "|@o.o"],
    ["|...@", "|o@o."],
];

fn parse([pattern, replacement]: [&str; 2]) -> Replacement {
    Replacement::parse(pattern, replacement).unwrap()
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

fn by_definition(length: usize, words: [&str; 2], side: Side, wins: &dyn Fn(&Strip) -> bool) -> Compared {
    let boards = positions(length).map(|board| board.with_side(side));
    let mut won = 0;
    let mut first: Vec<Strip> = boards
        .filter(|board| match replaced(board, words) {
            Some(other) if wins(board) => {
                won += 1;
                !wins(&other)
            }
            _ => false,
        })
        .collect();
    // In the order of notation, '.' before 'o' before '@'.
    first.sort_by_key(|board| board.to_string().replace('@', "~"));
    Compared {
        wins: Count(BigUint::from(won as u32)),
        exceptions: Count(first.len().into()),
        first,
    }
}

/// Compares all boards of a length, and returns the number of exceptions.
fn agrees(table: &StripTable, length: usize, words: [&str; 2], wins: &dyn Fn(&Strip) -> bool) -> usize {
    let sets = table.sets(length).unwrap();
    let mut count = 0;
    for side in [Side::Left, Side::Right] {
        let expected = by_definition(length, words, side, wins);
        let found = |limit| compare(&sets, &parse(words), side, limit).unwrap();
        assert_eq!(found(usize::MAX), expected, "{length} squares, {words:?}, {side}");
        let some = &expected.first[..expected.first.len().min(2)];
        assert_eq!(found(2).first, some, "{length} squares, {words:?}, {side}");
        count += expected.first.len();
    }
    count
}

fn is_won_by_reference(board: &Strip) -> bool {
    reference_value(board).wdl().winner(board.side()) == Some(Side::Left)
}

/// The values of the reference solver, on every board of 3 to 10 squares.
#[test]
fn exceptions_are_those_of_the_definition() {
    for metric in METRICS {
        let table = table(10, metric);
        let total = |words| -> usize {
            (3..=10)
                .map(|length| agrees(&table, length, words, &is_won_by_reference))
                .sum()
        };
        assert_eq!(LAWS.map(total), [0; 10], "{metric}");
        let others = OTHERS.map(total);
        assert!(
            others.iter().filter(|&&count| count > 0).count() > 4,
            "{metric}: {others:?}"
        );
        assert_eq!(others[3], 0, "nothing is replaced");
    }
}

/// One wrong value at a time: the exceptions are those that the planted values have.
#[test]
fn planted_errors_are_exceptions() {
    let mut contradicted = [0; 3];
    plant(7, 13, |planes, metric, _| {
        let table = planes.table(metric);
        let wins = |board: &Strip| *planes.clone().left_wins(&board.followed_by_stones(7)) != 0;
        for words in [LAWS[0], LAWS[4], OTHERS[0], OTHERS[8], OTHERS[11]] {
            let count = (4..=7).map(|length| agrees(&table, length, words, &wins));
            let count: usize = count.sum();
            contradicted[metric as usize] += usize::from(words == LAWS[0] && count > 0);
        }
    });
    assert!(contradicted.iter().all(|&count| count > 3), "{contradicted:?}");
}

/// The laws hold on every board of the lengths of the shipped tables with room for a test.
#[test]
fn laws_hold_on_longer_strips() {
    let table = shipped("strip-64-wdl.phut");
    for length in [24, 40, 64] {
        let sets = table.sets(length).unwrap();
        for words in LAWS {
            for side in [Side::Left, Side::Right] {
                let found = compare(&sets, &parse(words), side, 1).unwrap();
                assert_eq!(found.exceptions.0, BigUint::ZERO, "{length} squares, {words:?}");
                // With the ball on square 1 Right, to move, always wins.
                let is_won = side == Side::Left || !words[0].starts_with("|o@");
                assert_eq!(
                    found.wins.0 > BigUint::ZERO,
                    is_won,
                    "{length} squares, {words:?}"
                );
            }
        }
    }
}

/// The board at which a false law fails first, by the reference solver.
#[test]
fn a_false_law_is_refuted_by_its_first_board() {
    for words in [["o@.", ".o@"], [".@", "@."]] {
        let exceptions = |length| {
            [Side::Left, Side::Right].map(|side| by_definition(length, words, side, &is_won_by_reference))
        };
        let fails = |length: &usize| exceptions(*length).iter().any(|found| !found.first.is_empty());
        let length = (3..=12).find(fails).unwrap();
        let [left, right] = exceptions(length);
        let run = run(&format!(
            "theory replace {} {} 3..{length} --limit 1",
            words[0], words[1]
        ));
        run.fails(1, &[&format!("it fails at {length} squares")]);
        let mut expected = format!(
            "length {length:>3}: wins that are lost: {} of {} with Left to move, {} of {} with Right\n",
            left.exceptions.0, left.wins.0, right.exceptions.0, right.wins.0
        );
        for board in left.first.iter().take(1).chain(right.first.iter().take(1)) {
            expected += &format!("  {board}\n");
        }
        assert!(run.stdout.ends_with(&expected), "{}", run.stdout);
        assert_eq!(
            run.stdout.matches("lost: 0 of").count(),
            length - 3,
            "{}",
            run.stdout
        );
    }
}

#[test]
fn the_command_answers_for_each_length() {
    let lines = lines("theory replace o@ .@ 34..36");
    assert_eq!(lines.len(), 3);
    for line in &lines {
        assert_eq!(line["holds"], true);
        assert_eq!(
            (&line["pattern"], &line["replacement"]),
            (&json!("o@"), &json!(".@"))
        );
        for side in ["left_to_move", "right_to_move"] {
            assert_eq!(
                (&line[side]["exceptions"], &line[side]["examples"]),
                (&json!(0), &json!([]))
            );
        }
    }
}

//! Law N against the definition, board by board, on correct and planted values.

use crate::prelude::*;
use phutbase_testing::levels::{is_forward, is_proper};
use phutbase_theory::proper::{Exceptions, exceptions};
use phutbase_verify::inclusion::turns::TurnKind;

/// Some kinds of turns, and the rule for a turn of Left's to be of one of them.
type Kinds = (&'static [TurnKind], fn(&Strip, Turn) -> bool);

/// Proper turns, and fewer turns that do not suffice.
const KINDS: [Kinds; 4] = [
    (&TurnKind::PROPER, is_proper),
    (&[TurnKind::PlaceRight, TurnKind::ProperRight], |board, turn| {
        is_proper(board, turn) && is_forward(board, turn)
    }),
    (
        &[TurnKind::PlaceRight, TurnKind::RightOf4, TurnKind::LeftOf4],
        |board, turn| is_proper(board, turn) && moves_far(board, turn),
    ),
    (&[TurnKind::PlaceRight], |board, turn| {
        matches!(turn, Turn::Place(_)) && is_forward(board, turn)
    }),
];

/// Returns whether a turn wins, places a stone, or moves the ball by at least four squares.
fn moves_far(board: &Strip, turn: Turn) -> bool {
    match (turn, board.play(turn).unwrap()) {
        (Turn::Place(_), _) | (_, After::Over { .. }) => true,
        (_, After::Position(next)) => next.ball().abs_diff(board.ball()) >= 4,
    }
}

fn found_in(table: &StripTable, length: usize, kinds: &[TurnKind], limit: usize) -> Exceptions {
    exceptions(&table.sets(length).unwrap(), kinds, limit, &Job::default()).unwrap()
}

/// Lists the boards that Left wins by the given values without a turn of some kind that wins or leads
/// to a board that he wins.
fn by_definition(
    length: usize,
    wins: &dyn Fn(&Strip) -> bool,
    is_of_kind: fn(&Strip, Turn) -> bool,
) -> Vec<Strip> {
    let suffices = |board: &Strip, turn: Turn| {
        is_of_kind(board, turn)
            && match board.play(turn).unwrap() {
                After::Position(next) => wins(&next),
                After::Over { winner, .. } => winner == Side::Left,
            }
    };
    let has_turn = |board: &Strip| board.turns().into_iter().any(|turn| suffices(board, turn));
    let mut boards: Vec<Strip> = positions(length)
        .filter(|board| wins(board) && !has_turn(board))
        .collect();
    // In the order of notation, '.' before 'o' before '@'.
    boards.sort_by_key(|board| board.to_string().replace('@', "~"));
    boards
}

fn agrees(
    table: &StripTable,
    length: usize,
    (kinds, is_of_kind): Kinds,
    wins: &dyn Fn(&Strip) -> bool,
) -> usize {
    let expected = by_definition(length, wins, is_of_kind);
    let found = found_in(table, length, kinds, usize::MAX);
    assert_eq!(found.count, expected.len().into(), "{length} squares, {kinds:?}");
    assert_eq!(found.first, expected, "{length} squares, {kinds:?}");
    for limit in [0, 1] {
        let fewer = found_in(table, length, kinds, limit);
        assert_eq!(fewer.count, found.count);
        assert_eq!(fewer.first, expected[..limit.min(expected.len())]);
    }
    expected.len()
}

/// The values of the reference solver, on every board of 3 to 10 squares.
#[test]
fn exceptions_are_those_of_the_definition() {
    let wins = |board: &Strip| match reference_value(board).wdl().winner(board.side()) {
        Some(winner) => winner == Side::Left,
        None => false,
    };
    for metric in METRICS {
        let table = table(10, metric);
        let mut counts = [0; 4];
        for length in 3..=10 {
            for (count, kinds) in counts.iter_mut().zip(KINDS) {
                *count += agrees(&table, length, kinds, &wins);
            }
        }
        // The first win that needs a backward jump is on 22 squares.
        assert!(
            counts[..2] == [0, 0] && counts[3] > counts[2],
            "{metric}: {counts:?}"
        );
    }
}

/// One wrong value at a time: the exceptions are those that the planted values have.
#[test]
fn planted_errors_are_exceptions() {
    let mut contradicted = [0; 3];
    plant(8, 11, |planes, metric, changed| {
        let table = planes.table(metric);
        for length in 4..=8 {
            let wins = |board: &Strip| *planes.clone().left_wins(&board.followed_by_stones(8)) != 0;
            let count = agrees(&table, length, KINDS[0], &wins);
            contradicted[metric as usize] += usize::from(count > 0);
            // Removed wins and changed depths of other boards leave the law as it is.
            assert!(count < 40, "'{changed}', {metric}: {count}");
        }
    });
    assert!(contradicted.iter().all(|&count| count > 10), "{contradicted:?}");
}

/// Backward jumps of at least five squares are enough at 24 squares; six are not from 22 on, and
/// forward jumps of at least four are not.
#[test]
fn longer_jumps_are_not_enough() {
    let lines = lines("theory proper 24 --backward 5");
    let line = &lines[0];
    assert_eq!((&line["holds"], &line["backward"]), (&json!(true), &json!(5)));
    for (length, option) in [(22, "--backward 6"), (24, "--backward 6"), (24, "--forward 4")] {
        let run = run(&format!("theory proper {length} {option} --limit 1 --json"));
        run.fails(1, &[&format!("it fails at {length} squares")]);
        let line = &run.json_lines()[0];
        assert!(
            line["holds"] == false && line["exceptions"].as_u64() > Some(0),
            "{line}"
        );
        // Left wins the board, and only by other turns.
        let board = strip(line["examples"][0].as_str().unwrap());
        let table = shipped("strip-36-dtw.phut");
        let is_won =
            |board: &Strip, side: Side| table.verdict(board).unwrap().wdl.winner(board.side()) == Some(side);
        assert!(is_won(&board, Side::Left), "{board}");
        let [forward, backward] = ["forward", "backward"].map(|name| line[name].as_u64().unwrap() as usize);
        let suffices = |turn: Turn| match board.play(turn).unwrap() {
            After::Over { winner, .. } => winner == Side::Left,
            After::Position(next) => {
                let moved = next.ball().abs_diff(board.ball());
                let least = if next.ball() > board.ball() {
                    forward
                } else {
                    backward
                };
                let counts = match turn {
                    Turn::Place(_) => is_proper(&board, turn),
                    _ => moved >= least,
                };
                counts && is_won(&next, Side::Left)
            }
        };
        assert!(!board.turns().into_iter().any(suffices), "{board}");
    }
    assert_eq!(lines.len(), 1);
}

/// The sets of all tables of one length are the same.
#[test]
fn every_table_answers_alike() {
    for name in ["strip-36-dtw.phut", "strip-64-levels.phut", "strip-64-wdl.phut"] {
        let table = shipped(name);
        let held = found_in(&table, 36, &TurnKind::PROPER, 3);
        assert_eq!(held, Exceptions::default(), "{name}");
        let forward = found_in(&table, 36, &[TurnKind::PlaceRight, TurnKind::ProperRight], 1);
        let other = found_in(&shipped("strip-144-wdl.phut"), 36, KINDS[1].0, 1);
        assert_eq!(forward, other, "{name}");
        assert_eq!(forward.first.len(), 1);
    }
}

#[test]
fn the_search_ends_at_its_limits() {
    let sets = shipped("strip-64-wdl.phut").sets(64).unwrap();
    let ask = |job: &Job| exceptions(&sets, &TurnKind::PROPER, 1, job);
    let stopped = Job::default();
    stopped.stop();
    assert!(matches!(ask(&stopped), Err(TableError::Stopped(_))));
    let cramped = Job::default().with_memory(Some(1 << 16));
    assert!(matches!(ask(&cramped), Err(TableError::Limit { .. })));
}

#[test]
fn the_command_prints_a_line_for_each_length() {
    let run = run("theory proper 34..36").ok();
    assert_eq!(
        run.stdout,
        "length  34: holds\nlength  35: holds\nlength  36: holds\n"
    );
    let tables = Tables::shipped(&["strip-64-wdl.phut", "strip-144-wdl.phut"]);
    let lines = tables.lines("theory proper 64..65");
    for (line, file) in lines.iter().zip(["strip-64-wdl.phut", "strip-144-wdl.phut"]) {
        assert_eq!(line["holds"], true);
        assert_eq!((&line["exceptions"], &line["examples"]), (&json!(0), &json!([])));
        assert!(line["file"].as_str().unwrap().ends_with(file), "{line}");
    }
}

/// A table with a false win.
#[test]
fn an_exception_is_printed_and_fails() {
    let mut planes = Planes::of_reference(8);
    let board = positions(8).find(|board| *planes.left_wins(board) == 0).unwrap();
    *planes.left_wins(&board) = 1;
    planes.take_from_opponent(&board);
    let expected = by_definition(8, &|board| *planes.clone().left_wins(board) != 0, is_proper);
    assert!(expected.contains(&board));
    let tables = Tables::none();
    std::fs::write(tables.path().join("strip-8-wdl.phut"), planes.bytes(Metric::Wdl)).unwrap();
    let run = tables.run("theory proper 8 --limit 1");
    run.fails(1, &["it fails at 8 squares"]);
    let text = format!(
        "length   8: boards that Left wins, but not by a proper turn: {}\n  {}\n",
        expected.len(),
        expected[0]
    );
    assert_eq!(run.stdout, text);
    let run = tables.run("theory proper 8 --limit 0 --json");
    run.fails(1, &["it fails at 8 squares"]);
    let line = &run.json_lines()[0];
    assert_eq!(
        (&line["holds"], &line["exceptions"]),
        (&json!(false), &json!(expected.len()))
    );
    assert_eq!(line["examples"], json!([]));
}

//! `phutbase probe`, compared with the rules and the reference solver.

use crate::prelude::*;
use phutbase_ask::sources::Sources;
use phutbase_fixtures::values::turn_value;

/// Returns the value of a turn for the player who makes it.
fn value_of_turn(strip: &Strip, turn: Turn) -> Value {
    let after = strip.play(turn).unwrap();
    turn_value(&after.successor(strip.side()), reference_value)
}

/// Returns outcome and depth as they are printed.
fn printed(value: Value, depths: bool) -> Json {
    let verdict = Verdict::from(value);
    let depth = verdict.depth.filter(|_| depths);
    json!([verdict.wdl.to_string(), depth.map(|depth| depth.0)])
}

/// Checks every field of an answer from a table with or without depths.
fn check_answer(answer: &Json, strip: &Strip, depths: bool) {
    let value = reference_value(strip);
    let winner = value.wdl().winner(strip.side()).map(|side| side.to_string());
    let expected = json!(["strip", strip.to_string(), strip.side().to_string(), winner]);
    assert_eq!(fields(answer, "game position side winner"), expected);
    assert_eq!(fields(answer, "value depth"), printed(value, depths), "'{strip}'");
    let moves = answer["moves"].as_array().unwrap();
    let turn = |listed: &Json| -> Turn { listed["move"].as_str().unwrap().parse().unwrap() };
    let listed: BTreeSet<Turn> = moves.iter().map(turn).collect();
    assert_eq!(
        (listed.len(), listed),
        (moves.len(), strip.turns().into_iter().collect())
    );
    let values: Vec<Value> = moves
        .iter()
        .map(|listed| value_of_turn(strip, turn(listed)))
        .collect();
    let is_sorted = if depths {
        values[0] == value && values.is_sorted_by(|a, b| a >= b)
    } else {
        values.is_sorted_by(|a, b| a.wdl() >= b.wdl())
    };
    assert!(is_sorted, "'{strip}': {answer}");
    for (listed, value) in moves.iter().zip(values) {
        let after = strip.play(turn(listed)).unwrap();
        assert_eq!(
            listed["position"],
            AnyStrip::from(strip).notation_after(turn(listed))
        );
        // A turn that ends the game has a depth in any table.
        let depths = depths || matches!(after, After::Over { .. });
        assert_eq!(fields(listed, "value depth"), printed(value, depths), "{listed}");
    }
    check_line(answer["line"].as_array().unwrap(), strip, depths);
}

/// Plays a line: every turn is legal and keeps the value, and the last ends the game.
fn check_line(line: &[Json], start: &Strip, depths: bool) {
    let value = reference_value(start);
    assert!(
        !depths || line.len() == usize::from(value.depth().unwrap().0),
        "'{start}'"
    );
    let mut next = Some(*start);
    for listed in line {
        let strip = next.unwrap_or_else(|| panic!("the line of '{start}' continues after the end"));
        let turn: Turn = listed["move"].as_str().unwrap().parse().unwrap();
        let after = strip.play(turn).unwrap();
        assert_eq!(listed["position"], AnyStrip::from(&strip).notation_after(turn));
        let (before, found) = (reference_value(&strip), value_of_turn(&strip, turn));
        assert_eq!(listed["value"], before.wdl().to_string(), "'{strip}'");
        assert!(
            if depths {
                found == before
            } else {
                found.wdl() == before.wdl()
            },
            "{turn} in '{strip}'"
        );
        next = match after {
            After::Position(after) => Some(after),
            After::Over { winner, .. } => {
                assert_eq!(Some(winner), value.wdl().winner(start.side()));
                None
            }
        };
    }
    assert_eq!(next, None, "the line of '{start}' stops before the end");
}

/// The three positions with results in Grossman & Nowakowski, *One-Dimensional Phutball*.
#[test]
fn the_positions_of_the_paper_have_its_results_and_the_reference_depths() {
    let tables = Tables::made("11");
    for (board, winner) in [
        ("o@o.o.o....", "left"),
        ("o@o.ooo....", "right"),
        ("o@o.oo....", "right"),
    ] {
        let mut answer = tables.run_with("probe --json --line", board).json();
        check_answer(&answer, &strip(board), true);
        assert_eq!(answer["winner"], winner, "{board}");
        answer.as_object_mut().unwrap().remove("line");
        assert_eq!(answer, tables.probe(board), "{board}");
    }
    let text = tables.run_with("probe --line", "o@o.o.o....").ok().stdout;
    has(
        &text,
        &[
            "Left wins in 13 plies\n",
            "win in 13",
            "loss in 1\n",
            "\n 13. Left ",
        ],
    );
}

/// The boards of 22 squares that need a backward turn are those of docs/THEORY.md.
#[test]
fn an_answer_with_depths_has_the_backward_turns_of_a_table_of_levels() {
    for (board, turns, words) in [
        ("........o.oo@.oooo....", 1, "the winner needs 1 backward turn\n"),
        ("o@o.o.o....", 0, "the winner needs no backward turn\n"),
    ] {
        let answer = run_with("probe --json", board).json();
        assert!(answer["depth"].is_u64(), "{answer}");
        assert_eq!(answer["backward_turns"], turns, "{board}");
        has(&run_with("probe", board).ok().stdout, &[words]);
    }
    // No table of levels is there.
    let tables = Tables::made("11");
    let answer = tables.run_with("probe --json", "o@o.o.o....").json();
    assert_eq!(answer.get("backward_turns"), None, "{answer}");
}

#[test]
fn every_answer_on_short_strips_is_that_of_the_reference() {
    for metric in METRICS {
        let tables = Tables::made(&format!("8 --metric {metric}"));
        let sources = Sources::new(Tablebase::open(tables.path()).unwrap(), 1 << 20);
        for strip in (3..=7).flat_map(both_sides) {
            let position = strip.to_string().parse().unwrap();
            let answer = sources.probe(&position, true, &Job::default()).unwrap();
            check_answer(
                &serde_json::to_value(answer).unwrap(),
                &strip,
                metric == Metric::Dtw,
            );
        }
    }
}

/// A board that no table holds has no line, for one of two reasons.
#[test]
fn a_missing_line_has_a_reason() {
    let decided = format!("{}@{}", ".".repeat(300), ".".repeat(200));
    let undecided = format!("{}o.oooo..o.@o.oo..o{}", ".".repeat(990), ".".repeat(992));
    for (board, reason) in [
        (decided, "no line: theorems give the winner"),
        (undecided, "no line: the board is undecided"),
    ] {
        has(&run_with("probe --line", &board).ok().stdout, &[reason]);
    }
}

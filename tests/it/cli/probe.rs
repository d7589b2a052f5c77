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
    let moves = answer["turns"].as_array().unwrap();
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
    let ask = |board| tables.run_with("probe --json", board).json();
    assert_eq!(ask("o@o.o.o....").get("backward_turns"), None);
    // Theorem F needs none.
    assert_eq!(ask(".@o..")["backward_turns"], 0);
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

#[test]
fn a_line_of_a_long_strip_is_not_shown() {
    let board = format!("{}@{}", ".".repeat(600), ".".repeat(500));
    let text = run_with("probe --line", &board).ok().stdout;
    has(&text, &["no line: lines are shown on at most 1000 squares"]);
}

/// Both readings of the examples in docs/RULES.md, as they stand there, and the comparison.
#[test]
fn explanations_read_letter_by_letter() {
    let expected = std::fs::read_to_string("tests/data/explanations.txt").unwrap();
    let boards = ["o@o.o.o....", ".................o.oo.oo.oo@...o.oo......"];
    let explained = boards.map(|board| {
        let text = run_with("probe --explain", board).ok().stdout;
        let from = text.find("the left half from its goal line").unwrap();
        text[from..].to_string()
    });
    assert_eq!(explained.join("\n"), expected);
    let answer = run_with("probe --explain --json", boards[1]).json();
    let [left, right] = ["left", "right"].map(|half| &answer["explanation"][half]["steps"]);
    assert_eq!(left[27 - 1]["potential"], answer["reason"]["left"]["potential"]);
    assert_eq!(right[0]["names"][0], json!({"name": "I_0 [1]", "rule": null}));
    assert_eq!(
        answer["explanation"]["comparison"],
        json!({"behind": 14, "ahead": 14, "further_case": false})
    );
    run("probe --explain ...@... --rules directional").refuses(2, &["--explain"]);
}

#[test]
fn a_strip_of_any_length_has_a_value_and_a_best_turn() {
    for length in [200, 1_500, 10_001, 100_000] {
        let mut numbers = random_numbers(length as u64);
        let square = |square| match numbers.next().unwrap() % 3 {
            _ if square == length / 2 => '@',
            0 => 'o',
            _ => '.',
        };
        let board: String = (0..length).map(square).collect();
        let strip: AnyStrip = board.parse().unwrap();
        let answer = run_with("probe --json", &board).json();
        assert_eq!(answer["reason"]["by"], "solution");
        let mut legal = Vec::new();
        strip.for_each_turn(|turn| legal.push(turn.to_string()));
        let best = if length <= 10_000 {
            let moves = answer["turns"].as_array().unwrap();
            assert_eq!(moves.len(), legal.len());
            assert!(moves.iter().all(|turn| turn["value"].is_string()));
            assert_eq!(moves[0].get("position").is_some(), length <= 1000);
            assert_eq!(answer.get("turn_counts"), None);
            moves[0]["move"].as_str().unwrap()
        } else {
            let [winning, losing] =
                ["winning", "losing"].map(|how| answer["turn_counts"][how].as_u64().unwrap());
            assert_eq!(winning + losing, legal.len() as u64);
            assert_eq!(winning > 0, answer["value"] == "win");
            assert_eq!(answer.get("turns"), None);
            answer["turn"].as_str().unwrap()
        };
        assert!(legal.iter().any(|turn| turn == best));
        let after = strip.notation_after(best.parse().unwrap());
        let after = Tables::none().run_on("probe --batch -", after.as_bytes()).json();
        assert_eq!(after["winner"], answer["winner"], "{length}");
    }
}

/// A list of all turns would take gigabytes.
#[test]
fn a_long_directional_strip_has_a_turn_that_keeps_the_win() {
    let board = format!("{}@{}", ".".repeat(60_000), ".".repeat(50_000));
    let answer = run_with("probe --json --rules directional", &board).json();
    assert_eq!((&answer["value"], answer.get("turns")), (&json!("win"), None));
    assert!(answer["turn"].as_str().unwrap().starts_with('o'), "{answer}");
    let lost = run_with("probe --json --rules directional", &format!("{board} R")).json();
    assert_eq!((&lost["value"], lost["turn"].is_string()), (&json!("loss"), true));
}

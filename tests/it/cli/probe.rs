//! `phutbase probe`, held against the rules and the reference solver.

use crate::common::cli::Tables;
use crate::common::turn_value;
use phutbase::answer::sources::Sources;
use phutbase::game::Game;
use phutbase::games::strip::{After, Strip, StripGame, Turn};
use phutbase::outcome::{Side, Value, Verdict};
use phutbase::solve::nimbers::NimberLimits;
use phutbase::solve::reference;
use phutbase::table::tablebase::Tablebase;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// What one directory and no other place says of a position, with the best line.
fn alone(tables: &Tables, position: &str) -> Json {
    let sources = Sources::new(Tablebase::open(tables.path()).unwrap(), 1 << 20);
    let answer = sources.probe(&position.parse().unwrap(), true, NimberLimits::default());
    serde_json::to_value(answer.unwrap()).unwrap()
}

/// The reference solver's values for some lengths.
struct Reference(BTreeMap<usize, Vec<Value>>);

impl Reference {
    fn of(lengths: impl IntoIterator<Item = usize>) -> Reference {
        let values = |length| reference::solve(&StripGame::new(length).unwrap());
        Reference(
            lengths
                .into_iter()
                .map(|length| (length, values(length)))
                .collect(),
        )
    }

    fn value(&self, strip: &Strip) -> Value {
        let game = StripGame::new(strip.length()).unwrap();
        self.0[&strip.length()][game.index(strip) as usize]
    }

    /// The value of a turn, for the player who makes it.
    fn turn(&self, strip: &Strip, turn: Turn) -> Value {
        turn_value(&strip.play(turn).unwrap().successor(strip.side()), |next| {
            self.value(next)
        })
    }
}

fn strip(position: &str) -> Strip {
    position.parse().unwrap()
}

/// Every position of a length, with either player to move.
fn all_positions(length: usize) -> Vec<Strip> {
    let game = StripGame::new(length).unwrap();
    let left = (0..game.positions()).map(|index| game.position(index));
    left.flat_map(|strip| [strip, strip.mirror()]).collect()
}

/// What the program should say of a position, without turns.
fn expected(strip: &Strip, value: Value) -> Json {
    let verdict = Verdict::from(value);
    json!({
        "game": "strip",
        "position": strip.to_string(),
        "side": strip.side().to_string(),
        "value": verdict.wdl.to_string(),
        "depth": verdict.depth.map(|depth| depth.0),
        "winner": verdict.wdl.winner(strip.side()).map(|side| side.to_string()),
    })
}

/// A value of the program's answer as the library's type.
fn value_of(turn: &Json) -> Value {
    let depth = u8::try_from(turn["depth"].as_u64().unwrap()).unwrap();
    match turn["value"].as_str().unwrap() {
        // A turn over one's own goal line is a loss in 1, which is not a value of a position.
        "loss" if depth == 1 => Value::Loss(phutbase::outcome::Depth(1)),
        text => {
            let value = Value::from_depth_byte(depth);
            assert_eq!(value.wdl().to_string(), text, "{turn}");
            value
        }
    }
}

/// Checks an answer of `probe --json` in full, and returns the positions after its turns that are not the end.
fn check_answer(answer: &Json, strip: &Strip, reference: &Reference) -> Vec<(String, Json)> {
    let mut answer = answer.clone();
    let moves = answer.as_object_mut().unwrap().remove("moves").unwrap();
    assert_eq!(answer, expected(strip, reference.value(strip)));
    let moves = moves.as_array().unwrap();
    assert_eq!(
        value_of(&moves[0]),
        reference.value(strip),
        "the best turn of '{strip}'"
    );

    let mut legal: Vec<String> = strip.turns().iter().map(Turn::to_string).collect();
    let mut listed: Vec<&str> = moves.iter().map(|turn| turn["move"].as_str().unwrap()).collect();
    legal.sort();
    listed.sort_unstable();
    assert_eq!(listed, legal, "'{strip}'");

    let mut next_positions = Vec::new();
    for pair in moves.windows(2) {
        assert!(
            value_of(&pair[0]) >= value_of(&pair[1]),
            "{} before {}",
            pair[0],
            pair[1]
        );
    }
    for listed in moves {
        let turn: Turn = listed["move"].as_str().unwrap().parse().unwrap();
        let after = strip.play(turn).unwrap();
        let value = Verdict::from(reference.turn(strip, turn));
        let expected = json!({
            "move": turn.to_string(),
            "position": after.notation(strip.side().opponent()),
            "value": value.wdl.to_string(),
            "depth": value.depth.map(|depth| depth.0),
        });
        assert_eq!(listed, &expected, "'{strip}'");
        if let After::Position(next) = after {
            assert_eq!(listed["position"], next.to_string());
            next_positions.push((next.to_string(), listed.clone()));
        }
    }
    next_positions
}

/// The three positions of Grossman & Nowakowski, *One-Dimensional Phutball*, that the paper gives results for.
const PAPER: [(&str, &str); 3] = [
    ("o@o.o.o....", "left"),
    ("o@o.ooo....", "right"),
    ("o@o.oo....", "right"),
];

#[test]
fn the_positions_of_the_paper_have_its_results_and_the_reference_depths() {
    let tables = Tables::made("11");
    let reference = Reference::of([10, 11]);
    for (board, winner) in PAPER {
        let answer = tables.probe(board);
        check_answer(&answer, &strip(board), &reference);
        assert_eq!(answer["winner"], winner, "{board}");
    }
    assert_eq!(tables.probe(PAPER[0].0)["depth"], 13);
}

#[test]
fn every_answer_on_short_strips_is_that_of_the_reference() {
    let tables = Tables::made("8");
    let reference = Reference::of(3..=5);
    for strip in (3..=5).flat_map(all_positions) {
        check_answer(&tables.probe(&strip.to_string()), &strip, &reference);
    }
}

#[test]
fn a_turn_is_worth_what_its_position_is_to_the_opponent_one_ply_later() {
    let tables = Tables::made("11");
    let reference = Reference::of([9, 10, 11]);
    for board in ["o@o.o.o....", "....o.ooo@o R", ".@.o..o..", ".oo.@oo.o. R"] {
        let strip = strip(board);
        let next_positions = check_answer(&tables.probe(board), &strip, &reference);
        assert!(next_positions.len() > 3, "{board}");
        for (position, listed) in next_positions {
            let value = value_of(&tables.probe(&position));
            assert_eq!(value.before(), value_of(&listed), "{board} {listed}");
        }
    }
}

#[test]
fn right_to_move_is_the_mirror_image() {
    let tables = Tables::made("11");
    for (board, winner) in PAPER {
        let mirrored = strip(board).mirror();
        let (here, there) = (tables.probe(board), tables.probe(&mirrored.to_string()));
        assert!(mirrored.to_string().ends_with(" R"));
        assert_eq!(there["side"], "right");
        assert_eq!(there["winner"], if winner == "left" { "right" } else { "left" });
        assert_eq!(
            (&here["value"], &here["depth"]),
            (&there["value"], &there["depth"])
        );
        // Where turns are equally good, their order is another.
        let turns = |answer: &Json, mirror: bool| -> Vec<(String, Value)> {
            let moves = answer["moves"].as_array().unwrap();
            let mut turns: Vec<(String, Value)> = (moves.iter())
                .map(|turn| {
                    let board = turn["position"].as_str().unwrap();
                    let board = board.strip_suffix(" R").unwrap_or(board);
                    let reversed = || board.chars().rev().collect();
                    (
                        if mirror { reversed() } else { board.to_string() },
                        value_of(turn),
                    )
                })
                .collect();
            turns.sort_by(|a, b| a.0.cmp(&b.0));
            turns
        };
        assert_eq!(turns(&here, true), turns(&there, false), "{board}");
    }
}

/// The turn of an answer with this name.
fn listed<'a>(answer: &'a Json, name: &str) -> &'a Json {
    let moves = answer["moves"].as_array().unwrap();
    moves
        .iter()
        .find(|turn| turn["move"] == name)
        .unwrap_or_else(|| panic!("no {name} in {answer}"))
}

#[test]
fn turns_that_end_the_game_take_one_ply_whoever_wins() {
    let tables = Tables::made("5");
    let home =
        |turn: &str, position: &str| json!({"move": turn, "position": position, "value": "win", "depth": 1});
    let own_goal =
        |turn: &str, position: &str| json!({"move": turn, "position": position, "value": "loss", "depth": 1});
    let cases = [
        (".@o", home("@R", "... R")),
        (".@oo", home("@R", ".... R")),
        ("..@o.", home("@4", "....@ R")),
        ("o@. R", home("@L", "...")),
        (".o@.. R", home("@0", "@....")),
        ("o@.", own_goal("@L", "... R")),
        (".o@.o", own_goal("@0", "@...o R")),
        ("o.@o. R", own_goal("@4", "o...@")),
    ];
    for (board, turn) in cases {
        let answer = tables.probe(board);
        assert_eq!(listed(&answer, turn["move"].as_str().unwrap()), &turn, "{board}");
        let place = if turn["value"] == "win" {
            0
        } else {
            answer["moves"].as_array().unwrap().len() - 1
        };
        assert_eq!(answer["moves"][place], turn, "{board}: its rank");
    }
}

/// Plays a line from the start; every turn must be legal, keep the value, and the last must end the game.
fn check_line(line: &[Json], start: &Strip, reference: &Reference) {
    let start_value = reference.value(start);
    assert_eq!(
        line.len(),
        usize::from(start_value.depth().unwrap().0),
        "'{start}'"
    );
    let mut next = Some(*start);
    for listed in line {
        let strip = next.unwrap_or_else(|| panic!("the line of '{start}' goes on after the end"));
        let turn: Turn = listed["move"].as_str().unwrap().parse().unwrap();
        let after = strip.play(turn).unwrap();
        assert_eq!(listed["position"], after.notation(strip.side().opponent()));
        assert_eq!(value_of(listed), reference.value(&strip), "{turn} in '{strip}'");
        assert_eq!(
            value_of(listed),
            reference.turn(&strip, turn),
            "{turn} in '{strip}'"
        );
        next = match after {
            After::Position(after) => Some(after),
            After::Over { winner, .. } => {
                assert_eq!(Some(winner), start_value.wdl().winner(start.side()));
                None
            }
        };
    }
    assert_eq!(next, None, "the line of '{start}' stops before the end");
}

#[test]
fn the_best_line_ends_after_exactly_depth_plies() {
    let tables = Tables::made("11");
    let reference = Reference::of([5, 8, 9, 10, 11]);
    let boards = PAPER.map(|(board, _)| board);
    for board in boards
        .into_iter()
        .chain(["....o.o.o@o R", ".@.o..o..", "..@.o...", "..@o.", ".o@.. R"])
    {
        let answer = tables.run_with("probe --json --line", board).json();
        check_line(answer["line"].as_array().unwrap(), &strip(board), &reference);
        let mut without = answer.clone();
        without.as_object_mut().unwrap().remove("line");
        assert_eq!(without, tables.probe(board), "{board}");
    }
}

#[test]
fn the_text_says_who_wins_when_and_how() {
    let tables = Tables::made("11");
    let text = tables.run_with("probe --line", "o@o.o.o....").ok().stdout;
    assert!(
        text.contains("Left to move, 11 squares\nLeft wins in 13 plies\n"),
        "{text}"
    );
    assert!(!text.contains("no table"), "{text}");
    let (turns, line) = text.split_once("\nbest line:\n").unwrap();
    let turns: Vec<&str> = turns
        .lines()
        .skip_while(|line| !line.starts_with("turn"))
        .skip(1)
        .collect();
    assert_eq!(turns.len(), strip("o@o.o.o....").turns().len());
    assert!(turns[0].ends_with("win in 13"), "{}", turns[0]);
    assert!(
        turns.last().unwrap().ends_with("loss in 1"),
        "the own goal is worst: {turns:?}"
    );
    assert_eq!(line.lines().count(), 13);
    assert!(line.lines().next().unwrap().starts_with("  1. Left "), "{line}");
    assert!(line.lines().last().unwrap().starts_with(" 13. Left "), "{line}");

    let text = tables.run_with("probe", "....o.o.o@o R").ok().stdout;
    assert!(
        text.contains("Right to move, 11 squares\nRight wins in 13 plies\n"),
        "{text}"
    );
    assert!(!text.contains("best line"), "{text}");
    let text = tables.run_with("probe", ".@o").ok().stdout;
    assert!(text.contains("Left wins in 1 ply\n"), "{text}");
}

fn winner_of(answer: &Json) -> Option<String> {
    answer["winner"].as_str().map(str::to_string)
}

#[test]
fn a_directory_with_wdl_tables_only_answers_without_depths() {
    let tables = Tables::made("10 --metric wdl");
    let reference = Reference::of([9]);
    for board in [".@.o..o..", ".@.o..o.. R", "o.o@o.o..", "....@...."] {
        let strip = strip(board);
        let value = reference.value(&strip);
        let answer = alone(&tables, board);
        assert_eq!(answer["value"], value.wdl().to_string(), "{board}");
        let winner = value.wdl().winner(strip.side()).map(|side| side.to_string());
        assert_eq!(answer["winner"], json!(winner));
        assert_eq!(answer["depth"], Json::Null);
        // A winning line: every turn is legal, and the last one wins.
        let mut after = After::Position(strip);
        for listed in answer["line"].as_array().unwrap() {
            let After::Position(here) = after else {
                panic!("'{board}': play goes on when it is over");
            };
            after = here
                .play(listed["move"].as_str().unwrap().parse().unwrap())
                .unwrap();
        }
        let ended =
            matches!(after, After::Over { winner, .. } if Some(winner.to_string()) == winner_of(&answer));
        assert!(ended, "'{board}': {}", answer["line"]);
        let moves = answer["moves"].as_array().unwrap();
        assert_eq!(moves.len(), strip.turns().len());
        for listed in moves {
            let turn: Turn = listed["move"].as_str().unwrap().parse().unwrap();
            let over = matches!(strip.play(turn).unwrap(), After::Over { .. });
            assert_eq!(
                listed["value"],
                reference.turn(&strip, turn).wdl().to_string(),
                "{board} {turn}"
            );
            assert_eq!(
                listed["depth"],
                if over { json!(1) } else { Json::Null },
                "{board} {turn}"
            );
        }
    }
}

#[test]
fn a_line_without_depths_is_called_a_winning_one() {
    let board = format!(".o@{}", ".".repeat(37));
    let text = Tables::none().run_with("probe --line", &board).ok().stdout;
    assert!(text.contains("\nwinning line:\n"), "{text}");
    assert!(text.contains("\nRight wins\n"), "{text}");
    assert!(text.contains("no table with depths"), "{text}");
    assert!(!text.contains("best line"), "{text}");
}

#[test]
fn depths_are_used_where_both_metrics_are_there() {
    let tables = Tables::made("9 --metric wdl");
    assert_eq!(alone(&tables, ".@.o..o..")["depth"], Json::Null);
    tables.run("generate 9").ok();
    let answer = alone(&tables, ".@.o..o..");
    assert_eq!((&answer["value"], &answer["depth"]), (&json!("win"), &json!(15)));
    assert!(
        !tables
            .run_with("probe", ".@.o..o..")
            .ok()
            .stdout
            .contains("no table")
    );
}

#[test]
fn all_symbols_of_the_papers_are_read_and_answered_in_plain_ones() {
    let tables = Tables::made("11");
    let plain = tables.probe("o@o.o.o....");
    for board in ["o@o.o.o.... L", "O●◇·o·O····", "  o@o.o.o....  L "] {
        assert_eq!(tables.probe(board), plain, "{board}");
    }
    assert_eq!(plain["side"], Side::Left.to_string());
}

//! `phutbase probe`, held against the rules and the reference solver.

use crate::common::cli::{Tables, fields};
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

/// A value as the program prints it: the outcome and the depth.
fn printed(value: Value) -> Json {
    let verdict = Verdict::from(value);
    json!([verdict.wdl.to_string(), verdict.depth.map(|depth| depth.0)])
}

/// The turns of an answer, and their objects.
fn turns(answer: &Json) -> Vec<(Turn, &Json)> {
    let moves = answer["moves"].as_array().unwrap().iter();
    moves
        .map(|listed| (listed["move"].as_str().unwrap().parse().unwrap(), listed))
        .collect()
}

/// Checks an answer of `probe --json` in full, and returns the positions after its turns that are not the end.
fn check_answer(answer: &Json, strip: &Strip, reference: &Reference) -> Vec<Strip> {
    let value = reference.value(strip);
    let winner = value.wdl().winner(strip.side()).map(|side| side.to_string());
    let expected = json!(["strip", strip.to_string(), strip.side().to_string(), winner]);
    assert_eq!(fields(answer, "game position side winner"), expected);
    assert_eq!(fields(answer, "value depth"), printed(value), "'{strip}'");

    let turns = turns(answer);
    let mut legal: Vec<String> = strip.turns().iter().map(Turn::to_string).collect();
    let mut listed: Vec<String> = turns.iter().map(|(turn, _)| turn.to_string()).collect();
    legal.sort_unstable();
    listed.sort_unstable();
    assert_eq!(listed, legal, "'{strip}'");

    let values: Vec<Value> = turns
        .iter()
        .map(|&(turn, _)| reference.turn(strip, turn))
        .collect();
    assert!(
        values[0] == value && values.is_sorted_by(|a, b| a >= b),
        "'{strip}': {answer}"
    );
    let mut next_positions = Vec::new();
    for ((turn, listed), value) in turns.into_iter().zip(values) {
        let after = strip.play(turn).unwrap();
        let position = after.notation(strip.side().opponent());
        assert_eq!(listed["position"], position, "'{strip}' {turn}");
        assert_eq!(fields(listed, "value depth"), printed(value), "'{strip}' {turn}");
        if let After::Position(next) = after {
            assert_eq!(position, next.to_string());
            next_positions.push(next);
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
fn the_positions_after_each_turn_have_their_values() {
    let tables = Tables::made("11");
    let reference = Reference::of([9, 10, 11]);
    for board in ["o@o.o.o....", "....o.ooo@o R", ".@.o..o..", ".oo.@oo.o. R"] {
        let next_positions = check_answer(&tables.probe(board), &strip(board), &reference);
        assert!(next_positions.len() > 3, "{board}");
        for next in next_positions {
            let answer = tables.probe(&next.to_string());
            assert_eq!(
                fields(&answer, "value depth"),
                printed(reference.value(&next)),
                "{board}"
            );
        }
    }
}

#[test]
fn turns_that_end_the_game_take_one_ply_whoever_wins() {
    let tables = Tables::made("5");
    for (board, turn, after, value) in [
        (".@o", "@R", "... R", "win"),
        (".@oo", "@R", ".... R", "win"),
        ("..@o.", "@4", "....@ R", "win"),
        ("o@. R", "@L", "...", "win"),
        (".o@.. R", "@0", "@....", "win"),
        ("o@.", "@L", "... R", "loss"),
        (".o@.o", "@0", "@...o R", "loss"),
        ("o.@o. R", "@4", "o...@", "loss"),
    ] {
        let answer = tables.probe(board);
        let moves = answer["moves"].as_array().unwrap();
        // A win at once is the best turn, an own goal the worst.
        let ranked = if value == "win" {
            moves.first()
        } else {
            moves.last()
        };
        let expected = json!([turn, after, value, 1]);
        assert_eq!(
            fields(ranked.unwrap(), "move position value depth"),
            expected,
            "{board}"
        );
    }
}

/// Plays a line from the start: every turn must be legal and keep the value, and the last must end the game.
fn check_line(line: &[Json], start: &Strip, reference: &Reference) {
    let value = reference.value(start);
    assert_eq!(line.len(), usize::from(value.depth().unwrap().0), "'{start}'");
    let mut next = Some(*start);
    for listed in line {
        let strip = next.unwrap_or_else(|| panic!("the line of '{start}' goes on after the end"));
        let turn: Turn = listed["move"].as_str().unwrap().parse().unwrap();
        let after = strip.play(turn).unwrap();
        assert_eq!(listed["position"], after.notation(strip.side().opponent()));
        assert_eq!(
            fields(listed, "value depth"),
            printed(reference.value(&strip)),
            "'{strip}'"
        );
        assert_eq!(
            reference.turn(&strip, turn),
            reference.value(&strip),
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

#[test]
fn the_best_line_ends_after_exactly_depth_plies() {
    let tables = Tables::made("11");
    let reference = Reference::of([5, 8, 9, 10, 11]);
    let more = ["....o.o.o@o R", ".@.o..o..", "..@.o...", "..@o.", ".o@.. R"];
    for board in PAPER.map(|(board, _)| board).into_iter().chain(more) {
        let mut answer = tables.run_with("probe --json --line", board).json();
        let line = answer.as_object_mut().unwrap().remove("line").unwrap();
        check_line(line.as_array().unwrap(), &strip(board), &reference);
        assert_eq!(answer, tables.probe(board), "{board}");
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

#[test]
fn a_directory_with_wdl_tables_only_answers_without_depths() {
    let tables = Tables::made("10 --metric wdl");
    let reference = Reference::of([9]);
    for board in [".@.o..o..", ".@.o..o.. R", "o.o@o.o..", "....@...."] {
        let strip = strip(board);
        let value = reference.value(&strip).wdl();
        let answer = alone(&tables, board);
        let winner = value.winner(strip.side());
        let expected = json!([value.to_string(), null, winner.map(|side| side.to_string())]);
        assert_eq!(fields(&answer, "value depth winner"), expected, "{board}");
        // A winning line: every turn is legal, and the last one wins.
        let after =
            (answer["line"].as_array().unwrap().iter()).fold(After::Position(strip), |after, listed| {
                let After::Position(here) = after else {
                    panic!("'{board}': play goes on when it is over");
                };
                here.play(listed["move"].as_str().unwrap().parse().unwrap())
                    .unwrap()
            });
        let ended = matches!(after, After::Over { winner: found, .. } if Some(found) == winner);
        assert!(ended, "'{board}': {}", answer["line"]);
        let turns = turns(&answer);
        assert_eq!(turns.len(), strip.turns().len());
        for (turn, listed) in turns {
            let value = reference.turn(&strip, turn).wdl().to_string();
            let over = matches!(strip.play(turn).unwrap(), After::Over { .. });
            assert_eq!(
                fields(listed, "value depth"),
                json!([value, over.then_some(1)]),
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

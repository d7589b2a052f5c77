//! Every verb answers any length from one table: the values of 3 to 14 squares by every way of asking.

use crate::common::cli::{Tables, run};
use phutbase::game::Game;
use phutbase::games::strip::{Strip, StripGame};
use phutbase::outcome::{Value, Verdict};
use phutbase::solve::reference;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// The longest strips that are held against the reference solver in full.
const SOLVED: usize = 10;

/// Tables of 14 squares, with depths or of who wins.
fn tables(metric: &str) -> Tables {
    Tables::made(&format!("14 --metric {metric}"))
}

/// The values of a length by the reference solver, with Left to move.
fn reference(length: usize) -> Vec<(Strip, Value)> {
    let game = StripGame::new(length).unwrap();
    let values = (0..).zip(reference::solve(&game));
    values
        .map(|(index, value)| (game.position(index), value))
        .collect()
}

/// What an answer says: `win 13`, or `win` where no depth is known.
fn words(answer: &Json) -> String {
    let depth = answer["depth"]
        .as_u64()
        .map_or(String::new(), |depth| format!(" {depth}"));
    format!(
        "{}{depth}",
        answer["value"].as_str().unwrap_or_else(|| panic!("{answer}"))
    )
}

fn value_words(value: Value) -> String {
    let verdict = Verdict::from(value);
    let depth = verdict.depth.map_or(String::new(), |depth| format!(" {depth}"));
    format!("{}{depth}", verdict.wdl)
}

/// The values of every position of a length with Left to move, as `export --format csv` lists them.
fn exported(tables: &Tables, length: usize) -> BTreeMap<String, String> {
    let text = tables.run(&format!("export {length} --format csv")).ok().stdout;
    let value = |line: &str| {
        let (position, rest) = line.split_once(',').unwrap();
        let words: Vec<&str> = rest.split(',').skip(2).filter(|word| !word.is_empty()).collect();
        (position.to_string(), words.join(" "))
    };
    text.lines().skip(1).map(value).collect()
}

#[test]
fn export_and_batch_agree_with_the_reference_on_every_position() {
    let tables = tables("dtw");
    for length in 3..=14 {
        let exported = exported(&tables, length);
        assert_eq!(exported.len(), (length - 2) << (length - 1));
        if length <= SOLVED {
            for (strip, value) in reference(length) {
                assert_eq!(exported[&strip.to_string()], value_words(value), "'{strip}'");
            }
        }
        // The same positions, and their mirror images with Right to move.
        let positions = exported.keys().flat_map(|board| {
            let mirrored: String = board.chars().rev().collect();
            [board.clone(), format!("{mirrored} R")]
        });
        let lines: String = positions.map(|position| position + "\n").collect();
        let answers = tables
            .run_on("probe --batch -", lines.as_bytes())
            .ok()
            .json_lines();
        assert_eq!(answers.len(), 2 * exported.len());
        for (pair, (board, value)) in answers.chunks(2).zip(&exported) {
            assert!(
                pair.iter().all(|answer| words(answer) == *value),
                "'{board}' {pair:?}"
            );
        }
    }
}

#[test]
fn npy_has_the_values_of_csv() {
    let tables = tables("dtw");
    for length in [3, 9, 14] {
        let file = tables.path().join("values.npy");
        tables
            .run(&format!("export {length} --format npy --out {}", file.display()))
            .ok();
        let bytes = std::fs::read(&file).unwrap();
        let header = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
        let values = bytes[header..]
            .chunks_exact(2)
            .map(|pair| match (pair[0].cast_signed(), pair[1]) {
                (1, depth) => format!("win {depth}"),
                (-1, depth) => format!("loss {depth}"),
                _ => "draw".to_string(),
            });
        let exported = exported(&tables, length);
        let game = StripGame::new(length).unwrap();
        assert_eq!(values.clone().count(), exported.len());
        for (index, value) in (0..).zip(values) {
            let position = game.position(index).to_string();
            assert_eq!(exported[&position], value, "'{position}'");
        }
    }
}

#[test]
fn probe_find_and_suite_have_the_values_of_export() {
    let tables = tables("dtw");
    for length in 3..=14 {
        let exported = exported(&tables, length);
        for (board, value) in exported.iter().step_by(1 + exported.len() / 12) {
            let answer = tables.run_with("probe --json --line", board).json();
            assert_eq!(words(&answer), *value, "'{board}'");
            assert_eq!(answer["line"].as_array().unwrap().len() as u64, answer["depth"]);
            let text = tables.run_with("probe", board).ok().stdout;
            assert!(text.contains(&format!("{length} squares")), "{text}");
        }
        let found = tables
            .run(&format!("find {length} --limit 100000 --json"))
            .ok()
            .json_lines();
        let (summary, found) = found.split_first().unwrap();
        assert_eq!(
            (&summary["count"], found.len()),
            (&json!(exported.len()), exported.len())
        );
        for answer in found {
            assert_eq!(
                words(answer),
                exported[answer["position"].as_str().unwrap()],
                "{answer}"
            );
        }
        let suite = tables
            .run(&format!("suite {length} --per-depth 3 --json"))
            .ok()
            .json_lines();
        assert!(suite.len() > 3, "length {length}");
        for item in suite {
            let (board, side) = item["position"].as_str().unwrap().split_once(' ').unwrap();
            let board = match side {
                "L" => board.to_string(),
                _ => board.chars().rev().collect(),
            };
            assert_eq!(words(&item), exported[&board], "{item}");
        }
    }
}

#[test]
fn theory_and_draws_have_a_line_for_every_length() {
    let tables = tables("wdl");
    for (question, shortest) in [("tempo", 3), ("chain", 3), ("ends", 5), ("forward", 3)] {
        for (lengths, last) in [("14", 14), ("12", 12)] {
            let boards = format!("{shortest}..{lengths}");
            let lines = tables
                .run(&format!("theory {question} {boards} --json"))
                .ok()
                .json_lines();
            let found: Vec<u64> = lines
                .iter()
                .map(|line| line["length"].as_u64().unwrap())
                .collect();
            assert_eq!(found, (shortest..=last).collect::<Vec<_>>(), "{question}");
            assert!(lines.iter().all(|line| line["holds"] != false), "{lines:?}");
        }
    }
    let lines = tables.run("draws 3..14 --json").ok().json_lines();
    assert!(
        lines.len() == 12
            && lines
                .iter()
                .all(|line| line["draws"] == 0 && line["mutual_draws"] == 0)
    );
    assert_eq!(tables.table_names(), ["strip-14-wdl.phut"]);
}

#[test]
fn games_and_engines_answer_any_length() {
    let tables = tables("dtw");
    for length in [3, 5, 9, 14] {
        let board = format!(".@{}", ".".repeat(length - 2));
        let answer = tables.probe(&board);
        let keeping: Vec<&str> = (answer["moves"].as_array().unwrap().iter())
            .filter(|turn| turn["value"] == answer["value"])
            .map(|turn| turn["move"].as_str().unwrap())
            .collect();
        let lines = format!("ugi\nposition fen {board} L\ngo movetime 50\nquit\n");
        let said = tables.run_on("ugi", lines.as_bytes()).ok().stdout;
        let turn = said
            .lines()
            .find_map(|line| line.strip_prefix("bestmove "))
            .unwrap();
        assert!(keeping.contains(&turn), "'{board}': {turn}, not of {keeping:?}");
        let game = tables.run_on(&format!("play {board}"), b"quit\n").ok().stdout;
        assert!(game.contains('@'), "{game}");
    }
}

#[cfg(feature = "serve")]
#[tokio::test]
async fn http_has_the_values_of_export() {
    use crate::server::support::{get, post, server};
    let tables = tables("dtw");
    let server = server(tables.path());
    for length in 3..=14 {
        let exported = exported(&tables, length);
        let some: Vec<(&String, &String)> = exported.iter().step_by(1 + exported.len() / 50).collect();
        for &(board, value) in some.iter().take(3) {
            let answer = get(&server, &format!("/api/probe?position={board}")).await;
            assert_eq!(
                (answer.status, words(&answer.json())),
                (200, value.clone()),
                "{board}"
            );
        }
        let positions: Vec<&String> = some.iter().map(|(board, _)| *board).collect();
        let body = json!({ "positions": positions }).to_string();
        let answers = post(&server, "/api/batch", "application/json", body).await.json();
        for (answer, (board, value)) in answers.as_array().unwrap().iter().zip(&some) {
            assert_eq!(words(answer), **value, "{board}");
        }
    }
}

/// The shipped tables answer every length that one of them holds, with depths as far as there are some.
#[test]
fn the_shipped_tables_answer_all_lengths() {
    let lengths = [3, 24, 25, 36, 37, 64, 65, 96, 127, 128];
    let lines: String = lengths
        .map(|length| format!(".@{}\n", ".".repeat(length - 2)))
        .concat();
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), lines).unwrap();
    let answers = run(&format!("probe --batch {}", file.path().display()))
        .ok()
        .json_lines();
    for (answer, length) in answers.iter().zip(lengths) {
        assert_eq!(answer["depth"].is_number(), length <= 36, "{answer}");
        assert!(answer["winner"].is_string(), "{answer}");
    }
}

//! Obstruction: `probe`, `generate` and `theory dawson`, the program itself.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn phutbase(tables: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_phutbase"));
    command.args(arguments);
    // What is proved without tables takes no directory.
    if arguments[0] != "theory" {
        command.arg("--tables").arg(tables);
    }
    command.output().expect("the program runs")
}

fn text(tables: &Path, arguments: &[&str]) -> String {
    let output = phutbase(tables, arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

fn json(tables: &Path, arguments: &[&str]) -> Vec<Value> {
    let output = text(tables, &[arguments, &["--json"]].concat());
    output
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

fn error(tables: &Path, arguments: &[&str]) -> (i32, String) {
    let output = phutbase(tables, arguments);
    assert!(output.stdout.is_empty(), "{output:?}");
    let message = String::from_utf8(output.stderr).expect("text");
    (output.status.code().expect("an exit code"), message)
}

#[test]
fn a_board_has_a_nimber_a_winner_and_components() {
    let tables = tempfile::tempdir().unwrap();
    let answer = &json(tables.path(), &["probe", "obstruction:....../..x.../......"])[0];
    assert_eq!(answer["nimber"], 0);
    assert_eq!(answer["winner"], "second");
    let shapes: Vec<&Value> = answer["components"]
        .as_array()
        .unwrap()
        .iter()
        .map(|part| &part["shape"])
        .collect();
    assert_eq!(shapes, ["1x3", "2x3"]);
    let words = text(tables.path(), &["probe", "obstruction:3x3"]);
    assert!(words.contains("The first player wins\nnimber 1\n"), "{words}");
}

#[test]
fn winning_moves_of_sums() {
    let tables = tempfile::tempdir().unwrap();
    let answer = &json(tables.path(), &["probe", "obstruction:1+2+3"])[0];
    assert_eq!(answer["nimber"], 2);
    let moves = answer["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 1);
    assert_eq!(
        (&moves[0]["board"], &moves[0]["move"]),
        (&3.into(), &"r1c2".into())
    );
    assert_eq!(moves[0]["position"], "obstruction:1x1 + 1x2 + 1x0");
    assert_eq!(moves[0]["components"].as_array().unwrap().len(), 2);
    assert!(text(tables.path(), &["probe", "obstruction:1x2 + 1x7"]).contains("no winning turn"));
}

#[test]
fn rows_come_with_their_period() {
    let tables = tempfile::tempdir().unwrap();
    let lines = json(tables.path(), &["theory", "dawson", "--max", "1000"]);
    assert_eq!(
        (&lines[0]["period"], &lines[0]["preperiod"]),
        (&34.into(), &52.into())
    );
    assert_eq!(
        lines[0]["exceptions"],
        serde_json::json!([0, 14, 16, 17, 31, 34, 51])
    );
    assert_eq!(lines.len(), 1 + 1001);
    let first: Vec<u64> = lines[1..22]
        .iter()
        .map(|line| line["nimber"].as_u64().unwrap())
        .collect();
    assert_eq!(
        first,
        [0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5, 2, 2, 3, 3, 0]
    );
    assert_eq!(lines[1001]["length"], 1000);
    assert!(text(tables.path(), &["theory", "dawson"]).contains("Period 34 from n = 52 on"));
}

#[test]
fn a_table_is_saved_reused_and_grows() {
    let tables = tempfile::tempdir().unwrap();
    let count = |lines: &[Value], status: &str| lines.iter().filter(|line| line["status"] == status).count();
    let first = json(tables.path(), &["generate", "obstruction:4x5"]);
    assert_eq!((first.len(), count(&first, "computed")), (14, 14));
    let again = json(tables.path(), &["generate", "obstruction:4x6", "--threads", "2"]);
    assert_eq!((count(&again, "stored"), count(&again, "computed")), (14, 4));
    let words = text(tables.path(), &["generate", "obstruction:6x4"]);
    assert!(words.contains("    4   0   0   0   0\n"), "{words}");
    assert!(!words.contains("not reached"), "{words}");
}

#[test]
fn what_is_not_reached_is_said() {
    let tables = tempfile::tempdir().unwrap();
    json(tables.path(), &["generate", "obstruction:3x3"]);
    let lines = json(tables.path(), &["generate", "obstruction:4x3", "--seconds", "0"]);
    let last = lines.last().unwrap();
    assert_eq!(
        (&last["game"], &last["boards"]),
        (&"obstruction".into(), &"obstruction:3x4".into())
    );
    assert_eq!(
        (&last["status"], &last["nimber"]),
        (&"not reached".into(), &Value::Null)
    );
    assert_eq!(lines[0]["status"], "stored");
    let words = text(tables.path(), &["generate", "obstruction:4x3", "--seconds", "0"]);
    assert!(words.ends_with("not reached: 1x4, 2x4, 3x4\n"), "{words}");
    assert!(words.contains('?'));
}

#[test]
fn a_damaged_table_is_refused() {
    let tables = tempfile::tempdir().unwrap();
    json(tables.path(), &["generate", "obstruction:3x3"]);
    let file = tables.path().join("obstruction.phut");
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[18] ^= 1;
    std::fs::write(&file, &bytes).unwrap();
    for question in [["generate", "obstruction:3x3"], ["probe", "obstruction:3x3"]] {
        let (code, message) = error(tables.path(), &question);
        assert_eq!(code, 1, "{message}");
        assert!(
            message.contains("obstruction.phut: damaged") && message.contains("delete it"),
            "{message}"
        );
    }
    assert_eq!(std::fs::read(&file).unwrap(), bytes, "the file is left as it was");
}

#[test]
fn bad_usage_is_told_and_exits_with_2() {
    let tables = tempfile::tempdir().unwrap();
    for (arguments, part) in [
        (&["probe", "obstruction:xx"][..], "r1c1 and r1c2 touch"),
        (&["probe", "obstruction:../..."], "row 2 has 3 squares"),
        (&["probe", "obstruction:..o"], "'o' at r1c3"),
        (&["probe", "obstruction:12x11"], "too many"),
        (&["probe", "obstruction:1 +"], "term 2 is empty"),
        (&["theory", "dawson", "--max", "1000001"], "1000000"),
        (&["generate", "obstruction:6"], "names no boards"),
        (&["generate", "obstruction:../.."], "names no boards"),
        (&["generate", "obstruction:3x3", "--seconds=-1"], "--seconds"),
        (&["generate", "obstruction:3x3", "--memory", "0"], "--memory '0'"),
    ] {
        let (code, message) = error(tables.path(), arguments);
        assert_eq!(code, 2, "{arguments:?}: {message}");
        assert!(message.contains(part), "{arguments:?}: {message}");
    }
    assert!(!tables.path().join("obstruction.phut").exists());
}

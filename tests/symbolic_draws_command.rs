//! `phutbase draws --engine symbolic` as a user meets it.

use std::process::{Command, Output};

fn draws(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_phutbase"))
        .args(["draws", "--engine", "symbolic"])
        .args(arguments)
        .output()
        .unwrap()
}

#[test]
fn json_has_a_line_per_length_with_the_recorded_counts() {
    let output = draws(&["--max-length", "12", "--json"]);
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<serde_json::Value> = (text.lines())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 10);
    let last = &lines[9];
    for (field, value) in [
        ("length", 12),
        ("positions", 20_480),
        ("wins", 14_352),
        ("losses", 6_128),
        ("draws", 0),
        ("mutual_draws", 0),
        ("nodes", 160),
    ] {
        assert_eq!(last[field], value, "{field}");
    }
    assert!(last["peak_nodes"].as_u64().unwrap() >= 160);
    assert!(last["seconds"].as_f64().is_some());
}

#[test]
fn one_length_can_be_asked_for() {
    let output = draws(&["--length", "9"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("1,792 positions, 0 draws, 0 mutual"), "{text}");
    assert!(text.ends_with("lengths 9 to 9: no draw\n"), "{text}");
}

#[test]
fn lengths_out_of_range_are_bad_usage_and_the_memory_limit_is_a_failure() {
    for length in ["2", "129"] {
        assert_eq!(draws(&["--length", length]).status.code(), Some(2));
        assert_eq!(draws(&["--max-length", length]).status.code(), Some(2));
    }
    assert_eq!(draws(&["--length", "9", "--memory", "0"]).status.code(), Some(2));
    assert_eq!(draws(&["--length", "9", "--scratch", "."]).status.code(), Some(2));
    let output = draws(&["--length", "40", "--memory", "0.001"]);
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.contains("length 40") && message.contains("memory"),
        "{message}"
    );
}

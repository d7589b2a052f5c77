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
    let output = draws(&["3..12", "--json"]);
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<serde_json::Value> = (text.lines())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 10);
    let last = &lines[9];
    assert_eq!((&last["game"], &last["boards"]), (&"strip".into(), &"12".into()));
    for (field, value) in [
        ("positions", 20_480),
        ("wins", 14_352),
        ("losses", 6_128),
        ("draws", 0),
        ("mutual_draws", 0),
        ("nodes", 160),
    ] {
        assert_eq!(last[field], value, "{field}");
    }
    assert!(last["sweeps"].as_u64().unwrap() >= 2);
    assert!(last["peak_nodes"].as_u64().unwrap() >= 160);
    assert!(last["seconds"].as_f64().is_some());
}

#[test]
fn one_length_can_be_asked_for() {
    let output = draws(&["9"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("1,792 positions, 0 draws, 0 mutual"), "{text}");
    assert!(text.ends_with("lengths 9 to 9: no draw\n"), "{text}");
}

#[test]
fn lengths_out_of_range_are_bad_usage_and_the_memory_limit_is_a_failure() {
    for length in ["2", "129"] {
        assert_eq!(draws(&[length]).status.code(), Some(2));
        assert_eq!(draws(&[&format!("3..{length}")]).status.code(), Some(2));
    }
    assert_eq!(draws(&["9", "--memory", "0"]).status.code(), Some(2));
    assert_eq!(draws(&["9", "--scratch", "."]).status.code(), Some(2));
    let output = draws(&["40", "--memory", "0.001"]);
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.contains("length 40") && message.contains("memory"),
        "{message}"
    );
}

#[test]
fn tables_are_the_same_for_any_number_of_threads() {
    let made = |threads: &str| {
        let directory = tempfile::tempdir().unwrap();
        let status = Command::new(env!("CARGO_BIN_EXE_phutbase"))
            .args(["generate", "--engine", "symbolic", "--metric", "wdl", "3..18"])
            .args(["--threads", threads, "--tables"])
            .arg(directory.path())
            .output()
            .unwrap();
        assert!(status.status.success(), "{status:?}");
        let lines = String::from_utf8(status.stdout).unwrap();
        let lengths: Vec<&str> = lines
            .lines()
            .map(|line| line.split(',').next().unwrap())
            .collect();
        let expected: Vec<String> = (3..=18).map(|length| format!("length {length}")).collect();
        assert_eq!(lengths, expected, "reported in order");
        (3..=18)
            .map(|length| std::fs::read(directory.path().join(format!("strip-{length}-wdl.phut"))).unwrap())
            .collect::<Vec<_>>()
    };
    let one = made("1");
    for threads in ["2", "5"] {
        assert!(made(threads) == one, "{threads} threads");
    }
}

#[test]
fn a_far_probe_ranks_turns_and_says_how_depths_would_be_had() {
    let directory = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_phutbase"))
            .args(arguments)
            .arg("--tables")
            .arg(directory.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    run(&["generate", "--engine", "symbolic", "--metric", "wdl", "42"]);
    let position = format!("{}o@o{}", ".".repeat(19), ".".repeat(20));
    let text = run(&["probe", &position]);
    assert!(text.contains("42 squares"), "{text}");
    assert!(
        text.contains("depths are not available") && text.contains("phutbase generate 42 --metric dtw"),
        "{text}"
    );
    let values: Vec<&str> = text
        .lines()
        .skip_while(|line| !line.starts_with("turn"))
        .skip(1)
        .take_while(|line| !line.is_empty())
        .map(|line| line.rsplit(' ').next().unwrap())
        .collect();
    assert!(
        values.len() > 30 && values.contains(&"win") && values.contains(&"loss"),
        "{text}"
    );
    assert!(
        values.is_sorted_by_key(|&value| value != "win"),
        "wins come first: {text}"
    );
    let json: serde_json::Value = serde_json::from_str(&run(&["probe", &position, "--json"])).unwrap();
    assert!(json["depth"].is_null());
    let stats = run(&["stats", "42", "--json"]);
    let stats: serde_json::Value = serde_json::from_str(&stats).unwrap();
    assert_eq!(stats["positions"], 87_960_930_222_080u64);
    assert_eq!(stats["layout"], "diagram");
}

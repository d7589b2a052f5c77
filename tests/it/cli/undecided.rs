//! Strips that no table holds: reasons, and refusals.

use crate::prelude::*;

/// Reasons are objects in JSON and sentences in text.
#[test]
fn reasons_have_a_kind_and_numbers() {
    let probe = |position: &str| run_with("probe --json --tables tables", position).json();
    let forward = probe(&format!("{}@{}", ".".repeat(20), ".".repeat(150)));
    let names = "reason backward_turns value winner potentials forward_values";
    assert_eq!(
        fields(&forward, names),
        json!([
            {"kind": "forward", "value": 6, "potential": 38},
            0,
            "loss",
            "right",
            [6, 38],
            [6, 38]
        ])
    );
    assert_eq!(forward["moves"].as_array().unwrap().len(), 170);
    // The difficult middle of 22 squares with closed ends of 80 and 90 squares.
    let hard = "........oo.o@.oooo....";
    let closed = ["o..o".repeat(20), "oo...o".repeat(15)];
    let cut = probe(&format!("{}{hard}{}", closed[0], closed[1]));
    assert_eq!(
        fields(&cut, "reason backward_turns value"),
        json!([{"kind": "cut", "first": 80, "last": 101}, 1, "win"])
    );
    let text = run_with(
        "probe --tables tables",
        &format!("{}{hard}{}", closed[0], closed[1]),
    );
    assert!(
        text.ok()
            .stdout
            .contains("reason: cut to 22 squares; table\nthe winner needs 1 backward turn\n")
    );
}

#[test]
fn bad_long_strips_are_refused_in_one_line() {
    let refused = |text: String, part: &str| {
        let mut lines = text.into_bytes();
        lines.extend(b"\n.@.\n");
        let tables = Tables::made("5");
        let answers = tables.run_on("probe --batch -", &lines).json_lines();
        let error = answers[0]["error"].as_str().unwrap().to_string();
        assert!(error.contains(part) && error.len() < 500, "{error}");
        assert_eq!((answers.len(), &answers[1]["value"]), (2, &json!("win")));
    };
    let long = |squares: usize| format!(".@{}", ".".repeat(squares - 2));
    refused(
        long(10_000_001),
        "a strip of 10000001 squares: lengths from 3 to 10000000",
    );
    let mut alien = long(10_000_000);
    alien.replace_range(9_999_999.., "x");
    refused(alien, "'x' on square 9999999");
    refused("o".repeat(10_000_000), "no ball");
    // An argument is at most 128 KiB long on Linux.
    let mut alien = long(100_000);
    alien.replace_range(99_999.., "é");
    let run = run_with("probe", &alien);
    assert_eq!((run.code, run.stderr.lines().count()), (Some(2), 1));
    assert!(run.stderr.len() < 500, "{}", run.stderr);
}

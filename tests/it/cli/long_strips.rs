//! Strips that no table with depths holds: reasons, and refusals.

use crate::prelude::*;

#[test]
fn reasons_have_both_halves_and_the_lead() {
    let probe = |position: &str| run_with("probe --json", position).json();
    let position = format!("{}@{}", ".".repeat(20), ".".repeat(150));
    let answer = probe(&position);
    let half =
        |squares: usize| json!({"word": ".".repeat(squares), "name": "L [5]", "potential": 6, "type": "b"});
    let left = half(20);
    assert_eq!(
        fields(&answer, "backward_turns value winner"),
        json!([0, "loss", "right"])
    );
    let reason = &answer["reason"];
    assert_eq!((&reason["by"], &reason["left"]), (&json!("solution"), &left));
    let lead = reason["left"]["potential"].as_i64().unwrap() - reason["right"]["potential"].as_i64().unwrap();
    assert_eq!(reason["lead"], lead);
    assert_eq!(answer["turns"].as_array().unwrap().len(), 170);
    assert_eq!(probe("o@o.o.o....")["reason"]["by"], "table");
    // The difficult middle of 22 squares with closed ends of 80 and 90 squares, which change nothing.
    let hard = "........oo.o@.oooo....";
    let closed = ["o..o".repeat(20), "oo...o".repeat(15)];
    let long = probe(&format!("{}{hard}{}", closed[0], closed[1]));
    assert_eq!(fields(&long, "backward_turns value"), json!([1, "win"]));
    for half in ["left", "right"] {
        assert_eq!(long["reason"][half], probe(hard)["reason"][half]);
    }
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
    refused(alien, "'x' in column 10000000");
    refused("o".repeat(10_000_000), "no ball");
    // An argument is at most 128 KiB long on Linux.
    let mut alien = long(100_000);
    alien.replace_range(99_999.., "é");
    let run = run_with("probe", &alien);
    assert_eq!((run.code, run.stderr.lines().count()), (Some(2), 1));
    assert!(run.stderr.len() < 500, "{}", run.stderr);
}

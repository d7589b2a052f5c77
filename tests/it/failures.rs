//! The messages of the helpers that compare outputs: they name command, field, expected and found.

use crate::prelude::*;
use phutbase_testing::compare::differences;
use std::panic::catch_unwind;

/// Returns the message of a panic.
fn message(fails: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let panic = catch_unwind(fails).expect_err("the comparison fails");
    *panic.downcast::<String>().expect("a panic with a text")
}

#[test]
fn a_comparison_names_the_fields_that_differ() {
    let found = json!({"value": "win", "turns": [{"move": "o5", "depth": 5}], "line": []});
    let expected = json!({"value": "win", "turns": [{"move": "o5", "depth": 7}], "side": "left"});
    assert_eq!(
        differences(&found, &expected),
        [
            "side: expected \"left\", found missing",
            "turns[0].depth: expected 7, found 5",
            "line: expected missing, found []",
        ]
    );
    let [found, expected] = [found, expected].map(|line| format!("{line}\n"));
    let shown = message(move || same_output("probe x --json", &found, &expected));
    has(
        &shown,
        &["probe x --json", "[0].turns[0].depth: expected 7, found 5"],
    );
    let shown = message(|| same_output("probe x", "a\nb\n", "a\nc\n"));
    has(&shown, &["probe x", "[1]: expected \"c\", found \"b\""]);
}

#[test]
fn a_failed_run_names_its_command_and_both_streams() {
    let shown = message(|| drop(run("probe x").ok()));
    let parts = [
        "expected exit code 0",
        "`phutbase probe x`",
        "exit code 2",
        "stdout: nothing",
        "stderr:",
    ];
    has(&shown, &parts);
    let shown = message(|| run("probe .@.").fails(1, &["no"]));
    has(
        &shown,
        &["expected exit code 1", "`phutbase probe .@.`", "exit code 0"],
    );
}

#[test]
fn fields_are_shown_with_their_names() {
    let answer = json!({"value": "win", "depth": 3});
    assert_eq!(
        format!("{:?}", fields(&answer, "value depth")),
        "value \"win\", depth 3"
    );
}

//! The help: every verb is in it, with examples that are right.

use crate::common::cli::run;
use std::process::Command;

/// The words of a line of the help, quotes taken away.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (place, part) in line.split('"').enumerate() {
        match place % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_string)),
            _ => words.push(part.to_string()),
        }
    }
    words
}

/// The verbs that the completions know, and with `theory ` before them its questions.
fn verbs() -> Vec<String> {
    let script = run("completions bash").ok().stdout;
    let cases = (script.lines()).filter_map(|line| line.trim().strip_suffix(')'));
    let verbs = cases.filter_map(|case| match case.split_once(',')? {
        ("phutbase", "help") => None,
        ("phutbase", verb) => Some(verb.to_string()),
        ("phutbase__subcmd__theory", "help") => None,
        ("phutbase__subcmd__theory", question) => Some(format!("theory {question}")),
        _ => None,
    });
    verbs.collect()
}

#[test]
fn every_verb_stands_in_one_group_of_the_help() {
    let help = run("--help").ok().stdout;
    let listed = |verb: &str| {
        let line = format!("  {verb} ");
        help.lines().filter(|found| found.starts_with(&line)).count()
    };
    let verbs = verbs();
    assert!(verbs.len() > 25, "{verbs:?}");
    for verb in verbs.iter().filter(|verb| !verb.contains(' ')) {
        assert_eq!(listed(verb), 1, "{verb}: {help}");
        let own = run(&format!("{verb} --help")).ok().stdout;
        assert_eq!(run(&format!("help {verb}")).ok().stdout, own);
        let (_, global) = own.split_once("Global options:").unwrap();
        for option in ["--tables <DIR>", "--threads <T>", "--json"] {
            assert!(global.contains(option), "{verb}: {own}");
        }
    }
    for group in ["Query:", "Make:", "Check:", "Research:", "Engines:", "Service:"] {
        assert!(help.lines().any(|line| line == group), "{group} {help}");
    }
}

#[test]
fn every_verb_has_three_examples_that_are_right() {
    for verb in verbs() {
        let help = run(&format!("{verb} --help")).ok().stdout;
        let examples: Vec<&str> = (help.lines())
            .filter_map(|line| line.strip_prefix("  phutbase "))
            .collect();
        assert!(examples.len() >= 3, "{verb}: {help}");
        for example in examples {
            assert!(example.starts_with(&verb), "{verb}: {example}");
            // A remark is set apart by blanks.
            let line = words(example.split("   ").next().unwrap());
            let output = Command::new(env!("CARGO_BIN_EXE_phutbase"))
                .args(line)
                .env("PHUTBASE_PARSE_ONLY", "1")
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && said.is_empty(), "{example}: {said}");
        }
    }
}

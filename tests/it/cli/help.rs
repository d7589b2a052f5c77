//! The help: it lists every verb, and its examples are valid.

use crate::prelude::*;

/// Returns the verbs of the completions, and the claims of `theory` with 'theory ' before them.
pub(super) fn verbs() -> Vec<String> {
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
    assert!(verbs.len() > 20, "{verbs:?}");
    for verb in verbs.iter().filter(|verb| !verb.contains(' ')) {
        let is_hidden = ["completions", "man"].contains(&verb.as_str());
        let times = listed(verb);
        assert_eq!(
            times,
            usize::from(!is_hidden),
            "'{verb}' stands {times} times in the help: name it once in GROUPS of src/commands/mod.rs"
        );
        let own = run(&format!("{verb} --help")).ok().stdout;
        assert_eq!(run(&format!("help {verb}")).ok().stdout, own);
        let (_, global) = own.split_once("Global options:").unwrap();
        for option in ["--tables <DIR>", "--threads <T>", "--json", "--verbose"] {
            assert!(
                global.contains(option),
                "'{option}' is not among the global options of '{verb} --help': {own}"
            );
        }
    }
    for group in ["Ask:", "Make:", "Check:", "Play:"] {
        assert!(help.lines().any(|line| line == group), "{group} {help}");
    }
}

/// The keys of engines fill lines of 80 columns, which the help does not wrap.
#[test]
fn the_keys_of_engines_are_not_wrapped() {
    for verb in ["match", "test-engine"] {
        let help = run(&format!("{verb} --help")).ok().stdout;
        let (_, text) = help.split_once("Keys of --engine").unwrap();
        for line in text.lines().skip(1).take_while(|line| !line.is_empty()) {
            let is_key = |line: &str| line[..22].contains('=') && line.as_bytes()[21] == b' ';
            let is_rest = line.starts_with(&" ".repeat(22)) && line.len() > 40;
            assert!(line.len() <= 80 && (is_rest || is_key(line)), "{line}");
        }
        let paragraphs: Vec<&str> = text.split("\n\n").collect();
        let lines: Vec<&str> = paragraphs[1].lines().collect();
        let (_, filled) = lines.split_last().unwrap();
        assert!(filled.iter().all(|line| line.len() > 60), "{lines:?}");
    }
}

#[test]
fn every_verb_has_a_file_of_tests() {
    let named = |verb: &str| match verb {
        // A module cannot have this name; `man` is tested with the completions.
        "match" => "matches".to_string(),
        "man" => "completions".to_string(),
        verb => verb.replace('-', "_"),
    };
    for verb in verbs().iter().filter(|verb| !verb.contains(' ')) {
        let file = format!("tests/it/cli/{}.rs", named(verb));
        let text = std::fs::read_to_string(&file).unwrap_or_else(|error| {
            panic!("'{verb}' needs tests in {file} (output, --json, exit codes): {error}")
        });
        assert!(
            text.contains("#[test]"),
            "'{verb}' needs tests in {file}: it has no #[test]"
        );
        let module = format!("mod {};", named(verb));
        let modules = std::fs::read_to_string("tests/it/cli/mod.rs").unwrap();
        assert!(
            modules.lines().any(|line| line == module),
            "the tests in {file} are not compiled: add '{module}' to tests/it/cli/mod.rs"
        );
    }
}

#[test]
fn every_verb_stands_in_the_guide_and_in_the_changes() {
    let [guide, changes] =
        ["docs/guide.md", "CHANGELOG.md"].map(|file| std::fs::read_to_string(file).unwrap());
    for verb in verbs().iter().filter(|verb| !verb.contains(' ')) {
        let is_hidden = ["completions", "man"].contains(&verb.as_str());
        let names =
            |text: &str| text.contains(&format!("phutbase {verb}")) || text.contains(&format!("`{verb}"));
        assert!(
            names(&guide),
            "docs/guide.md does not name '{verb}': say there what it is for, with a command 'phutbase {verb} …'"
        );
        assert!(
            is_hidden || names(&changes),
            "CHANGELOG.md does not name '{verb}': say in its first section what `{verb}` does for a user"
        );
    }
}

#[test]
fn every_verb_has_three_examples_that_are_right() {
    for verb in verbs() {
        let help = run(&format!("{verb} --help")).ok().stdout;
        let examples: Vec<&str> = (help.lines())
            .filter_map(|line| line.strip_prefix("  phutbase "))
            .collect();
        assert!(
            examples.len() >= 3,
            "'{verb}' has {} examples in its help, three are expected: add lines '  phutbase {verb} …' to \
             #[command(after_help)] of its Arguments in src/commands",
            examples.len()
        );
        for example in examples {
            assert!(
                example.starts_with(&verb),
                "an example in the help of '{verb}' is of another verb: phutbase {example}"
            );
            // A remark after three blanks, a file or another program may follow.
            let end = ["   ", " > ", " | "]
                .iter()
                .filter_map(|mark| example.find(mark))
                .min();
            let line = &example[..end.unwrap_or(example.len())];
            let error = usage_error(&format!("phutbase {line}"));
            assert!(
                error.is_none(),
                "an example in the help of '{verb}' is refused: {error:?}"
            );
        }
    }
}

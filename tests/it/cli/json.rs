//! One vocabulary for `--json`: a field name means the same in every line of every verb.

use super::help::verbs;
use crate::prelude::*;
use phutbase_rules::boards::Boards;
use phutbase_rules::position::Position;

const COMMANDS: &[&str] = &[
    "generate 11",
    "generate 11 --metric wdl",
    "probe o@o.o.o....",
    "probe .@.o..o.. --line",
    "probe o@o. --rules directional --line",
    "probe 3/1@1/3 --line",
    "probe oddish:..o^o.",
    "probe obstruction:1+2",
    "probe --wins 3/o2/@2/o2/3",
    "find 9 --value loss --depth 2..4 --ball 3 --limit 2",
    "stats 9..10",
    "stats 9",
    "stats 9 --ball 3",
    "stats 3x3",
    "stats obstruction:3x3",
    "tables",
    "generate 3x3 --rules directional",
    "generate obstruction:2x2",
    "find 5 --suite --sample 2",
    "certify 2/1@/1o/1o/2/2",
    "verify 5",
    "verify 3x3",
    "verify obstruction:2x2",
    "generate 3x3 --count-only",
    "find 7x3 --value draw --cycles --limit 1",
    "theory oddish oddish:2..3",
    "theory generalized 9",
    "theory monotonicity 10",
    "theory forward 9",
    "theory replace o@ .@",
    "theory reversible 1..3",
    "theory dawson --max 3",
    "test-engine 5 --sample 5 --engine timemargin=1min -- PROGRAM ugi",
];

fn is_one_of(value: &Json, words: &str) -> bool {
    value
        .as_str()
        .is_some_and(|found| words.split(' ').any(|word| word == found))
}

/// Returns true if a field has the meaning of its name. Positions after a turn may be finished
/// games.
fn is_right(name: &str, value: &Json, follows_turn: bool) -> bool {
    let text = value.as_str().unwrap_or("");
    match name {
        "game" => is_one_of(value, "strip pitch obstruction oddish"),
        "rules" => is_one_of(value, &Rules::WORDS.join(" ")),
        "boards" => {
            text == "obstruction"
                || text
                    .parse::<Boards>()
                    .is_ok_and(|boards| boards.to_string() == text)
        }
        "position" if value.is_string() && !follows_turn => text
            .parse::<Position>()
            .is_ok_and(|position| position.to_string() == text),
        "position" => value.is_string() || value.is_null(),
        "side" => is_one_of(value, "left right alfred betty first"),
        "value" => value.is_null() || is_one_of(value, "win loss draw"),
        "depth" => value.is_null() || value.is_u64(),
        "depths" => value.is_null() || value.is_object(),
        _ => true,
    }
}

fn check(line: &Json, command: &str) {
    let follows_turn = line.get("move").is_some();
    for (name, value) in line.as_object().into_iter().flatten() {
        assert!(
            is_right(name, value, follows_turn),
            "phutbase {command}: the field '{name}' is {value}, which is not what '{name}' means in other \
             verbs: see `is_right` in tests/it/cli/json.rs"
        );
        check(value, command);
    }
    line.as_array()
        .into_iter()
        .flatten()
        .for_each(|item| check(item, command));
    if let Some(game) = line.get("game") {
        let has_rules = is_one_of(game, "strip pitch");
        let needs = if has_rules { "needs" } else { "must not have" };
        assert!(
            line.get("rules").is_some() == has_rules,
            "phutbase {command}: a line with 'game' {game} {needs} the field 'rules': {line}"
        );
        assert!(
            line.get("boards").or(line.get("position")).is_some(),
            "phutbase {command}: a line with 'game' needs the field 'boards' or 'position': {line}"
        );
    }
}

#[test]
fn fields_mean_the_same_in_every_verb() {
    let tables = Tables::embedded();
    let guide = std::fs::read_to_string("docs/guide.md").unwrap();
    for command in COMMANDS {
        let words = format!("{} --json", command.replace(" -- ", " --json -- "));
        let words = words.replace("PROGRAM", env!("CARGO_BIN_EXE_phutbase"));
        let words = if command.contains(" -- ") {
            words.trim_end_matches(" --json")
        } else {
            &words
        };
        let run = tables.run(words).ok();
        let lines = run.json_lines();
        assert!(!lines.is_empty(), "expected lines of JSON: {run:?}");
        lines.iter().for_each(|line| check(line, command));
        // The fields of `theory` are the words of its lines.
        for name in (lines.iter().flat_map(|line| line.as_object().unwrap().keys()))
            .filter(|_| !command.starts_with("theory"))
        {
            assert!(
                guide.contains(&format!("`{name}`")),
                "phutbase {command}: docs/guide.md does not name the field `{name}`: add it to the row of \
                 its verb in the table of fields, or to the text above that table"
            );
        }
    }
}

/// A verb without JSON refuses `--json`; every other one has a command in this file.
#[test]
fn every_verb_that_takes_json_is_checked_here() {
    let checked = |verb: &str| {
        let begins = |command: &&str| format!("{command} ").starts_with(&format!("{verb} "));
        COMMANDS.iter().any(begins)
    };
    // The lines of `match` are about games between engines, `serve` does not end: see matches.rs and
    // tests/serve.
    let elsewhere = ["match", "serve"];
    for verb in verbs().iter().filter(|verb| !elsewhere.contains(&&***verb)) {
        let help = run(&format!("{verb} --help")).ok().stdout;
        let mut examples = help.lines().filter_map(|line| line.strip_prefix("  phutbase "));
        let example = examples.find(|line| line.starts_with(verb.as_str())).unwrap();
        let (words, _) = example.split_once("   ").unwrap_or((example, ""));
        let with_json = words.replacen(verb.as_str(), &format!("{verb} --json"), 1);
        let refuses = usage_error(&format!("phutbase {with_json}"));
        assert!(
            checked(verb) || refuses.is_some(),
            "'{verb}' takes --json: add a command to COMMANDS in tests/it/cli/json.rs, or let its `effects` \
             return `without_json`"
        );
    }
}

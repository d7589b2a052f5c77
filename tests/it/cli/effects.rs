//! Every option of every verb has an effect or is refused.

use crate::prelude::*;
use std::collections::BTreeMap;

/// The inputs of the verbs: a name, and the arguments.
const INPUTS: &[(&str, &[(&str, &str)])] = &[
    (
        "probe",
        &[
            ("strip", ".@."),
            ("pitch", "3/@2/3"),
            ("obstruction", "obstruction:3x3"),
            ("oddish", "oddish:.^."),
            ("batch", "--batch -"),
        ],
    ),
    (
        "stats",
        &[
            ("tables", ""),
            ("strip", "9"),
            ("strips", "3..9"),
            ("pitch", "3x3"),
            ("obstruction", "obstruction:3x3"),
        ],
    ),
    ("find", &[("strip", "9"), ("pitch", "3x3")]),
    (
        "export",
        &[("strip", "9 --format csv"), ("pitch", "3x3 --format csv")],
    ),
    (
        "generate",
        &[
            ("strip", "9"),
            ("pitch", "3x3"),
            ("obstruction", "obstruction:3x3"),
        ],
    ),
    ("certify", &[("pitch", "3/@2/3")]),
    (
        "verify",
        &[
            ("tables", ""),
            ("strip", "9"),
            ("pitch", "3x3"),
            ("obstruction", "obstruction:3x3"),
            ("file", "x.phut"),
        ],
    ),
    ("theory replace", &[("words", "o@ .@")]),
    ("test-engine", &[("strip", "9 -- a"), ("pitch", "3x3 -- a")]),
    (
        "match",
        &[
            ("boards", "21 --engine cmd=a --engine cmd=b"),
            ("openings", "--openings FILE --engine cmd=a --engine cmd=b"),
        ],
    ),
    ("play", &[("strip", ".@."), ("pitch", "3/@2/3")]),
    ("completions", &[("shell", "bash")]),
];

/// The names of the inputs of a verb on which an option has an effect, `all` or `none` of them.
type Scopes<'a> = BTreeMap<(&'a str, &'a str), (&'a str, &'a str)>;

fn scopes<'a>() -> Scopes<'a> {
    let lines = include_str!("../../data/effects.tsv").lines().skip(1);
    lines
        .map(|line| {
            let [verb, options, inputs] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("{line}");
            };
            let (option, _) = options.split_once(' ').unwrap_or((options, ""));
            ((verb, option), (options, inputs))
        })
        .collect()
}

/// The verbs of the grammar, and the claims of `theory`, with the names of their options.
fn options(command: &clap::Command, name: &str) -> Vec<(String, String)> {
    let verbs = command.get_subcommands().filter(|verb| verb.get_name() != "help");
    let mut found: Vec<_> = verbs
        .flat_map(|verb| options(verb, format!("{name} {}", verb.get_name()).trim()))
        .collect();
    if found.is_empty() {
        let longs = command.get_arguments().filter_map(clap::Arg::get_long);
        let longs = longs.filter(|long| !["help", "version"].contains(long));
        found.extend(longs.map(|long| (name.to_string(), format!("--{long}"))));
    }
    found
}

#[test]
fn options_have_an_effect_or_are_refused() {
    let mut grammar = phutbase::commands::grammar();
    grammar.build();
    let found = options(&grammar, "");
    let (mut scopes, mut tested) = (scopes(), 0);
    let general: Scopes = scopes
        .clone()
        .into_iter()
        .filter(|((verb, _), _)| *verb == "*")
        .collect();
    for (verb, option) in &found {
        let own = scopes.remove(&(&verb[..], &option[..]));
        let scope = own.or_else(|| general.get(&("*", &option[..])).copied());
        let (options, effective) = scope.unwrap_or_else(|| {
            panic!(
                "tests/data/effects.tsv has no line for the option {option} of '{verb}': add one with the \
                     inputs on which it has an effect"
            )
        });
        let inputs = INPUTS.iter().find(|(name, _)| *name == verb);
        for (input, arguments) in inputs.map_or(&[("alone", "")][..], |(_, inputs)| inputs) {
            let is_effective = effective == "all" || effective.split(' ').any(|name| name == *input);
            let options = if arguments.contains(&option[..]) {
                ""
            } else {
                options
            };
            let command = format!("phutbase {verb} {options} {arguments}");
            let refused = usage_error(&command);
            let expected = if is_effective { "an effect" } else { "a refusal" };
            assert!(
                refused.is_none() == is_effective,
                "{command}: tests/data/effects.tsv expects {expected} of {option}, found {}. If '{verb}' takes \
                 arguments, name some in INPUTS of tests/it/cli/effects.rs; if the option has no effect there, \
                 refuse it in `effects` of the verb",
                refused.as_deref().unwrap_or("that it is accepted")
            );
            let named = refused.is_none_or(|error| error.contains(&option[..]));
            assert!(named, "{command}: the refusal does not name {option}");
            tested += 1;
        }
    }
    scopes.retain(|(verb, _), _| *verb != "*");
    assert!(
        scopes.is_empty() && tested > 250,
        "{tested} commands are tested; tests/data/effects.tsv names options that do not exist: {scopes:?}"
    );
}

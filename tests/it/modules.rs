//! Crates use only crates below them in the picture of docs/DESIGN.md.

use crate::prelude::*;
use serde_json::Value as Json;

/// The crates of each line of the picture, the lowest first.
fn picture() -> Vec<Vec<String>> {
    let page = std::fs::read_to_string("docs/DESIGN.md").unwrap();
    let picture = page.split("```").nth(1).unwrap().lines().rev();
    let crates = picture.filter_map(|line| Some(line.split_once('|')?.0.split_whitespace()));
    crates
        .map(|crates| crates.map(str::to_string).collect())
        .collect()
}

/// Returns the packages of the workspace, as cargo describes them.
fn packages() -> Vec<Json> {
    let metadata = std::process::Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .output()
        .unwrap();
    let metadata: Json = serde_json::from_slice(&metadata.stdout).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

/// Returns the crates of the workspace with those that each uses, without the prefix of their names.
fn uses() -> BTreeMap<String, BTreeSet<String>> {
    let short = |name: &str| Some(name.strip_prefix("phutbase-")?.to_string());
    let packages = packages();
    let crates = packages.iter().map(|package| {
        let needed = package["dependencies"].as_array().unwrap().iter();
        let needed = needed.filter(|one| one["kind"].is_null());
        let names = needed.filter_map(|one| short(one["name"].as_str().unwrap()));
        let name = package["name"].as_str().unwrap();
        (short(name).unwrap_or(name.to_string()), names.collect())
    });
    let is_unpublished = |name: &str| ["benches", "fixtures", "testing"].contains(&name);
    crates.filter(|(name, _)| !is_unpublished(name)).collect()
}

#[test]
fn crates_use_only_those_on_lower_lines_of_the_picture() {
    let uses = uses();
    let mut below: BTreeSet<String> = BTreeSet::new();
    for line in picture() {
        for name in &line {
            let upwards: Vec<_> = uses[name].difference(&below).collect();
            assert!(upwards.is_empty(), "{name} uses {upwards:?}");
        }
        below.extend(line);
    }
    assert_eq!(below, uses.into_keys().collect(), "the picture has every crate");
}

/// README's `cargo run` names no program, and the workspace has several.
#[test]
fn cargo_runs_phutbase() {
    let named = packages().into_iter().filter_map(|package| {
        let program = package["default_run"].as_str()?;
        Some(program.to_string())
    });
    assert_eq!(named.collect::<Vec<_>>(), ["phutbase"]);
}

/// The check of the tables shares no code with the engines, directly or through another crate.
#[test]
fn the_check_uses_no_engine() {
    let uses = uses();
    let mut reached = BTreeSet::from(["verify".to_string()]);
    let mut open = vec!["verify".to_string()];
    while let Some(name) = open.pop() {
        for used in &uses[&name] {
            if reached.insert(used.clone()) {
                open.push(used.clone());
            }
        }
    }
    for engine in ["solve", "pitches", "nimbers"] {
        assert!(!reached.contains(engine), "verify uses {engine}");
    }
}

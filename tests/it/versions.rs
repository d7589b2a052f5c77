//! The files that name the version of the next release name the same one.

use crate::prelude::*;
use std::fs::read_to_string;

/// Returns the text after the first of these beginnings of a line of a file, without quotation marks.
fn named(file: &str, beginning: &str) -> String {
    let text = read_to_string(file).unwrap_or_else(|error| panic!("{file}: {error}"));
    let mut lines = text.lines().map(str::trim_start);
    let found = lines.find_map(|line| line.strip_prefix(beginning));
    let found = found.unwrap_or_else(|| panic!("no line of {file} begins with '{beginning}'"));
    found.trim_end_matches(',').trim_matches('"').to_string()
}

#[test]
fn all_files_name_the_version_of_the_workspace() {
    let version = env!("CARGO_PKG_VERSION");
    let rehearsal = read_to_string("scripts/release.sh").unwrap();
    for (file, beginning) in [
        ("Cargo.toml", "version = "),
        ("python/Cargo.toml", "version = "),
        ("python/pyproject.toml", "version = "),
        ("CITATION.cff", "version: "),
        ("crates/server/src/openapi.json", "\"version\": "),
    ] {
        let found = named(file, beginning);
        assert_eq!(
            found, version,
            "{file}: '{beginning}' names another version than Cargo.toml"
        );
        let line = format!("{file} {}", beginning.trim());
        assert!(
            rehearsal.lines().any(|found| found == line),
            "scripts/release.sh does not check '{line}'"
        );
    }
}

/// A crate of the workspace that asks for another version of a second one cannot be published.
#[test]
fn crates_ask_for_the_version_of_the_workspace() {
    let manifest = read_to_string("Cargo.toml").unwrap();
    let asked = format!("version = \"{}\"", env!("CARGO_PKG_VERSION"));
    let is_published = |line: &&str| line.contains("path = \"crates/") && line.contains("version = ");
    let mut crates = manifest.lines().filter(is_published).peekable();
    assert!(crates.peek().is_some());
    for line in crates {
        assert!(
            line.contains(&asked),
            "Cargo.toml: '{line}' asks for another version than {asked}"
        );
    }
}

/// The first section of the changes is that of the version to come.
#[test]
fn the_changes_of_the_version_are_listed() {
    let changes = read_to_string("CHANGELOG.md").unwrap();
    let first = changes.lines().find_map(|line| line.strip_prefix("## "));
    assert_eq!(
        first,
        Some(env!("CARGO_PKG_VERSION")),
        "the first section of CHANGELOG.md"
    );
}

#[cfg(unix)]
#[test]
fn a_rehearsal_of_another_version_is_refused_before_it_builds() {
    let out = tempfile::tempdir().unwrap();
    let rehearsed = Command::new("bash")
        .args(["scripts/release.sh", "0.0.1"])
        .arg(out.path())
        .output();
    let why_not = rehearsed.as_ref().err().map(ToString::to_string);
    if available("bash", why_not.as_deref()) {
        let run = Run::from(rehearsed.unwrap());
        assert!(run.code == Some(1), "expected exit code 1: {run:?}");
        has(
            &run.stderr,
            &["Cargo.toml has version", env!("CARGO_PKG_VERSION"), "not 0.0.1"],
        );
    }
}

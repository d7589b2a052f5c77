//! Optional tools. A test whose tool is missing is skipped with a message, or fails if
//! `PHUTBASE_REQUIRE` names the tool (as in `PHUTBASE_REQUIRE=python,cudd,browser`).

use crate::boards::repository;
use crate::compare::Fields;
use serde_json::Value as Json;
use std::path::Path;
use std::process::{Command, Output};

/// Creates a named pipe.
pub fn make_pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Sends a signal, such as `TERM`, to a process.
pub fn send(signal: &str, process: u32) {
    let mut kill = Command::new("kill");
    kill.args(["-s", signal, &process.to_string()]);
    assert!(kill.status().unwrap().success());
}

/// Returns whether a test can run; `why_not` is the reason if it cannot.
pub fn available(tool: &str, why_not: Option<&str>) -> bool {
    let Some(why_not) = why_not else {
        return true;
    };
    let required = std::env::var("PHUTBASE_REQUIRE").unwrap_or_default();
    assert!(
        !required.split(',').any(|name| name == tool),
        "PHUTBASE_REQUIRE names {tool}, but {why_not}"
    );
    eprintln!("SKIPPED, {tool} is missing: {why_not}");
    false
}

/// Runs Python in the directory of the repository.
pub fn run_python(arguments: &[&str]) -> std::io::Result<Output> {
    let mut command = Command::new("python3");
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    command.current_dir(repository("")).args(arguments).output()
}

/// Runs Python, if it is installed.
pub fn python(arguments: &[&str]) -> Option<Output> {
    let output = run_python(arguments);
    let why_not = output
        .as_ref()
        .err()
        .map(|error| format!("python3 cannot be run: {error}"));
    available("python", why_not.as_deref()).then(|| output.expect("it could be run"))
}

/// Runs a test again in a process of its own, where it returns true. Elsewhere it returns false
/// once the test has passed there.
pub fn is_alone(test: &str) -> bool {
    const ALONE: &str = "PHUTBASE_TEST_ALONE";
    if std::env::var_os(ALONE).is_some() {
        return true;
    }
    let mut alone = Command::new(std::env::current_exe().unwrap());
    alone.args(["--exact", test]).env(ALONE, "1");
    let run = alone.output().unwrap();
    let passed = run.stdout.windows(8).any(|part| part == b"1 passed");
    assert!(passed, "{}", String::from_utf8_lossy(&run.stdout));
    false
}

/// Asserts that a text contains these parts.
#[track_caller]
pub fn has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "'{part}' is not in: {text}");
    }
}

/// Returns some fields of an object, to compare them with an array; `names` are separated by blanks.
pub fn fields(object: &Json, names: &str) -> Fields {
    Fields::of(object, names)
}

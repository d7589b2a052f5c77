//! Optional tools: what a test needs that may not be there. It is skipped then, and says so; where `PHUTBASE_REQUIRE` names the
//! tool (as in `PHUTBASE_REQUIRE=python,cudd,browser`), it fails instead.

use std::process::{Command, Output};

/// Whether a test can be run, of which `why_not` says what keeps it from that.
pub fn available(tool: &str, why_not: Option<&str>) -> bool {
    let Some(why_not) = why_not else {
        return true;
    };
    let required = std::env::var("PHUTBASE_REQUIRE").unwrap_or_default();
    assert!(
        !required.split(',').any(|name| name == tool),
        "PHUTBASE_REQUIRE names {tool}, but {why_not}"
    );
    eprintln!("SKIPPED for want of {tool}: {why_not}");
    false
}

/// Runs Python, if it is there.
pub fn python(arguments: &[&str]) -> Option<Output> {
    let output = Command::new("python3")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .args(arguments)
        .output();
    let why_not = output
        .as_ref()
        .err()
        .map(|error| format!("python3 cannot be run: {error}"));
    available("python", why_not.as_deref()).then(|| output.expect("it could be run"))
}

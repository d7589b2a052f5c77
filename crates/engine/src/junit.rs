//! The results of a test of an engine as JUnit XML, for CI servers.

use super::tester::{Grade, Judged, Tally, by_boards};
use phutbase_rules::boards::Boards;
use std::time::Duration;

/// Writes results: a suite per length, a case per position. Blunders, illegal and late turns and
/// false claims are failures, missing turns are errors.
pub fn xml(engine: &str, properties: &[(&str, String)], judged: &[Judged]) -> String {
    let mut text = begin(engine, judged);
    for (boards, cases) in by_boards(judged) {
        let suite = suite_name(&boards);
        let tally = Tally::of(cases);
        let (tests, errors) = (cases.len(), tally.failed);
        let failures = cases.iter().filter(|one| one.complaint.is_some()).count() - errors;
        text += &format!(
            "<testsuite name=\"{suite}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{}\">\n{}",
            seconds(cases),
            suite_properties(properties)
        );
        cases.iter().for_each(|one| text += &case(one));
        text += "</testsuite>\n";
    }
    text + "</testsuites>\n"
}

/// Returns the beginning of the file, with the time of the results.
pub fn begin(engine: &str, judged: &[Judged]) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\" time=\"{}\">\n",
        escaped(engine),
        seconds(judged)
    )
}

/// Returns the time that the engine took for all turns, in seconds.
fn seconds(judged: &[Judged]) -> String {
    let total: Duration = judged.iter().map(|one| one.time).sum();
    format!("{:.6}", total.as_secs_f64())
}

/// Returns the conditions of the run, as properties of a suite.
fn suite_properties(properties: &[(&str, String)]) -> String {
    let property = |(name, value): &(&str, String)| {
        format!("<property name=\"{name}\" value=\"{}\"/>\n", escaped(value))
    };
    let properties: String = properties.iter().map(property).collect();
    format!("<properties>\n{properties}</properties>\n")
}

/// Returns the entry of a position.
pub fn case(judged: &Judged) -> String {
    let name = escaped(&judged.position.fen());
    let (suite, seconds) = (suite_name(&judged.position.boards()), judged.time.as_secs_f64());
    let (element, kind) = match judged.outcome {
        Grade::Failed => ("error", "fault"),
        Grade::Good if judged.is_late => ("failure", "late"),
        Grade::Good => ("failure", "claim"),
        outcome => ("failure", outcome.word()),
    };
    let body = judged.complaint.as_deref().map_or(String::new(), |complaint| {
        let message = escaped(complaint);
        format!("<{element} type=\"{kind}\" message=\"{message}\"/>")
    });
    format!("<testcase name=\"{name}\" classname=\"{suite}\" time=\"{seconds:.6}\">{body}</testcase>\n")
}

/// Escapes markup for an attribute and drops characters that XML forbids.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\u{fffe}' | '\u{ffff}' => {}
            _ if character.is_control() => {}
            _ => escaped.push(character),
        }
    }
    escaped
}

/// Returns the name of the suite of some boards: `strip-9`, `pitch-7x3`.
fn suite_name(boards: &Boards) -> String {
    match boards {
        Boards::Pitch(shape) => format!("pitch-{shape}"),
        boards => format!("strip-{boards}"),
    }
}

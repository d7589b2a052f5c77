//! Test results as JUnit XML for CI servers: a suite per length, a case per position.

use super::tester::{Judged, Outcome};
use crate::games::position::Phutball;
use std::collections::BTreeMap;

/// Writes results as XML. Blunders and illegal turns are failures, missing turns are errors.
pub fn xml(engine: &str, judged: &[Judged]) -> String {
    let mut by_length: BTreeMap<usize, Vec<&Judged>> = BTreeMap::new();
    for one in judged {
        by_length.entry(one.strip.length()).or_default().push(one);
    }
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\">\n",
        escaped(engine)
    );
    for (length, cases) in by_length {
        let count = |element| {
            cases
                .iter()
                .filter(|one| problem(one).map(|it| it.0) == Some(element))
                .count()
        };
        let (failures, errors) = (count("failure"), count("error"));
        let tests = cases.len();
        text += &format!(
            "<testsuite name=\"strip-{length}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\">\n"
        );
        cases.iter().for_each(|one| text += &case(one));
        text += "</testsuite>\n";
    }
    text + "</testsuites>\n"
}

fn case(judged: &Judged) -> String {
    let name = escaped(&Phutball::Strip(judged.strip).fen());
    let (length, seconds) = (judged.strip.length(), judged.time.as_secs_f64());
    let body = problem(judged).map_or(String::new(), |(element, kind)| {
        let message = escaped(&judged.complaint().unwrap_or_default());
        format!("<{element} type=\"{kind}\" message=\"{message}\"/>")
    });
    format!(
        "<testcase name=\"{name}\" classname=\"strip-{length}\" time=\"{seconds:.3}\">{body}</testcase>\n"
    )
}

/// Returns the XML element and the type of a failure.
fn problem(judged: &Judged) -> Option<(&'static str, &'static str)> {
    match judged.outcome {
        Outcome::Good => None,
        Outcome::Blunder { .. } => Some(("failure", "blunder")),
        Outcome::Illegal => Some(("failure", "illegal")),
        Outcome::Failed { .. } => Some(("error", "fault")),
    }
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

//! The results of a test as JUnit XML, which CI servers show: a suite for each length, a case for each position.

use super::tester::{Judged, Outcome};
use crate::games::position::Phutball;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::collections::BTreeMap;
use std::time::Duration;

/// The XML of results. Blunders and illegal turns are failures, turns that never came are errors.
///
/// # Errors
/// If the XML cannot be written.
pub fn xml(engine: &str, judged: &[Judged]) -> Result<String, quick_junit::SerializeError> {
    let mut by_length: BTreeMap<usize, Vec<&Judged>> = BTreeMap::new();
    for one in judged {
        by_length.entry(one.strip.length()).or_default().push(one);
    }
    let mut report = Report::new(engine);
    report.set_time(judged.iter().map(|one| one.time).sum());
    for (length, of_length) in by_length {
        let mut suite = TestSuite::new(format!("strip-{length}"));
        suite.set_time(of_length.iter().map(|one| one.time).sum::<Duration>());
        suite.add_test_cases(of_length.into_iter().map(case));
        report.add_test_suite(suite);
    }
    report.to_string()
}

fn case(judged: &Judged) -> TestCase {
    let kind = match judged.outcome {
        Outcome::Good => None,
        Outcome::Blunder { .. } => Some(("blunder", NonSuccessKind::Failure)),
        Outcome::Illegal => Some(("illegal", NonSuccessKind::Failure)),
        Outcome::Failed { .. } => Some(("fault", NonSuccessKind::Error)),
    };
    let status = match kind {
        None => TestCaseStatus::success(),
        Some((name, kind)) => {
            let mut status = TestCaseStatus::non_success(kind);
            status
                .set_type(name)
                .set_message(judged.complaint().unwrap_or_default());
            status
        }
    };
    let mut case = TestCase::new(Phutball::Strip(judged.strip).fen(), status);
    case.set_classname(format!("strip-{}", judged.strip.length()))
        .set_time(judged.time);
    case
}

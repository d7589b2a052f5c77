//! Laws of won boards, checked on every board of a length. Shorter strips follow (Lemma 1).

use super::super::ReportError;
use super::{Claim, Subject, Verdict};
use phutbase_base::job::Job;
use phutbase_table::Tablebase;
use phutbase_theory::claim::{Claim as _, Statement};
use phutbase_theory::proper::{LAW_N, Proper};
use phutbase_theory::replace::{LAW_M, Replace};

/// Maximum length, which takes a second.
const LENGTH: usize = 64;

/// Checks the laws on the longest strips that a table holds, up to a length.
pub fn laws(tablebase: &Tablebase, job: &Job) -> Result<Vec<Claim>, ReportError> {
    let Some(length) = tablebase.longest_strips(false).map(|longest| longest.min(LENGTH)) else {
        return Ok(Vec::new());
    };
    let claim = |statement: Statement, exceptions: Vec<String>, command: &str| Claim {
        examples: (exceptions.iter().take(1))
            .map(|board| (board.clone(), "an exception".to_string()))
            .collect(),
        ..Claim::new(
            Subject::Strip,
            statement,
            Verdict::of(exceptions.is_empty()),
            format!("every board of 3 to {length} squares, by diagrams"),
            format!("phutbase theory {command} {length}"),
        )
    };
    let law_n = Proper::law(tablebase, 1).check(length, job)?;
    let mut law_m = Replace::new(tablebase, ["o@", ".@"], 1).expect("words of one length");
    let law_m = law_m.check(length, job)?;
    Ok(vec![
        claim(LAW_N, law_n.lines, "proper"),
        claim(LAW_M, law_m.lines, "replace o@ .@"),
    ])
}

//! Laws of won boards, checked on every board of a length. Shorter strips follow (Lemma 1).

use super::super::ReportError;
use super::{Claim, Subject, Verdict};
use phutbase_base::job::Job;
use phutbase_table::Tablebase;
use phutbase_theory::claim::Claim as _;
use phutbase_theory::proper::{LAW_N, Proper};
use phutbase_theory::replace::{Answer, LAW_M, Replacement};

/// Maximum length, which takes a second.
const LENGTH: usize = 64;

/// Checks the laws on the longest strips that a table holds, up to a length.
pub fn laws(tablebase: &Tablebase, job: &Job) -> Result<Vec<Claim>, ReportError> {
    let Some(length) = tablebase.longest_strips(false).map(|longest| longest.min(LENGTH)) else {
        return Ok(Vec::new());
    };
    let law_n = Proper::law(tablebase, 1).check(length, job)?.lines;
    let law_n = Claim {
        examples: (law_n.iter().take(1))
            .map(|board| (board.clone(), "an exception".to_string()))
            .collect(),
        ..Claim::new(
            Subject::Strip,
            LAW_N,
            Verdict::of(law_n.is_empty()),
            format!("every board of 3 to {length} squares, by diagrams"),
            format!("phutbase theory proper {length}"),
        )
    };
    let law_m = Replacement::parse("o@", ".@").expect("words with the ball");
    let law_m = Claim::new(
        Subject::Strip,
        LAW_M,
        Verdict::of(law_m.answer() == Answer::Holds),
        "every board of every length, by classes".to_string(),
        "phutbase theory replace o@ .@",
    );
    Ok(vec![law_n, law_m])
}

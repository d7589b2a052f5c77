//! Claims about draws on the pitch.

use super::super::ReportError;
use super::super::pitches::{AGAIN, PitchCounts, settled_up_to};
use super::{ClaimRow, ClaimStatus, Subject};
use phutbase_ask::certificates::certify;
use phutbase_base::digits::grouped;
use phutbase_rules::pitch::Pitch;
use phutbase_rules::pitch::certificate::CertifiedValue;
use phutbase_tables::{SearchPath, Tablebase};
use phutbase_theory::claim::Statement;
use phutbase_verify::certificate::check;

/// A drawn position of the smallest drawn pitch.
const SMALLEST: &str = "3/3/2o/1o1/3/@2/3 A";
/// The board of Sarkar's Theorem 1, as described in its text (`docs/PITCH.md`).
const THEOREM_1: &str = "4o2o2/2o1o2o2/10/2o2o4/7o2/2o3o3/3o3o2/2o7/4o2o2/10/@1o2o1o2/2o2o4 A";

pub fn claims(pitches: &[PitchCounts]) -> Result<Vec<ClaimRow>, ReportError> {
    let range = format!(
        "every pitch of two or more columns with up to {} points, counted once; up to {AGAIN} points counted again for this page",
        settled_up_to(pitches)
    );
    let drawn = || pitches.iter().filter(|counts| counts.draws > 0);
    let smallest = drawn()
        .map(|counts| counts.shape)
        .min_by_key(|shape| shape.points());
    let smallest_is_7x3 = smallest.is_some_and(|shape| (shape.rows(), shape.columns()) == (7, 3));
    let wide = |counts: &&PitchCounts| counts.shape.rows() < counts.shape.columns() + 2;
    let claim = |words, source, verdict, range, command: &str| {
        ClaimRow::new(
            Subject::Pitch,
            Statement { words, source },
            verdict,
            range,
            command,
        )
    };
    let count = "phutbase generate 7x3 --count-only";
    Ok(vec![
        ClaimRow {
            examples: vec![(
                SMALLEST.to_string(),
                "Alfred, to move, and Betty both keep the draw".to_string(),
            )],
            proof: proof_of_draw(SMALLEST)?,
            ..claim(
                "The smallest pitch with a draw has 7 rows and 3 columns: no pitch of less area has one.",
                "This project",
                ClaimStatus::of(smallest_is_7x3),
                range.clone(),
                count,
            )
        },
        claim(
            "A pitch of m rows and n columns with m − 2 < n has no draw.",
            "This project; nothing proves it for all sizes",
            ClaimStatus::of(drawn().filter(wide).count() == 0),
            range,
            count,
        ),
        ClaimRow {
            proof: proof_of_draw(THEOREM_1)?,
            ..claim(
                "Sarkar's Theorem 1: a position on 12 rows and 10 columns is a draw.",
                "Sarkar, Phutball draws; the board reconstructed from the text",
                ClaimStatus::Holds,
                "one position, by a certificate".to_string(),
                &format!("phutbase certify \"{THEOREM_1}\" --out proof.cert"),
            )
        },
    ])
}

/// Finds a certificate of a draw, checks it by the rules alone, and describes it.
fn proof_of_draw(position: &str) -> Result<String, ReportError> {
    let unproved = || ReportError::example(position, "it is a draw");
    let pitch: Pitch = position.parse().map_err(|_| unproved())?;
    let tables = Tablebase::search(SearchPath::default().with_embedded())?;
    let certificate = (certify(&tables, &pitch, 1)?.certificate)
        .ok()
        .filter(|certificate| certificate.claim == CertifiedValue::Draw)
        .ok_or_else(unproved)?;
    let checked = check(&certificate).map_err(|fault| {
        ReportError::Wrong(format!("the certificate of '{position}' proves nothing: {fault}"))
    })?;
    Ok(format!(
        "proved by a certificate of {} positions, checked with the rules alone",
        grouped(checked.positions)
    ))
}

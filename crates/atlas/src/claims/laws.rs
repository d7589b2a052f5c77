//! Laws of won boards, checked on every board of a length. Shorter strips follow (Lemma 1).

use super::super::ReportError;
use super::{Claim, Subject, Verdict};
use phutbase_base::job::Job;
use phutbase_base::outcome::Side;
use phutbase_rules::strip::Strip;
use phutbase_table::{StripSets, TableError, Tablebase};
use phutbase_theory::proper::exceptions;
use phutbase_theory::replace::{Replacement, compare};
use phutbase_verify::inclusion::turns::TurnKind;

/// Maximum length, which takes a second.
const LENGTH: usize = 64;

/// Checks the laws on the longest strips that a table holds, up to a length.
pub fn laws(tablebase: &Tablebase, job: &Job) -> Result<Vec<Claim>, ReportError> {
    let Some(length) = tablebase.longest_strips(false).map(|longest| longest.min(LENGTH)) else {
        return Ok(Vec::new());
    };
    let found = tablebase.ask_strips(length, None, |table| {
        let sets = table.sets(length)?;
        Ok([law_n(&sets, job)?, law_m(&sets)?])
    })?;
    let claim = |statement, found: &Option<Strip>, command| Claim {
        examples: (found.iter())
            .map(|board| (board.to_string(), "an exception".to_string()))
            .collect(),
        ..Claim::new(
            Subject::Strip,
            statement,
            "This project; computed, not proved for all lengths",
            Verdict::of(found.is_none()),
            format!("every board of 3 to {length} squares, by diagrams"),
            command,
        )
    };
    let [law_n, law_m] = &found;
    Ok(vec![
        claim(
            "Law N: every board that Left wins he wins by proper turns.",
            law_n,
            format!("phutbase theory proper {length}"),
        ),
        claim(
            "Law M for a stone next to the ball: behind the ball it does not help Left.",
            law_m,
            format!("phutbase theory replace o@ .@ {length}"),
        ),
    ])
}

fn law_n(sets: &StripSets, job: &Job) -> Result<Option<Strip>, TableError> {
    let found = exceptions(sets, &TurnKind::PROPER, 1, job)?;
    Ok(found.first.first().copied())
}

fn law_m(sets: &StripSets) -> Result<Option<Strip>, TableError> {
    let without_stone = Replacement::parse("o@", ".@").expect("words of one length");
    for side in [Side::Left, Side::Right] {
        if let Some(board) = compare(sets, &without_stone, side, 1)?.first.first() {
            return Ok(Some(*board));
        }
    }
    Ok(None)
}

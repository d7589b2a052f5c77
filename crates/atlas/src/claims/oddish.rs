//! Claims about Oddish Phutball.

use super::super::{ReportError, Scope};
use super::{ClaimRow, ClaimStatus, Subject};
use phutbase_base::job::Job;
use phutbase_rules::oddish::{MAX_SET_SQUARES, MIN_SQUARES};
use phutbase_theory::oddish::sets;
use phutbase_theory::oddish::{
    LEMMA_2, STRATEGY, THEOREM_1, THEOREM_1_BY_SETS, lemma_2, play_out, theorem_1,
};

/// Maximum size for the checks of GN Lemma 2 and of the strategy.
const LEMMA_SQUARES: usize = 16;
const STRATEGY_SQUARES: usize = 12;

pub(super) fn claims(scope: Scope, job: &Job) -> Result<Vec<ClaimRow>, ReportError> {
    let last = scope.oddish_squares;
    let (mut theorem, mut lemma, mut strategy) = (true, true, true);
    for squares in MIN_SQUARES..=last {
        job.note(format!("Oddish, {squares} squares"))?;
        theorem &= theorem_1(squares, job)?.holds();
        if squares <= LEMMA_SQUARES {
            lemma &= lemma_2(squares).is_some_and(|found| found.holds());
        }
        if squares <= STRATEGY_SQUARES {
            strategy &= play_out(squares).is_some_and(|found| found.holds());
        }
    }
    let mut by_sets = true;
    for squares in MIN_SQUARES..=MAX_SET_SQUARES {
        by_sets &= sets::check(squares, job)?.holds();
    }
    let claim = |statement, yes, squares: usize| {
        ClaimRow::new(
            Subject::Oddish,
            statement,
            ClaimStatus::of(yes),
            format!("every position up to {squares} squares"),
            format!("phutbase theory oddish oddish:2..{squares}"),
        )
    };
    Ok(vec![
        claim(THEOREM_1, theorem, last),
        ClaimRow::new(
            Subject::Oddish,
            THEOREM_1_BY_SETS,
            ClaimStatus::of(by_sets),
            format!("every size up to {MAX_SET_SQUARES} squares"),
            format!("phutbase theory oddish oddish:2..{MAX_SET_SQUARES} --solved-squares {last}"),
        ),
        claim(LEMMA_2, lemma, last.min(LEMMA_SQUARES)),
        claim(STRATEGY, strategy, last.min(STRATEGY_SQUARES)),
    ])
}

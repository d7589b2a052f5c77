//! Claims about the strip: theorems, the generalized potential, tempting assertions.

use super::super::{ReportError, Row};
use super::{ClaimRow, ClaimStatus, Subject};
use phutbase_base::job::Job;
use phutbase_base::outcome::Side;
use phutbase_rules::potentials::predicted_winner;
use phutbase_rules::strip::MIN_LENGTH;
use phutbase_tables::Tablebase;
use phutbase_theory::claim::Statement;
use phutbase_theory::generalized::{GENERALIZED, mismatches};
use phutbase_theory::monotonicity::{DELETION, Harm, Monotone, STONE};
use phutbase_theory::proof::prove_by_table;
use phutbase_theory::replace::{LawStatus, Replacement};
use phutbase_theory::values::AllValues;

/// Maximum length on which every empty square is tried.
const MONOTONICITY_LENGTH: usize = 16;

/// The proof of a counterexample, in words.
const PROVED: &str = "proved by the rules alone, against every reply";

/// Theorems for every length, each with its source and the file of `proofs` and the name under which Coq proves
/// it.
const THEOREMS: [(&str, &str, &str); 3] = [
    (
        "There is no draw: every position is won by one of the players.",
        "Asked by Sarkar, Phutball draws (after Siegel)",
        "`no_draw`, RuleSolved.v",
    ),
    (
        "Law N: every board that Left wins he wins by proper turns.",
        "This project",
        "`law_N_holds`, RuleSolved.v",
    ),
    (
        "Having the move never hurts: no board is lost with the move and won without it.",
        "Theorem Z, docs/PROOF.md",
        "`having_the_move_never_hurts`, Tempo.v",
    ),
];

/// The law of replacement for `o@` and `.@`.
const LAW_M: Statement = Statement {
    words: "Law M for a stone next to the ball: behind the ball it does not help Left.",
    source: "This project",
};

/// Returns the claims; counterexamples are proved.
pub(super) fn claims(rows: &[Row], tablebase: &Tablebase, job: &Job) -> Result<Vec<ClaimRow>, ReportError> {
    let mut claims: Vec<ClaimRow> = THEOREMS.into_iter().map(theorem).collect();
    claims.push(law_m());
    claims.push(generalized(rows, tablebase, job)?);
    claims.extend(assertions(tablebase, job)?);
    Ok(claims)
}

fn theorem((words, source, name): (&'static str, &'static str, &str)) -> ClaimRow {
    ClaimRow::new(
        Subject::Strip,
        Statement { words, source },
        ClaimStatus::Holds,
        format!("theorem for every length: {name}"),
        "scripts/check_proofs.sh",
    )
}

fn law_m() -> ClaimRow {
    let law = Replacement::parse("o@", ".@").expect("words with the ball");
    ClaimRow::new(
        Subject::Strip,
        LAW_M,
        ClaimStatus::of(law.answer() == LawStatus::Holds),
        "every board of every length, by classes".to_string(),
        "phutbase theory replace o@ .@",
    )
}

/// Returns the claims that an extra stone, or a shorter strip, never hurts; none without depths.
fn assertions(tablebase: &Tablebase, job: &Job) -> Result<Vec<ClaimRow>, ReportError> {
    let Some(longest) = tablebase.longest_strips(true) else {
        return Ok(Vec::new());
    };
    let last = longest.min(MONOTONICITY_LENGTH);
    let mut monotone = Monotone::new(tablebase, 1);
    let (mut stone, mut square) = (None, None);
    for length in MIN_LENGTH..=last {
        let found = monotone.examine(length, job)?;
        stone = stone.or(found.stone_hurts.examples.first().copied());
        square = square.or(found.deletion_hurts.examples.first().copied());
    }
    let claim = |statement, then: &str, harm: Option<Harm>| {
        let range = format!("every position up to length {last}");
        let command = format!("phutbase theory monotonicity 3..{last}");
        let claim = ClaimRow::new(
            Subject::Strip,
            statement,
            ClaimStatus::of(harm.is_none()),
            range,
            command,
        );
        let Some(Harm { before, after }) = harm else {
            return claim;
        };
        ClaimRow {
            range: format!(
                "{}; the shortest counterexample has {} squares",
                claim.range,
                before.length()
            ),
            examples: vec![
                (before.to_string(), "Left, to move, wins".to_string()),
                (after.to_string(), format!("the same with a {then}: Left loses")),
            ],
            proof: PROVED.to_string(),
            ..claim
        }
    };
    Ok(vec![
        claim(STONE, "stone more", stone),
        claim(DELETION, "square less", square),
    ])
}

fn generalized(rows: &[Row], tablebase: &Tablebase, job: &Job) -> Result<ClaimRow, ReportError> {
    let counted = || rows.iter().filter_map(|row| Some((row.length, row.errors?)));
    let last = counted().next_back().map_or(0, |(length, _)| length);
    let wrong = counted()
        .find(|&(_, errors)| errors > 0)
        .map(|(length, _)| length);
    let claim = ClaimRow::new(
        Subject::Strip,
        GENERALIZED,
        ClaimStatus::below(wrong),
        format!("every position up to length {last}, counted by classes"),
        format!("phutbase theory generalized 3..{last}"),
    );
    let longest = tablebase.longest_strips(true).unwrap_or(0);
    let Some(length) = wrong.filter(|&length| length <= longest.min(MONOTONICITY_LENGTH)) else {
        return Ok(claim);
    };
    let found = mismatches(&AllValues::ask(tablebase, length)?, 1, job)?;
    let Some(strip) = found.false_losses.first().or(found.false_wins.first()) else {
        return Err(ReportError::Wrong(format!(
            "length {length}: two counts of wrong predictions disagree"
        )));
    };
    let predicted = predicted_winner(strip);
    prove_by_table(strip, predicted.opponent(), tablebase)?;
    let what = match predicted {
        Side::Left => "Left, to move, should win, and loses",
        Side::Right => "Left, to move, should lose, and wins",
    };
    Ok(ClaimRow {
        examples: vec![(strip.to_string(), what.to_string())],
        proof: PROVED.to_string(),
        ..claim
    })
}

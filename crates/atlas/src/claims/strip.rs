//! Claims about the strip: draws, the generalized and the exact potential, tempting assertions.

use super::super::text::runs;
use super::super::{Potentials, ReportError, Row, last_computed};
use super::{Claim, Subject, Verdict};
use phutbase_base::job::Job;
use phutbase_base::outcome::Side;
use phutbase_rules::potentials::predicted_winner;
use phutbase_rules::strip::{MIN_LENGTH, Strip};
use phutbase_table::Tablebase;
use phutbase_theory::chain::{self, Crossing};
use phutbase_theory::claim::Statement;
use phutbase_theory::exact::Duel;
use phutbase_theory::exact::explain::{EXACT, ONE_NUMBER};
use phutbase_theory::generalized::{GENERALIZED, mismatches};
use phutbase_theory::monotonicity::{DELETION, Harm, Monotone, STONE};
use phutbase_theory::proof::prove_by_table;
use phutbase_theory::tempo;
use phutbase_theory::values::AllValues;

/// Maximum length on which every empty square is tried.
const MONOTONICITY_LENGTH: usize = 16;

/// The proof of a counterexample, in words.
const PROVED: &str = "proved by the rules alone, against every reply";

const NO_DRAW: Statement = Statement {
    words: "There is no draw: every position is won by one of the players.",
    source: "Asked by Sarkar, Phutball draws (after Siegel); a theorem for every length, docs/THEORY.md",
};

/// Returns the claims; counterexamples are proved.
pub(super) fn claims(rows: &[Row], tablebase: &Tablebase, job: &Job) -> Result<Vec<Claim>, ReportError> {
    let mut claims = vec![no_draws(rows), generalized(rows, tablebase, job)?];
    claims.extend(assertions(tablebase, job)?);
    claims.push(Claim::new(
        Subject::Strip,
        tempo::LAW.statement,
        Verdict::Holds,
        "every length, by proof; the command, which asks the tables, was not run for this atlas".to_string(),
        "phutbase theory tempo",
    ));
    claims.extend(exact(rows));
    Ok(claims)
}

/// Returns the claims that an extra stone, or a shorter strip, never hurts; none without depths.
fn assertions(tablebase: &Tablebase, job: &Job) -> Result<Vec<Claim>, ReportError> {
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
        let claim = Claim::new(
            Subject::Strip,
            statement,
            Verdict::of(harm.is_none()),
            range,
            command,
        );
        let Some(Harm { before, after }) = harm else {
            return claim;
        };
        Claim {
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

fn generalized(rows: &[Row], tablebase: &Tablebase, job: &Job) -> Result<Claim, ReportError> {
    let last = last_computed(rows);
    let wrong = first_computed(rows, |potentials| potentials.errors > 0).map(|(length, _)| length);
    let claim = Claim::new(
        Subject::Strip,
        GENERALIZED,
        Verdict::below(wrong),
        format!("every position up to length {last}, by diagrams"),
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
    Ok(Claim {
        examples: vec![(strip.to_string(), what.to_string())],
        proof: PROVED.to_string(),
        ..claim
    })
}

/// Returns the first length whose computed potentials satisfy `wanted`.
fn first_computed(rows: &[Row], wanted: impl Fn(&Potentials) -> bool) -> Option<(usize, &Potentials)> {
    let mut computed = rows
        .iter()
        .filter_map(|row| Some((row.length, row.potentials.as_ref()?)));
    computed.find(|(_, potentials)| wanted(potentials))
}

fn no_draws(rows: &[Row]) -> Claim {
    let lengths: Vec<usize> = rows.iter().map(|row| row.length).collect();
    let lengths = runs(&lengths);
    Claim::new(
        Subject::Strip,
        NO_DRAW,
        Verdict::of(rows.iter().all(Row::decided)),
        format!("every length, by proof; every position of lengths {lengths} also by tables"),
        "phutbase verify",
    )
}

/// Returns the claims about the exact potential. Rows exist only if κ and λ do for all lengths.
/// The chain is examined only with levels.
fn exact(rows: &[Row]) -> impl Iterator<Item = Claim> {
    let last = last_computed(rows);
    let cycle = first_computed(rows, |potentials| !potentials.cycle.is_empty());
    let broken = (rows.iter()).find_map(|row| Some((row.length, row.chain.as_ref()?.as_ref().err()?)));
    // Without the chain no κ and λ explain that length, let alone all.
    let chain = chain(rows, broken);
    let range = format!("all lengths up to {last} at once");
    let broken = broken.map_or(String::new(), |(length, _)| {
        format!("; none explains {length} squares, where the chain breaks")
    });
    let claim = |statement, verdict, range| {
        let command = format!("phutbase theory potential 3..{last}");
        Claim::new(Subject::Potential, statement, verdict, range, command)
    };
    let potentials = [
        claim(EXACT, chain.verdict, format!("{range}{broken}")),
        Claim {
            examples: cycle.map_or(Vec::new(), |(_, found)| found.cycle.iter().map(duel).collect()),
            ..claim(ONE_NUMBER, Verdict::below(cycle.map(|(length, _)| length)), range)
        },
    ];
    let is_examined = rows.iter().any(|row| row.chain.is_some());
    is_examined.then_some(chain).into_iter().chain(potentials)
}

/// Returns the claim of the chain; `broken` is the first length where it fails.
fn chain(rows: &[Row], broken: Option<(usize, &Crossing)>) -> Claim {
    let asked = rows.iter().filter(|row| row.chain.is_some());
    let asked: Vec<usize> = asked.map(|row| row.length).collect();
    let examples = broken.map_or(Vec::new(), |(_, crossing)| {
        let shows = |what: &'static str| move |strip: &Strip| (strip.to_string(), what.to_string());
        let won = crossing.won.iter().map(shows("Left wins"));
        let exchanged = shows("the right halves exchanged: Right wins");
        won.chain(crossing.not_won.iter().map(exchanged)).collect()
    });
    Claim {
        examples,
        ..Claim::new(
            Subject::Potential,
            chain::LAW.statement,
            Verdict::below(broken.map(|(length, _)| length)),
            format!(
                "every pair of half strips of lengths {}, by the tables",
                runs(&asked)
            ),
            "phutbase theory chain",
        )
    }
}

/// Describes a half strip and its duel with another.
fn duel(duel: &Duel) -> (String, String) {
    let verb = if duel.wins { "beats" } else { "does not beat" };
    (
        duel.own.to_string(),
        format!("as the mover's own half {verb} {}", duel.other),
    )
}

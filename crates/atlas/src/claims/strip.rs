//! Claims about the strip: draws, the generalized and the exact potential, tempting assertions.

use super::super::text::runs;
use super::super::{Potentials, ReportError, Row, last_computed};
use super::{Claim, Subject, Verdict};
use phutbase_base::game::Game;
use phutbase_base::job::Job;
use phutbase_base::outcome::Side;
use phutbase_rules::potentials::predicted_winner;
use phutbase_rules::strip::{MIN_LENGTH, Strip, StripGame};
use phutbase_strips::reference;
use phutbase_table::Metric;
use phutbase_table::tablebase::Tablebase;
use phutbase_theory::chain::Crossing;
use phutbase_theory::exact::Duel;
use phutbase_theory::generalized::mismatches;
use phutbase_theory::monotonicity::{Harm, examine};
use phutbase_theory::values::AllValues;

/// Maximum length on which every empty square is tried.
const MONOTONICITY_LENGTH: usize = 16;

/// Evidence from trying every position of short strips.
#[derive(Default)]
pub struct Examiner {
    /// The last length with every position tried.
    last: usize,
    stone: Option<Harm>,
    square: Option<Harm>,
    mismatch: Option<Strip>,
}

impl Examiner {
    /// Examines all positions of lengths with depths, up to [`MONOTONICITY_LENGTH`].
    pub(crate) fn new(tablebase: &Tablebase, job: &Job) -> Result<Examiner, ReportError> {
        let mut examiner = Examiner::default();
        let mut shorter: Option<AllValues> = None;
        let longest = tablebase.longest_strips(true).unwrap_or(0);
        for length in MIN_LENGTH..=longest.min(MONOTONICITY_LENGTH) {
            let values = tablebase.ask_strips(length, Some(Metric::Dtw), |table| {
                AllValues::of(&table.sets(length)?)
            })?;
            examiner.examine(&values, shorter.as_ref(), job)?;
            shorter = Some(values);
        }
        Ok(examiner)
    }

    fn examine(
        &mut self,
        values: &AllValues,
        shorter: Option<&AllValues>,
        job: &Job,
    ) -> Result<(), ReportError> {
        self.last = values.length();
        let found = examine(values, shorter, 1, job)?;
        self.stone = self.stone.or(found.stone_hurts.examples.first().copied());
        self.square = self.square.or(found.deletion_hurts.examples.first().copied());
        if self.mismatch.is_none() {
            let found = mismatches(values, 1, job)?;
            let mut examples = found.false_losses.into_iter().chain(found.false_wins);
            self.mismatch = examples.next();
        }
        Ok(())
    }

    /// Returns the claims; their examples are proved again.
    pub(super) fn claims(&self, rows: &[Row]) -> Result<Vec<Claim>, ReportError> {
        let mut claims = vec![no_draws(rows), self.generalized(rows)?];
        claims.extend(self.assertions()?);
        claims.extend(exact(rows));
        Ok(claims)
    }

    /// Returns the claims that an extra stone, a shorter strip, or the move never hurts.
    /// Without depths only the last one, which is proved, is left.
    fn assertions(&self) -> Result<Vec<Claim>, ReportError> {
        let move_never_hurts = Claim {
            source: "Theorem Z, docs/PROOF.md",
            verdict: Verdict::Holds,
            range: "every length, by proof; the command, which asks the tables, was not run for this atlas"
                .to_string(),
            command: "phutbase theory tempo".to_string(),
            ..self.assertion(
                "Having the move never hurts: no board is lost with the move and won without it.",
                "",
                None,
            )?
        };
        if self.last == 0 {
            return Ok(vec![move_never_hurts]);
        }
        let stone = self.assertion(
            "An extra stone between the ball and the goal line attacked never hurts.",
            "the same with a stone more: Left loses",
            self.stone,
        )?;
        let square = self.assertion(
            "One empty square fewer between the ball and the goal line attacked never hurts.",
            "the same with a square less: Left loses",
            self.square,
        )?;
        Ok(vec![stone, square, move_never_hurts])
    }

    /// Creates a claim, refuted by a position and its successor.
    fn assertion(
        &self,
        statement: &'static str,
        then: &str,
        harm: Option<Harm>,
    ) -> Result<Claim, ReportError> {
        let last = self.last;
        let mut range = format!("every position up to length {last}");
        let mut examples = Vec::new();
        let mut proof = String::new();
        if let Some(harm) = harm {
            confirm(&harm.before, Side::Left)?;
            confirm(&harm.after, Side::Right)?;
            let length = harm.before.length();
            range = format!("{range}; the shortest counterexample has {length} squares");
            proof = "proved again by the reference solver".to_string();
            examples.push((harm.before.to_string(), "Left, to move, wins".to_string()));
            examples.push((harm.after.to_string(), then.to_string()));
        }
        let claim = Claim::new(
            Subject::Strip,
            statement,
            "Grossman & Nowakowski §1, as a tempting assertion",
            Verdict::of(harm.is_none()),
            range,
            format!("phutbase theory monotonicity 3..{last}"),
        );
        Ok(Claim {
            examples,
            proof,
            ..claim
        })
    }

    fn generalized(&self, rows: &[Row]) -> Result<Claim, ReportError> {
        let last = last_computed(rows);
        let first_error = first_computed(rows, |potentials| potentials.errors > 0);
        let mut claim = Claim::new(
            Subject::Strip,
            "The generalized potential predicts the winner.",
            "Grossman & Nowakowski §3, 'almost works'",
            Verdict::below(first_error.map(|(length, _)| length)),
            format!("every position up to length {last}, by diagrams"),
            format!("phutbase theory generalized 3..{last}"),
        );
        if let Some(strip) = self.mismatch {
            let predicted = predicted_winner(&strip);
            confirm(&strip, predicted.opponent())?;
            let what = match predicted {
                Side::Left => "Left, to move, should win, and loses",
                Side::Right => "Left, to move, should lose, and wins",
            };
            claim.examples.push((strip.to_string(), what.to_string()));
            claim.proof = "proved again by the reference solver".to_string();
        }
        Ok(claim)
    }
}

/// Maximum length for the reference solver, which is slow.
const REFERENCE_LENGTH: usize = 14;

/// Proves the winner of an example again, by the reference solver.
fn confirm(strip: &Strip, winner: Side) -> Result<(), ReportError> {
    let game = StripGame::new(strip.length()).filter(|_| strip.length() <= REFERENCE_LENGTH);
    let value = game.map(|game| reference::solve(&game)[game.index(strip) as usize]);
    match value.and_then(|value| value.wdl().winner(strip.side())) {
        Some(found) if found == winner => Ok(()),
        _ => Err(ReportError::example(strip, &format!("{winner} wins it"))),
    }
}

/// Returns the first length whose computed potentials satisfy `wanted`.
fn first_computed(rows: &[Row], wanted: impl Fn(&Potentials) -> bool) -> Option<(usize, &Potentials)> {
    let computed = rows
        .iter()
        .filter_map(|row| Some((row.length, row.potentials.as_ref()?)));
    computed.into_iter().find(|(_, potentials)| wanted(potentials))
}

fn no_draws(rows: &[Row]) -> Claim {
    let lengths: Vec<usize> = rows.iter().map(|row| row.length).collect();
    Claim::new(
        Subject::Strip,
        "There is no draw: every position is won by one of the players.",
        "Open question in Sarkar, Phutball draws (after Siegel)",
        Verdict::of(rows.iter().all(Row::decided)),
        format!(
            "every position of lengths {}, by tables that hold a proof of every win",
            runs(&lengths)
        ),
        "phutbase verify",
    )
}

/// Returns the claims about the exact potential. Rows exist only if κ and λ do for all lengths.
/// The chain is examined only with levels.
fn exact(rows: &[Row]) -> impl Iterator<Item = Claim> {
    let last = last_computed(rows);
    let cycle = first_computed(rows, |potentials| !potentials.cycle.is_empty());
    let command = format!("phutbase theory potential 3..{last}");
    let broken = (rows.iter()).find_map(|row| Some((row.length, row.chain.as_ref()?.as_ref().err()?)));
    // Without the chain no κ and λ explain that length, let alone all.
    let chain = chain(rows, broken);
    let verdict = chain.verdict;
    let is_examined = rows.iter().any(|row| row.chain.is_some());
    let potentials = [
        Claim::new(
            Subject::Potential,
            "Exact potential: there are κ ≤ λ for each half strip, the same on all lengths, such that the mover \
                        wins exactly if κ(own half) ≤ λ(other half).",
            "This project; computed, not proved for all lengths",
            verdict,
            match broken {
                None => format!("all lengths up to {last} at once"),
                Some((length, _)) => format!(
                    "all lengths up to {last} at once; none explains {length} squares, where the chain breaks"
                ),
            },
            command.clone(),
        ),
        Claim {
            examples: cycle.map_or(Vec::new(), |(_, found)| found.cycle.iter().map(duel).collect()),
            ..Claim::new(
                Subject::Potential,
                "One number is enough: κ = λ, a potential in the sense of GN Theorem 1.",
                "This project",
                Verdict::below(cycle.map(|(length, _)| length)),
                format!("all lengths up to {last} at once"),
                command,
            )
        },
    ];
    is_examined.then_some(chain).into_iter().chain(potentials)
}

/// Returns the claim of the chain; `broken` is the first length where it fails.
fn chain(rows: &[Row], broken: Option<(usize, &Crossing)>) -> Claim {
    let asked: Vec<usize> = (rows.iter())
        .filter(|row| row.chain.is_some())
        .map(|row| row.length)
        .collect();
    let examples = broken.map_or(Vec::new(), |(_, crossing)| {
        let shows = |what: &'static str| move |strip: &Strip| (strip.to_string(), what.to_string());
        let won = crossing.won.iter().map(shows("Left wins"));
        let exchanged = shows("the right halves exchanged: Right wins");
        won.chain(crossing.not_won.iter().map(exchanged)).collect()
    });
    let asked = runs(&asked);
    Claim {
        examples,
        ..Claim::new(
            Subject::Potential,
            "The chain property: of the right halves that two left halves win against, one set contains the other.",
            "This project",
            Verdict::below(broken.map(|(length, _)| length)),
            format!("every pair of half strips of lengths {asked}, by the tables"),
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

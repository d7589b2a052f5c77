//! The statements that the atlas settles, each with its verdict, the range it was checked on, and the command that checks
//! it again.

use super::{ReportError, Row, Scope};
use crate::games::oddish::MIN_SQUARES;
use crate::theory::backward;
use crate::theory::exact::Duel;
use crate::theory::monotonicity::{Harm, examine};
use crate::theory::oddish::sets::{self, MAX_SET_SQUARES};
use crate::theory::oddish::{lemma_2, play_out, theorem_1};
use crate::theory::planes::{Planes, Watch};

/// Oddish boards on which Lemma 2 is checked, and on which the strategy is played out, at most.
const LEMMA_SQUARES: usize = 16;
const STRATEGY_SQUARES: usize = 12;
/// Strips on which every empty square is tried, at most.
const MONOTONICITY_LENGTH: usize = 16;

/// What became of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds on all that was checked.
    Holds,
    /// It is false.
    Refuted,
    /// It holds up to some length and fails then.
    HoldsUpTo(usize),
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The statement, in a sentence.
    pub statement: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// What became of it.
    pub verdict: Verdict,
    /// What was checked.
    pub range: String,
    /// The command that does it again.
    pub command: String,
    /// Positions that show it, with a word on each.
    pub examples: Vec<(String, String)>,
}

/// Gathers evidence while lengths go by.
pub struct Examiner {
    scope: Scope,
    shorter: Option<Planes>,
    stone: Option<Harm>,
    square: Option<Harm>,
    zugzwang: u64,
    backward: Option<(usize, u64, Vec<String>)>,
}

impl Examiner {
    /// Nothing seen yet.
    pub(super) fn new(scope: Scope) -> Examiner {
        Examiner {
            scope,
            shorter: None,
            stone: None,
            square: None,
            zugzwang: 0,
            backward: None,
        }
    }

    /// Looks at the next length.
    pub(super) fn examine(&mut self, planes: Planes, watch: Watch<'_>) -> Result<(), ReportError> {
        let length = planes.layout().length();
        if length <= MONOTONICITY_LENGTH {
            let found = examine(&planes, self.shorter.as_ref(), 1, watch)?;
            self.stone = self.stone.or(found.stone.first.first().copied());
            self.square = self.square.or(found.square.first.first().copied());
            self.zugzwang += found.zugzwang;
        }
        if self.backward.is_none() {
            let found = backward::scan(&planes, 3, watch)?;
            if found.count > 0 {
                let positions = found.positions.iter().map(ToString::to_string).collect();
                self.backward = Some((length, found.count, positions));
            }
        }
        self.shorter = Some(planes);
        Ok(())
    }

    /// The statements with their verdicts.
    pub(super) fn finish(self, rows: &[Row], watch: Watch<'_>) -> Result<Vec<Claim>, ReportError> {
        let mut claims = oddish(self.scope, watch)?;
        claims.push(no_draws(rows));
        claims.push(generalized(rows));
        claims.extend(self.assertions());
        claims.push(self.backward_jumps());
        claims.extend(exact(rows));
        Ok(claims)
    }

    fn monotonicity_length(&self) -> usize {
        self.scope.dense_length.min(MONOTONICITY_LENGTH)
    }

    fn assertions(&self) -> [Claim; 3] {
        let last = self.monotonicity_length();
        let claim = |statement, harm: Option<Harm>| Claim {
            statement,
            source: "Grossman & Nowakowski §1, as a tempting assertion",
            verdict: if harm.is_some() {
                Verdict::Refuted
            } else {
                Verdict::Holds
            },
            range: match harm {
                Some(harm) => format!(
                    "every position up to length {last}; the shortest counterexample has {} squares",
                    harm.before.length()
                ),
                None => format!("every position up to length {last}"),
            },
            command: format!("phutbase theory monotonicity --max-length {last}"),
            examples: harm.map_or(Vec::new(), |harm| {
                vec![
                    (harm.before.to_string(), "Left wins".to_string()),
                    (harm.after.to_string(), "Left loses".to_string()),
                ]
            }),
        };
        [
            claim(
                "A stone more between the ball and the goal line attacked never hurts.",
                self.stone,
            ),
            claim(
                "An empty square less between the ball and the goal line attacked never hurts.",
                self.square,
            ),
            Claim {
                statement: "Having the move never hurts: no board is lost with the move and won without it.",
                source: "This project",
                verdict: if self.zugzwang == 0 {
                    Verdict::Holds
                } else {
                    Verdict::Refuted
                },
                range: format!("every board up to length {last}"),
                command: format!("phutbase theory monotonicity --max-length {last}"),
                examples: Vec::new(),
            },
        ]
    }

    fn backward_jumps(&self) -> Claim {
        let last = self.scope.dense_length;
        let (verdict, range, examples) = match &self.backward {
            None => (
                Verdict::Holds,
                format!("every position up to length {last}"),
                Vec::new(),
            ),
            Some((length, count, positions)) => (
                Verdict::HoldsUpTo(length - 1),
                format!("every position up to length {length}, where {count} positions refute it"),
                positions
                    .iter()
                    .map(|position| (position.clone(), "only a jump backward wins".to_string()))
                    .collect(),
            ),
        };
        Claim {
            statement: "Never jump backwards: who wins has a winning turn other than a jump towards the own goal line.",
            source: "Grossman & Nowakowski §1, as a heuristic that 'does not always work'",
            verdict,
            range,
            command: format!("phutbase theory backward-jumps --max-length {last}"),
            examples,
        }
    }
}

fn holds(yes: bool) -> Verdict {
    if yes { Verdict::Holds } else { Verdict::Refuted }
}

/// Theorem 1, Lemma 2 and the strategy.
fn oddish(scope: Scope, watch: Watch<'_>) -> Result<Vec<Claim>, ReportError> {
    let last = scope.oddish_squares;
    let (mut theorem, mut lemma, mut strategy) = (true, true, true);
    for squares in 2..=last {
        (watch.say)(format!("Oddish, {squares} squares"));
        let found = theorem_1(squares, watch)?;
        theorem &= found.mismatches.total() == 0 && found.draws == 0;
        if squares <= LEMMA_SQUARES {
            lemma &= lemma_2(squares).is_some_and(|found| found.holds());
        }
        if squares <= STRATEGY_SQUARES {
            strategy &= play_out(squares).is_some_and(|found| found.won == found.given);
        }
    }
    let mut by_sets = true;
    for squares in MIN_SQUARES..=MAX_SET_SQUARES {
        by_sets &= sets::check(squares, watch)?.holds();
    }
    let source = "Grossman & Nowakowski §2";
    let claim = |statement, yes, squares: usize| Claim {
        statement,
        source,
        verdict: holds(yes),
        range: format!("every position up to {squares} squares"),
        command: format!("phutbase theory oddish --max-squares {squares}"),
        examples: Vec::new(),
    };
    Ok(vec![
        claim(
            "Theorem 1: in Oddish Phutball the lower potential wins; equal potentials, the mover wins.",
            theorem,
            last,
        ),
        Claim {
            statement: "Theorem 1 past enumeration, by sets of positions and the paper's argument that play ends.",
            source,
            verdict: holds(by_sets),
            range: format!("every size up to {MAX_SET_SQUARES} squares"),
            command: format!("phutbase theory oddish --max-squares {MAX_SET_SQUARES}"),
            examples: Vec::new(),
        },
        claim(
            "Lemma 2 (i), (ii), (iii): what one turn does to the potentials.",
            lemma,
            last.min(LEMMA_SQUARES),
        ),
        claim(
            "The strategy in the proof of Theorem 1 wins against every reply, and the game ends.",
            strategy,
            last.min(STRATEGY_SQUARES),
        ),
    ])
}

fn no_draws(rows: &[Row]) -> Claim {
    let last = rows.last().map_or(0, |row| row.length);
    Claim {
        statement: "There is no draw: every position is won by one of the players.",
        source: "Open question in Sarkar, Phutball draws (after Siegel)",
        verdict: holds(rows.iter().all(|row| row.wins + row.losses == row.positions)),
        range: format!("every position up to length {last}, by diagrams"),
        command: format!("phutbase draws --engine symbolic --max-length {last}"),
        examples: Vec::new(),
    }
}

fn generalized(rows: &[Row]) -> Claim {
    let last = rows.last().map_or(0, |row| row.length);
    let first_error = rows.iter().find(|row| row.errors > 0).map(|row| row.length);
    Claim {
        statement: "The generalized potential predicts the winner.",
        source: "Grossman & Nowakowski §3, 'almost works'",
        verdict: first_error.map_or(Verdict::Holds, |length| Verdict::HoldsUpTo(length - 1)),
        range: format!("every position up to length {last}, by diagrams"),
        command: format!("phutbase theory generalized --max-length {last}"),
        examples: match first_error {
            Some(9) => vec![(".@.o..o..".to_string(), "predicted a loss, is a win".to_string())],
            _ => Vec::new(),
        },
    }
}

/// The exact potential. That the rows are there means that κ and λ were found for all lengths.
fn exact(rows: &[Row]) -> [Claim; 2] {
    let last = rows.last().map_or(0, |row| row.length);
    let circle = rows.iter().find(|row| !row.circle.is_empty());
    let command = format!("phutbase theory potential --max-length {last}");
    [
        Claim {
            statement: "Exact potential: there are κ ≤ λ for each half strip, the same on all lengths, such that the mover \
                        wins exactly if κ(own half) ≤ λ(other half).",
            source: "This project; computed, not proved for all lengths",
            verdict: Verdict::Holds,
            range: format!("all lengths up to {last} at once"),
            command: command.clone(),
            examples: Vec::new(),
        },
        Claim {
            statement: "One number is enough: κ = λ, a potential in the sense of Theorem 1.",
            source: "This project",
            verdict: circle.map_or(Verdict::Holds, |row| Verdict::HoldsUpTo(row.length - 1)),
            range: format!("all lengths up to {last} at once"),
            command,
            examples: circle.map_or(Vec::new(), |row| row.circle.iter().map(duel).collect()),
        },
    ]
}

/// A half strip and what it does to another.
fn duel(duel: &Duel) -> (String, String) {
    let verb = if duel.wins { "beats" } else { "does not beat" };
    (
        duel.own.to_string(),
        format!("as the mover's own half {verb} {}", duel.other),
    )
}

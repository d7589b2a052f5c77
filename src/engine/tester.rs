//! Holds an engine against the tables: asks it for a turn in each of many positions, and judges the turn.
//!
//! A turn is *illegal* if it is not, letter for letter, one that `phutbase probe` lists. It *keeps the value* if a win stays a
//! win and a draw no loss; it is *best* if it also wins in as few plies, or loses in as many, as any. A position *matters* if
//! some legal turn in it would be judged wrong: only there is anything tested.

use super::client::{Client, EngineFault, Setup};
use crate::games::position::Phutball;
use crate::games::strip::{MAX_LENGTH, MIN_LENGTH, Strip};
use crate::outcome::{Side, Verdict, words};
use crate::table::error::TableError;
use crate::table::strip::play::RatedTurn;
use crate::table::tablebase::Tablebase;
use crate::theory::find::Uniform;
use hashbrown::HashSet;
use num_bigint::BigUint;
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Faults in a row after which the engine is not started any more.
const MOST_FAULTS: usize = 10;
/// The most positions of one length of which all are asked.
pub const MOST_POSITIONS: u128 = 1 << 22;

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum TestError {
    /// The engine does not get as far as `readyok`.
    #[error("the engine was asked nothing, because it did not get ready: {0}")]
    Handshake(#[from] EngineFault),
    /// The tables do not know a position.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// What a turn is held to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// It keeps who wins.
    Value,
    /// No turn is better, depths counted.
    Best,
}

words!(By: Value = "value", Best = "best");

/// How the engine did in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The turn is as good as asked for.
    Good,
    /// The turn is legal, and not.
    Blunder {
        /// What it is worth.
        verdict: Verdict,
    },
    /// There is no such turn.
    Illegal,
    /// The engine gave none.
    Failed {
        /// What happened.
        reason: String,
    },
}

/// A position with what the engine made of it.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The position.
    pub strip: Strip,
    /// Its value.
    pub verdict: Verdict,
    /// The turns that are good enough, the best first.
    pub expected: Vec<String>,
    /// Whether there are turns that are not.
    pub matters: bool,
    /// The engine's turn; empty if it gave none.
    pub turn: String,
    /// How it did.
    pub outcome: Outcome,
    /// The time it took.
    pub time: Duration,
}

/// Results counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Positions.
    #[serde(rename = "positions")]
    pub asked: usize,
    /// Those that matter.
    pub matters: usize,
    /// Good turns where it matters.
    pub good: usize,
    /// Legal turns that are not good.
    pub blunders: usize,
    /// Illegal ones.
    pub illegal: usize,
    /// Positions without a turn.
    pub failed: usize,
}

impl Tally {
    /// Counts one more.
    pub fn add(&mut self, judged: &Judged) {
        self.asked += 1;
        self.matters += usize::from(judged.matters);
        match judged.outcome {
            Outcome::Good => self.good += usize::from(judged.matters),
            Outcome::Blunder { .. } => self.blunders += 1,
            Outcome::Illegal => self.illegal += 1,
            Outcome::Failed { .. } => self.failed += 1,
        }
    }

    /// Whether nothing went wrong.
    pub fn passed(&self) -> bool {
        self.blunders + self.illegal + self.failed == 0
    }

    /// Good turns where it matters, out of 100; `None` if it never did.
    pub fn score(&self) -> Option<f64> {
        (self.matters > 0).then(|| 100.0 * self.good as f64 / self.matters as f64)
    }
}

/// Tallies by length, and all together.
pub fn tallies(judged: &[Judged]) -> (BTreeMap<usize, Tally>, Tally) {
    let mut by_length: BTreeMap<usize, Tally> = BTreeMap::new();
    let mut all = Tally::default();
    for one in judged {
        by_length.entry(one.strip.length()).or_default().add(one);
        all.add(one);
    }
    (by_length, all)
}

/// Positions of a length with either player to move: `None` if the length is out of range.
pub fn population(length: usize) -> Option<u128> {
    crate::games::strip::positions(length)?.checked_mul(2)
}

/// Every position of a length, Left and Right to move in turn; none if the length is out of range.
pub fn every(length: usize) -> impl Iterator<Item = Strip> {
    let balls = if (MIN_LENGTH..=MAX_LENGTH).contains(&length) {
        1..length - 1
    } else {
        1..1
    };
    balls.flat_map(move |ball| {
        (0..1u128 << (length - 1)).flat_map(move |pattern| {
            [Side::Left, Side::Right]
                .into_iter()
                .filter_map(move |side| Strip::from_pattern(length, ball, pattern, side))
        })
    })
}

/// Different positions of a length, uniformly at random; all of them if there are no more than that.
pub fn sample(length: usize, count: usize, chance: &mut Uniform) -> Vec<Strip> {
    if population(length).is_none_or(|all| all <= count as u128) {
        return every(length).collect();
    }
    let mut met = HashSet::new();
    let patterns = BigUint::from(1u8) << (length - 1);
    while met.len() < count {
        let mut below = |bound: BigUint| {
            let number = u128::try_from(chance.below(&bound));
            number.expect("a strip has at most 127 squares besides the ball's")
        };
        let ball = 1 + below(BigUint::from(length - 2)) as usize;
        let side = [Side::Left, Side::Right][below(BigUint::from(2u8)) as usize];
        let pattern = below(patterns.clone());
        met.extend(Strip::from_pattern(length, ball, pattern, side));
    }
    let mut sample: Vec<Strip> = met.into_iter().collect();
    sample.sort_by_key(|strip| (strip.ball(), strip.stones(), strip.side()));
    sample
}

/// Asks an engine about positions. One that fails is started anew for the next position, until it has failed ten times in a row;
/// then the rest counts as failed without being asked. `each` sees every result, and ends the test when it breaks.
///
/// # Errors
/// [`TestError`] if the engine does not get ready at all, or the tables do not know a position; what it does wrong later is no error but
/// a result.
pub fn test(
    tables: &Tablebase,
    cases: &[Strip],
    by: By,
    setup: &Setup,
    go: &str,
    each: &mut dyn FnMut(&Judged) -> ControlFlow<()>,
) -> Result<Vec<Judged>, TestError> {
    let mut engine = Restarting {
        setup,
        client: Some(Client::start(setup)?),
        faults: 0,
        last: String::new(),
    };
    let mut judged = Vec::with_capacity(cases.len());
    for strip in cases {
        let rated = tables.ask(strip.length(), |table| table.rated_turns(strip))?;
        let asked = Instant::now();
        let answer = engine.turn(&Phutball::Strip(*strip).fen(), go);
        let one = judge(strip, &rated, by, answer, asked.elapsed());
        let flow = each(&one);
        judged.push(one);
        if flow.is_break() {
            break;
        }
    }
    Ok(judged)
}

/// An engine that is started when it is needed.
struct Restarting<'a> {
    setup: &'a Setup,
    client: Option<Client>,
    /// Faults since the last turn that it gave.
    faults: usize,
    last: String,
}

impl Restarting<'_> {
    fn turn(&mut self, fen: &str, go: &str) -> Result<String, String> {
        if self.faults >= MOST_FAULTS {
            return Err(format!(
                "not asked, after {MOST_FAULTS} faults in a row; the last: {}",
                self.last
            ));
        }
        match self.ask(fen, go) {
            Ok(turn) => {
                self.faults = 0;
                Ok(turn)
            }
            Err(fault) => {
                self.client = None;
                self.faults += 1;
                self.last = fault.to_string();
                Err(fault.to_string())
            }
        }
    }

    fn ask(&mut self, fen: &str, go: &str) -> Result<String, EngineFault> {
        let client = match &mut self.client {
            Some(client) => client,
            none => none.insert(Client::start(self.setup)?),
        };
        client.turn(fen, go)
    }
}

/// Judges an answer; the rated turns are all there are, the best first.
pub fn judge(
    strip: &Strip,
    rated: &[RatedTurn],
    by: By,
    answer: Result<String, String>,
    time: Duration,
) -> Judged {
    let best = rated.first().map(|turn| turn.verdict);
    let good = |turn: &RatedTurn| match by {
        By::Value => Some(turn.verdict.wdl) == best.map(|best| best.wdl),
        By::Best => Some(turn.verdict) == best,
    };
    let (turn, outcome) = match answer {
        Err(reason) => (String::new(), Outcome::Failed { reason }),
        Ok(turn) => {
            // Some engines add what they expect in reply.
            let first = turn.split_whitespace().next().unwrap_or("").to_string();
            let outcome = match rated.iter().find(|rated| rated.turn.to_string() == first) {
                None => Outcome::Illegal,
                Some(found) if good(found) => Outcome::Good,
                Some(found) => Outcome::Blunder {
                    verdict: found.verdict,
                },
            };
            (first, outcome)
        }
    };
    Judged {
        strip: *strip,
        verdict: best.unwrap_or(Verdict::from(crate::outcome::Wdl::Draw)),
        expected: (rated.iter().filter(|turn| good(turn)))
            .map(|turn| turn.turn.to_string())
            .collect(),
        matters: !rated.iter().all(good),
        turn,
        outcome,
        time,
    }
}

impl Judged {
    /// What went wrong, in a sentence with what was expected; `None` if nothing did.
    pub fn complaint(&self) -> Option<String> {
        let expected = || {
            let shown: Vec<&str> = self.expected.iter().take(8).map(String::as_str).collect();
            let more = if self.expected.len() > 8 { " …" } else { "" };
            format!("expected {}{more}", shown.join(" "))
        };
        match &self.outcome {
            Outcome::Good => None,
            Outcome::Blunder { verdict } => Some(format!(
                "{} is a {verdict} where the position is a {}; {}",
                self.turn,
                self.verdict,
                expected()
            )),
            Outcome::Illegal => Some(format!("'{}' is not a legal turn; {}", self.turn, expected())),
            Outcome::Failed { reason } => Some(reason.clone()),
        }
    }
}

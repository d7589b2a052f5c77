//! Tests an engine against the tables: asks for a turn in many positions and judges it.
//!
//! A turn is *illegal* unless it matches one that `phutbase probe` lists, letter for letter. It
//! *keeps the value* if a win stays a win and a draw is not lost; it is *best* if no turn wins in
//! fewer or loses in more plies. A position *matters* if some legal turn would be judged wrong.

use super::client::{Client, EngineFault, Setup};
use crate::games::position::Phutball;
use crate::games::strip::{MAX_LENGTH, MIN_LENGTH, RatedStripTurn, Strip};
use crate::outcome::{Side, Verdict, words};
use crate::table::strip::find::Uniform;
use crate::table::{TableError, Tablebase};
use hashbrown::HashSet;
use num_bigint::BigUint;
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Consecutive faults after which the engine is not restarted.
const MAX_FAULTS: usize = 10;
/// The largest number of positions of one length that can all be asked.
pub const MAX_POSITIONS: u128 = 1 << 22;

/// The reason why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum TestError {
    #[error("the engine did not become ready: {0}")]
    Handshake(#[from] EngineFault),
    #[error(transparent)]
    Table(#[from] TableError),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    Value,
    /// No turn is better, including depths.
    Best,
}

words!(By: Value = "value", Best = "best");

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Good,
    /// The turn is legal but not good.
    Blunder {
        verdict: Verdict,
    },
    Illegal,
    Failed {
        reason: String,
    },
}

#[derive(Clone, Debug)]
pub struct Judged {
    pub strip: Strip,
    pub verdict: Verdict,
    /// The good turns, the best first.
    pub expected: Vec<String>,
    /// True if some legal turn is not good.
    pub matters: bool,
    /// The engine's turn; empty if it gave none.
    pub turn: String,
    pub outcome: Outcome,
    pub time: Duration,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    #[serde(rename = "positions")]
    pub asked: usize,
    pub matters: usize,
    pub good: usize,
    pub blunders: usize,
    pub illegal: usize,
    pub failed: usize,
}

impl Tally {
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

    pub fn passed(&self) -> bool {
        self.blunders + self.illegal + self.failed == 0
    }

    /// Returns the percentage of good turns where it matters; `None` if it never did.
    pub fn score(&self) -> Option<f64> {
        (self.matters > 0).then(|| 100.0 * self.good as f64 / self.matters as f64)
    }
}

pub fn tallies(judged: &[Judged]) -> (BTreeMap<usize, Tally>, Tally) {
    let mut by_length: BTreeMap<usize, Tally> = BTreeMap::new();
    let mut all = Tally::default();
    for one in judged {
        by_length.entry(one.strip.length()).or_default().add(one);
        all.add(one);
    }
    (by_length, all)
}

/// Counts the positions of a length with either player to move; `None` if out of range.
pub fn population(length: usize) -> Option<u128> {
    crate::games::strip::positions(length)?.checked_mul(2)
}

/// Iterates over the positions of a length, Left and Right to move; empty if out of range.
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

/// Samples distinct positions of a length uniformly; all if there are no more than `count`.
pub fn sample(length: usize, count: usize, chance: &mut Uniform) -> Vec<Strip> {
    if population(length).is_none_or(|all| all <= count as u128) {
        return every(length).collect();
    }
    let mut drawn = HashSet::new();
    let patterns = BigUint::from(1u8) << (length - 1);
    while drawn.len() < count {
        let mut below = |bound: BigUint| {
            let number = u128::try_from(chance.below(&bound));
            number.expect("a strip has at most 127 squares besides the ball's")
        };
        let ball = 1 + below(BigUint::from(length - 2)) as usize;
        let side = [Side::Left, Side::Right][below(BigUint::from(2u8)) as usize];
        let pattern = below(patterns.clone());
        drawn.extend(Strip::from_pattern(length, ball, pattern, side));
    }
    let mut sample: Vec<Strip> = drawn.into_iter().collect();
    sample.sort_by_key(|strip| (strip.ball(), strip.stones(), strip.side()));
    sample
}

/// Asks an engine about positions. After a fault it is restarted for the next position; after ten
/// consecutive faults the rest counts as failed. `each` is called with every result; `Break` ends
/// the test.
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

/// An engine that is started on demand.
struct Restarting<'a> {
    setup: &'a Setup,
    client: Option<Client>,
    faults: usize,
    last: String,
}

impl Restarting<'_> {
    fn turn(&mut self, fen: &str, go: &str) -> Result<String, String> {
        if self.faults >= MAX_FAULTS {
            return Err(format!(
                "not asked after {MAX_FAULTS} faults in a row; the last: {}",
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
        client.new_game()?;
        client.turn(&format!("fen {fen}"), go, self.setup.ready)
    }
}

/// Judges an answer; `rated` holds all turns, the best first.
pub fn judge(
    strip: &Strip,
    rated: &[RatedStripTurn],
    by: By,
    answer: Result<String, String>,
    time: Duration,
) -> Judged {
    let best = rated.first().map(|turn| turn.verdict);
    let good = |turn: &RatedStripTurn| match by {
        By::Value => Some(turn.verdict.wdl) == best.map(|best| best.wdl),
        By::Best => Some(turn.verdict) == best,
    };
    let (turn, outcome) = match answer {
        Err(reason) => (String::new(), Outcome::Failed { reason }),
        Ok(turn) => {
            // Some engines append the expected reply.
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
    /// Describes a failure and the expected turns; `None` if the turn is good.
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

/// Writes results as JUnit XML for CI servers: a suite per length, a case per position. Blunders and illegal turns are failures, missing turns are errors.
pub fn junit_xml(engine: &str, judged: &[Judged]) -> String {
    let mut by_length: BTreeMap<usize, Vec<&Judged>> = BTreeMap::new();
    for one in judged {
        by_length.entry(one.strip.length()).or_default().push(one);
    }
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\">\n",
        escaped(engine)
    );
    for (length, cases) in by_length {
        let count = |element| {
            cases
                .iter()
                .filter(|one| problem(one).map(|it| it.0) == Some(element))
                .count()
        };
        let (failures, errors) = (count("failure"), count("error"));
        let tests = cases.len();
        text += &format!(
            "<testsuite name=\"strip-{length}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\">\n"
        );
        cases.iter().for_each(|one| text += &case(one));
        text += "</testsuite>\n";
    }
    text + "</testsuites>\n"
}

fn case(judged: &Judged) -> String {
    let name = escaped(&Phutball::Strip(judged.strip).fen());
    let (length, seconds) = (judged.strip.length(), judged.time.as_secs_f64());
    let body = problem(judged).map_or(String::new(), |(element, kind)| {
        let message = escaped(&judged.complaint().unwrap_or_default());
        format!("<{element} type=\"{kind}\" message=\"{message}\"/>")
    });
    format!(
        "<testcase name=\"{name}\" classname=\"strip-{length}\" time=\"{seconds:.3}\">{body}</testcase>\n"
    )
}

/// Returns the XML element and the type of a failure.
fn problem(judged: &Judged) -> Option<(&'static str, &'static str)> {
    match judged.outcome {
        Outcome::Good => None,
        Outcome::Blunder { .. } => Some(("failure", "blunder")),
        Outcome::Illegal => Some(("failure", "illegal")),
        Outcome::Failed { .. } => Some(("error", "fault")),
    }
}

/// Escapes markup for an attribute and drops characters that XML forbids.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\u{fffe}' | '\u{ffff}' => {}
            _ if character.is_control() => {}
            _ => escaped.push(character),
        }
    }
    escaped
}

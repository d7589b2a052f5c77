//! Tests an engine against the tables: asks for a turn in many positions and judges it.
//!
//! A turn is *illegal* unless it matches one that `phutbase probe` lists, letter for letter. It
//! *keeps the value* if a win stays a win and a draw is not lost; it is *best* if no turn wins in
//! fewer or loses in more plies. A position *matters* if some legal turn would be judged wrong.

use super::client::{Client, EngineFault, Setup};
use hashbrown::HashSet;
use num_bigint::BigUint;
use phutbase_base::game::Game;
use phutbase_base::outcome::{Side, Verdict, Wdl, words};
use phutbase_base::random::Uniform;
use phutbase_rules::boards::Boards;
use phutbase_rules::pitch::{Pitch, PitchGame};
use phutbase_rules::position::{Phutball, RatedTurn};
use phutbase_rules::strip::{Strip, positions, square_set};
use phutbase_table::{TableError, Tablebase};
use serde::Serialize;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// Consecutive faults after which the engine is not restarted.
const MAX_FAULTS: usize = 10;
/// The largest number of positions in a test: they and their results are kept in memory.
pub const MAX_POSITIONS: u64 = 1 << 22;

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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Good,
    /// The turn is legal but not good.
    Blunder,
    Illegal,
    /// The engine gave no turn.
    Failed,
}

words!(Outcome: Good = "good", Blunder = "blunder", Illegal = "illegal", Failed = "failed");

#[derive(Clone, Debug)]
pub struct Judged {
    pub position: Phutball,
    pub verdict: Verdict,
    /// The good turns, the best first; [`test()`] returns them only beside a complaint.
    pub expected: Vec<String>,
    /// True if some legal turn is not good.
    pub matters: bool,
    /// The engine's turn; empty if it gave none.
    pub turn: String,
    pub outcome: Outcome,
    /// True if the turn came after the time limit.
    pub is_late: bool,
    /// Describes a failure and the expected turns, or a late turn; `None` if the turn is good and
    /// in time.
    pub complaint: Option<String>,
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
    /// Turns after the time limit, good or not.
    pub late: usize,
}

impl Tally {
    pub fn of(judged: &[Judged]) -> Tally {
        let count = |wanted: fn(&Judged) -> bool| judged.iter().filter(|one| wanted(one)).count();
        Tally {
            asked: judged.len(),
            matters: count(|one| one.matters),
            good: count(|one| one.matters && one.outcome == Outcome::Good),
            blunders: count(|one| one.outcome == Outcome::Blunder),
            illegal: count(|one| one.outcome == Outcome::Illegal),
            failed: count(|one| one.outcome == Outcome::Failed),
            late: count(|one| one.is_late),
        }
    }

    pub fn passed(&self) -> bool {
        self.blunders + self.illegal + self.failed + self.late == 0
    }

    /// Returns the percentage of good turns where it matters; `None` if it never did.
    pub fn score(&self) -> Option<f64> {
        (self.matters > 0).then(|| 100.0 * self.good as f64 / self.matters as f64)
    }
}

/// Groups the results by boards; those of one size must be consecutive.
pub fn by_boards(judged: &[Judged]) -> impl Iterator<Item = (Boards, &[Judged])> {
    let groups = judged.chunk_by(|one, next| one.position.boards() == next.position.boards());
    groups.map(|cases| (cases[0].position.boards(), cases))
}

/// Iterates over the positions of a length, Left and Right to move.
pub fn every(length: usize) -> impl Iterator<Item = Strip> {
    (1..length - 1).flat_map(move |ball| {
        (0..1u64 << (length - 1)).flat_map(move |pattern| {
            [Side::Left, Side::Right]
                .into_iter()
                .filter_map(move |side| Strip::from_pattern(length, ball, pattern, side))
        })
    })
}

/// Iterates over the positions of a pitch, Alfred and Betty to move.
pub fn every_pitch(game: PitchGame) -> impl Iterator<Item = Pitch> {
    (0..game.positions()).flat_map(move |index| {
        let pitch = game.position(index);
        [pitch, pitch.turned()]
    })
}

/// Samples distinct positions of a pitch uniformly; all if there are no more than `count`.
pub fn sample_pitch(game: &PitchGame, count: usize, chance: &mut Uniform) -> Vec<Pitch> {
    if 2 * game.positions() <= count as u64 {
        return every_pitch(*game).collect();
    }
    let mut drawn = BTreeSet::new();
    let all = BigUint::from(2 * game.positions());
    while drawn.len() < count {
        drawn.extend(u64::try_from(chance.below(&all)));
    }
    let position = |number: u64| {
        let pitch = game.position(number / 2);
        if number.is_multiple_of(2) {
            pitch
        } else {
            pitch.turned()
        }
    };
    drawn.into_iter().map(position).collect()
}

/// Returns the name of the suite of some boards: `strip-9`, `pitch-7x3`.
fn suite_name(boards: &Boards) -> String {
    match boards {
        Boards::Pitch(shape) => format!("pitch-{shape}"),
        boards => format!("strip-{boards}"),
    }
}

/// Samples distinct positions of a length uniformly; all if there are no more than `count`.
pub fn sample(length: usize, count: usize, chance: &mut Uniform) -> Vec<Strip> {
    if 2u8 * positions(length) <= count.into() {
        return every(length).collect();
    }
    let mut drawn = HashSet::new();
    let patterns = BigUint::from(1u8) << (length - 1);
    while drawn.len() < count {
        let ball = 1 + chance.index(length - 2);
        let side = [Side::Left, Side::Right][chance.index(2)];
        let pattern = square_set(&chance.below(&patterns).to_u64_digits());
        drawn.extend(Strip::from_pattern(length, ball, pattern, side));
    }
    let mut sample: Vec<Strip> = drawn.into_iter().collect();
    sample.sort_by_key(|strip| (strip.ball(), strip.stones(), strip.side()));
    sample
}

/// Asks an engine about positions, until the job of the setup is stopped. After a fault it is
/// restarted for the next position; after ten consecutive faults the rest counts as failed. `each`
/// is called with every result.
pub fn test(
    tables: &Tablebase,
    cases: &[Phutball],
    by: By,
    setup: &Setup,
    go: &str,
    limit: Option<Duration>,
    each: &mut dyn FnMut(&Judged),
) -> Result<Vec<Judged>, TestError> {
    let mut engine = Restarting {
        setup,
        client: Some(Client::start(setup)?),
        faults: 0,
        last: String::new(),
    };
    let mut judged = Vec::with_capacity(cases.len());
    for position in cases {
        let rated = tables.ask_boards(&position.boards(), |table| table.rated_turns(position))?;
        let asked = Instant::now();
        let answer = engine.turn(&position.fen(), go);
        if setup.job.is_stopped() {
            break;
        }
        let time = (answer.as_ref()).map_or_else(|_| asked.elapsed(), |(_, time)| *time);
        let mut one = judge(position, &rated, by, answer.map(|(turn, _)| turn), time);
        if let Some(limit) = limit.filter(|limit| time > *limit && one.outcome != Outcome::Failed) {
            one.is_late = true;
            let late = format!(
                "{} ms for a turn, {} ms were allowed",
                time.as_millis(),
                limit.as_millis()
            );
            one.complaint = Some(match one.complaint {
                Some(complaint) => format!("{complaint}; {late}"),
                None => late,
            });
        }
        each(&one);
        if one.complaint.is_none() {
            one.expected = Vec::new();
        }
        judged.push(one);
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
    fn turn(&mut self, fen: &str, go: &str) -> Result<(String, Duration), String> {
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

    fn ask(&mut self, fen: &str, go: &str) -> Result<(String, Duration), EngineFault> {
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
    position: &Phutball,
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
    let verdict = best.unwrap_or(Verdict::from(Wdl::Draw));
    let expected = rated.iter().filter(|turn| good(turn));
    let expected: Vec<String> = expected.map(|turn| turn.turn.to_string()).collect();
    let more = if expected.len() > 8 { " …" } else { "" };
    let shown = format!("expected {}{more}", expected[..expected.len().min(8)].join(" "));
    // Some engines append the expected reply.
    let words = answer.as_deref().unwrap_or_default();
    let turn = words.split_whitespace().next().unwrap_or("").to_string();
    let found = rated.iter().find(|rated| rated.turn == turn);
    let (outcome, complaint) = match (answer, found) {
        (Err(reason), _) => (Outcome::Failed, Some(reason)),
        (Ok(_), None) => {
            let complaint = format!("'{turn}' is not a legal turn; {shown}");
            (Outcome::Illegal, Some(complaint))
        }
        (Ok(_), Some(found)) if good(found) => (Outcome::Good, None),
        (Ok(_), Some(RatedTurn { verdict: worse, .. })) => {
            let complaint = format!("{turn} is a {worse} where the position is a {verdict}; {shown}");
            (Outcome::Blunder, Some(complaint))
        }
    };
    Judged {
        position: position.clone(),
        verdict,
        expected,
        matters: !rated.iter().all(good),
        turn,
        outcome,
        is_late: false,
        complaint,
        time,
    }
}

/// Writes results as JUnit XML for CI servers: a suite per length, a case per position. Blunders,
/// illegal and late turns are failures, missing turns are errors.
pub fn junit_xml(engine: &str, properties: &[(&str, String)], judged: &[Judged]) -> String {
    let mut text = junit_begin(engine, judged);
    for (boards, cases) in by_boards(judged) {
        let suite = suite_name(&boards);
        let tally = Tally::of(cases);
        let (tests, failures, errors) = (
            tally.asked,
            cases.iter().filter(|one| one.complaint.is_some()).count() - tally.failed,
            tally.failed,
        );
        text += &format!(
            "<testsuite name=\"{suite}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{}\">\n{}",
            seconds(cases),
            junit_properties(properties)
        );
        cases.iter().for_each(|one| text += &junit_case(one));
        text += "</testsuite>\n";
    }
    text + "</testsuites>\n"
}

/// Returns the beginning of the file, with the time of the results.
pub fn junit_begin(engine: &str, judged: &[Judged]) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\" time=\"{}\">\n",
        escaped(engine),
        seconds(judged)
    )
}

/// Returns the time that the engine took for all turns, in seconds.
fn seconds(judged: &[Judged]) -> String {
    let total: Duration = judged.iter().map(|one| one.time).sum();
    format!("{:.6}", total.as_secs_f64())
}

/// Returns the conditions of the run, as properties of a suite.
fn junit_properties(properties: &[(&str, String)]) -> String {
    let property = |(name, value): &(&str, String)| {
        format!("<property name=\"{name}\" value=\"{}\"/>\n", escaped(value))
    };
    let properties: String = properties.iter().map(property).collect();
    format!("<properties>\n{properties}</properties>\n")
}

/// Returns the entry of a position.
pub fn junit_case(judged: &Judged) -> String {
    let name = escaped(&judged.position.fen());
    let (suite, seconds) = (suite_name(&judged.position.boards()), judged.time.as_secs_f64());
    let (element, kind) = match judged.outcome {
        Outcome::Failed => ("error", "fault"),
        Outcome::Good => ("failure", "late"),
        outcome => ("failure", outcome.word()),
    };
    let body = judged.complaint.as_deref().map_or(String::new(), |complaint| {
        let message = escaped(complaint);
        format!("<{element} type=\"{kind}\" message=\"{message}\"/>")
    });
    format!("<testcase name=\"{name}\" classname=\"{suite}\" time=\"{seconds:.6}\">{body}</testcase>\n")
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

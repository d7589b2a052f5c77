//! Tests an engine against exact values: asks for a turn in many positions and judges it.
//!
//! A turn is *illegal* unless it matches one that `phutbase probe` lists, letter for letter. It
//! *keeps the value* if a win stays a win and a draw is not lost; it is *best* if no turn wins in
//! fewer or loses in more plies. A position *matters* if some legal turn would be judged wrong.
//! Strips beyond the tables with depths are judged by the solution. [`cases`](super::cases) has the
//! positions.

use super::claims::false_claim;
use super::client::{BestMove, Client, EngineFault, Setup};
use super::players::rated;
use super::position::Turn;
use phutbase_ask::sources::Sources;
use phutbase_ask::strip::{MAX_LISTED, TurnCounts};
use phutbase_base::outcome::{Verdict, Wdl, words};
use phutbase_rules::boards::Boards;
use phutbase_rules::position::{Phutball, RatedTurn};
use phutbase_rules::strip::Halves;
use phutbase_tables::TableError;
use serde::Serialize;
use std::time::{Duration, Instant};

/// Consecutive faults after which the engine is not restarted.
const MAX_FAULTS: usize = 10;
/// The reason why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum TestError {
    #[error("the engine did not become ready: {0}")]
    Handshake(#[from] EngineFault),
    #[error(transparent)]
    Table(#[from] TableError),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Criterion {
    Value,
    /// No turn is better, including depths.
    Best,
}

words!(Criterion: Value = "value", Best = "best");

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grade {
    Good,
    /// The turn is legal but not good.
    Blunder,
    Illegal,
    /// The engine gave no turn.
    Failed,
}

words!(Grade: Good = "good", Blunder = "blunder", Illegal = "illegal", Failed = "failed");

#[derive(Clone, Debug)]
pub struct Judged {
    pub position: Phutball,
    /// The value of the position.
    pub verdict: Verdict,
    /// The good turns, the best first; [`test()`] returns them only beside a complaint.
    pub expected: Vec<String>,
    /// True if some legal turn is not good.
    pub matters: bool,
    /// The engine's turn; empty if it gave none.
    pub turn: String,
    pub outcome: Grade,
    /// True if the turn came after the time limit.
    pub is_late: bool,
    /// True if the engine's score or line is wrong.
    pub is_false: bool,
    /// Describes all that is wrong, and the expected turns.
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
    /// Turns with a wrong score or line, good or not.
    pub false_claims: usize,
    /// The greatest time of a turn, without the start of an engine.
    #[serde(skip)]
    pub slowest: Duration,
}

impl Tally {
    pub fn of(judged: &[Judged]) -> Tally {
        let count = |wanted: fn(&Judged) -> bool| judged.iter().filter(|one| wanted(one)).count();
        Tally {
            asked: judged.len(),
            matters: count(|one| one.matters),
            good: count(|one| one.matters && one.outcome == Grade::Good),
            blunders: count(|one| one.outcome == Grade::Blunder),
            illegal: count(|one| one.outcome == Grade::Illegal),
            failed: count(|one| one.outcome == Grade::Failed),
            late: count(|one| one.is_late),
            false_claims: count(|one| one.is_false),
            slowest: judged.iter().map(|one| one.time).max().unwrap_or_default(),
        }
    }

    pub fn passed(&self) -> bool {
        self.blunders + self.illegal + self.failed + self.late + self.false_claims == 0
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

/// The turns of a position.
pub struct RatedTurns {
    /// With their values, the best first. Of a long strip a best turn, and the engine's.
    pub rated: Vec<RatedTurn>,
    /// The value of the position.
    pub verdict: Verdict,
    /// For a strip whose turns are not listed: their numbers.
    counts: Option<TurnCounts>,
}

impl RatedTurns {
    fn of(sources: &Sources, position: &Phutball) -> Result<RatedTurns, TableError> {
        let verdict = sources.verdict(position)?;
        if let Phutball::Strip(strip) = position
            && strip.length() > MAX_LISTED
        {
            return Ok(RatedTurns {
                rated: vec![sources.best_turn(position)?],
                verdict,
                counts: TurnCounts::of(strip),
            });
        }
        let mut rated = sources.rated_turns(position)?;
        let best = rated.first().map_or(Wdl::Draw.into(), |turn| turn.verdict);
        // Plies are judged only where all of them are known.
        if verdict.depth.is_none() {
            rated
                .iter_mut()
                .for_each(|turn| turn.verdict = turn.verdict.wdl.into());
        }
        Ok(RatedTurns {
            rated,
            verdict: best,
            counts: None,
        })
    }

    /// Rates the engine's turn, if the turns are not listed and it is legal.
    fn add(&mut self, sources: &Sources, position: &Phutball, turn: &str) -> Result<(), TableError> {
        if self.counts.is_none() || self.rated.iter().any(|rated| rated.turn == turn) {
            return Ok(());
        }
        if let Ok(after) = position.play(turn) {
            let notation = turn.to_string();
            let mut one = rated(sources, position, &Turn { notation, after })?;
            one.verdict = one.verdict.wdl.into();
            self.rated.push(one);
        }
        Ok(())
    }
}

/// Asks an engine about positions, until the job of the setup is stopped. After a fault it is
/// restarted for the next position; after ten consecutive faults the rest counts as failed. `each`
/// is called with every result.
pub fn test(
    sources: &Sources,
    cases: &[Phutball],
    by: Criterion,
    setup: &Setup,
    go: &str,
    limit: Option<Duration>,
    each: &mut dyn FnMut(&Judged),
) -> Result<Vec<Judged>, TestError> {
    let client = match Client::start(setup) {
        Err(_) if setup.job.is_stopped() => return Ok(Vec::new()),
        started => started?,
    };
    let mut engine = Restarting {
        setup,
        patience: limit.unwrap_or_default() + setup.ready,
        client: Some(client),
        faults: 0,
        last: String::new(),
        waited: Duration::ZERO,
    };
    let mut judged = Vec::with_capacity(cases.len());
    for position in cases {
        let mut turns = RatedTurns::of(sources, position)?;
        let answer = engine.turn(&position.fen(), go);
        if setup.job.is_stopped() {
            break;
        }
        if let Ok(answer) = &answer {
            turns.add(sources, position, made(&answer.turn))?;
        }
        let time = (answer.as_ref()).map_or(engine.waited, |answer| answer.time);
        let report = (answer.as_ref().ok()).and_then(|answer| answer.report.clone());
        let mut one = judge(position, &turns, by, answer.map(|answer| answer.turn), time);
        if let Some(report) = report
            && let Some(claim) = false_claim(sources, position, Some(turns.verdict), &report)?
        {
            one.is_false = true;
            one.complain(claim);
        }
        if let Some(limit) = limit.filter(|limit| one.time > *limit && one.outcome != Grade::Failed) {
            one.is_late = true;
            let [time, limit] = [one.time, limit].map(|time| time.as_millis());
            one.complain(format!("{time} ms for a turn, {limit} ms were allowed"));
        }
        each(&one);
        if one.complaint.is_none() {
            one.expected = Vec::new();
        }
        judged.push(one);
    }
    Ok(judged)
}

impl Judged {
    fn complain(&mut self, fault: String) {
        self.complaint = Some(match self.complaint.take() {
            Some(others) => format!("{others}; {fault}"),
            None => fault,
        });
    }
}

/// An engine that is started on demand.
struct Restarting<'a> {
    setup: &'a Setup,
    /// Time after which the engine counts as hung.
    patience: Duration,
    client: Option<Client>,
    faults: usize,
    last: String,
    /// Time of the last turn until it came or failed, without that of a start before it.
    waited: Duration,
}

impl Restarting<'_> {
    fn turn(&mut self, fen: &str, go: &str) -> Result<BestMove, String> {
        self.waited = Duration::ZERO;
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

    fn ask(&mut self, fen: &str, go: &str) -> Result<BestMove, EngineFault> {
        let client = match &mut self.client {
            Some(client) => client,
            none => none.insert(Client::start(self.setup)?),
        };
        client.new_game()?;
        let asked = Instant::now();
        let answer = client.turn(&format!("fen {fen}"), go, self.patience);
        self.waited = asked.elapsed();
        answer
    }
}

/// Returns the turn of an answer: some engines append the expected reply.
fn made(answer: &str) -> &str {
    answer.split_whitespace().next().unwrap_or("")
}

/// Judges an answer.
pub fn judge(
    position: &Phutball,
    turns: &RatedTurns,
    by: Criterion,
    answer: Result<String, String>,
    time: Duration,
) -> Judged {
    let best = turns.rated.first().map(|turn| turn.verdict);
    let good = |turn: &RatedTurn| match by {
        Criterion::Value => turn.verdict.wdl == turns.verdict.wdl,
        Criterion::Best => Some(turn.verdict) == best,
    };
    let expected = turns.rated.iter().filter(|turn| good(turn));
    let expected: Vec<String> = expected.map(|turn| turn.turn.to_string()).collect();
    let more = if expected.len() > 8 || turns.counts.is_some() {
        " …"
    } else {
        ""
    };
    let shown = format!("expected {}{more}", expected[..expected.len().min(8)].join(" "));
    let turn = made(answer.as_deref().unwrap_or_default()).to_string();
    let found = turns.rated.iter().find(|rated| rated.turn == turn);
    let (outcome, complaint) = match (answer, found) {
        (Err(reason), _) => (Grade::Failed, Some(reason)),
        (Ok(_), None) => {
            let complaint = format!("'{turn}' is not a legal turn; {shown}");
            (Grade::Illegal, Some(complaint))
        }
        (Ok(_), Some(found)) if good(found) => (Grade::Good, None),
        (Ok(_), Some(RatedTurn { verdict: worse, .. })) => {
            let value = turns.verdict;
            let complaint = format!("{turn} is a {worse} where the position is a {value}; {shown}");
            (Grade::Blunder, Some(complaint))
        }
    };
    Judged {
        position: position.clone(),
        verdict: turns.verdict,
        expected,
        matters: match turns.counts {
            Some(TurnCounts { winning, losing }) => winning.min(losing) > 0,
            None => !turns.rated.iter().all(good),
        },
        turn,
        outcome,
        is_late: false,
        is_false: false,
        complaint,
        time,
    }
}

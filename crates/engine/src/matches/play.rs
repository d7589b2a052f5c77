//! One game of a match, with this program as the referee.

use super::super::claims::false_claim;
use super::super::client::{BestMove, Client};
use super::super::game::GameHistory;
use super::super::report::Report;
use super::control::{Control, Session, TurnLimit};
use super::openings::Opening;
use super::{Contestant, Match, MatchError};
use phutbase_ask::sources::Sources;
use phutbase_base::outcome::Verdict;
use phutbase_rules::position::{Phutball, Standing};
use phutbase_tables::TableError;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Occurrences of a position that make the game a draw.
const REPETITIONS: usize = 3;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TimedTurn {
    /// The turn as the engine wrote it.
    pub turn: String,
    pub time: Duration,
    pub report: Option<Report>,
    /// Describes a false score or line.
    pub false_claim: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ending {
    /// The winning engine, 0 or 1; `None` for a draw.
    pub winner: Option<usize>,
    /// The value of the PGN tag `Termination`.
    pub termination: Cow<'static, str>,
    /// The loser's fault, or the reason of an adjudication.
    pub reason: Option<String>,
}

impl Ending {
    /// Ends a game early; `winner` is an engine, 0 or 1.
    pub(super) fn adjudicated(winner: Option<usize>, reason: Option<String>) -> Ending {
        Ending {
            winner,
            termination: ADJUDICATION.into(),
            reason,
        }
    }

    /// Returns true if a fault of the loser ended the game.
    pub fn is_fault(&self) -> bool {
        self.reason.is_some() && self.termination != ADJUDICATION
    }
}

const ADJUDICATION: &str = "adjudication";

#[derive(Clone, Debug)]
pub struct Played {
    /// Number in the match, from 0; games `2k` and `2k + 1` share an opening and the engines.
    pub number: usize,
    /// The contestants of the game.
    pub pairing: [usize; 2],
    /// The engine that moved as the first player: 0 or 1, a place in `pairing`.
    pub first: usize,
    pub opening: Opening,
    pub turns: Vec<TimedTurn>,
    pub ending: Ending,
}

impl Played {
    /// Returns `1-0` if the first player won, else `0-1` or `1/2-1/2`.
    pub fn result(&self) -> &'static str {
        match self.ending.winner {
            None => "1/2-1/2",
            Some(winner) if winner == self.first => "1-0",
            Some(_) => "0-1",
        }
    }

    /// Returns the false claims, each with the turn and the engine, 0 or 1.
    pub fn false_claims(&self) -> impl Iterator<Item = (usize, &str, &str)> {
        let seats = self.opening.position.side() as usize..;
        seats.zip(&self.turns).filter_map(|(seat, made)| {
            let engine = (seat + self.first) % 2;
            Some((engine, &*made.turn, made.false_claim.as_deref()?))
        })
    }
}

/// The engines of a series of games, started on demand.
#[derive(Default)]
pub struct Engines {
    /// By contestant.
    clients: BTreeMap<usize, Client>,
}

impl Engines {
    /// Starts every engine.
    pub fn check(&mut self, plan: &Match) -> Result<(), MatchError> {
        for (number, contestant) in plan.contestants.iter().enumerate() {
            let started = Client::start(&contestant.setup).map_err(|fault| MatchError::Handshake {
                name: contestant.name.clone(),
                fault,
            });
            self.clients.insert(number, started?);
        }
        Ok(())
    }

    /// Plays a game; returns `None` if it was stopped. Engines that do not play in it are ended.
    pub fn play(
        &mut self,
        plan: &Match,
        number: usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<Played>, TableError> {
        let (first, pairing) = (number % 2, plan.pairing(number));
        self.clients.retain(|engine, _| pairing.contains(engine));
        let opening = plan.opening(number).clone();
        let start = opening.position.fen();
        let mut running = Running {
            plan,
            pairing,
            seats: [first, 1 - first],
            clocks: [first, 1 - first].map(|engine| {
                let Contestant { control, setup, .. } = &plan.contestants[pairing[engine]];
                let given = control.limit.time(setup.ready);
                Clock {
                    given,
                    ..Clock::default()
                }
            }),
            value: known(&plan.sources, &opening.position)?,
            game: GameHistory::new(opening.position.clone()),
            turns: Vec::new(),
        };
        let mut end = running.ready(&mut self.clients);
        let ending = loop {
            if let Some(ending) = end {
                break ending;
            }
            if stop() {
                return Ok(None);
            }
            end = match running.end() {
                None => running.turn(&mut self.clients, &start)?,
                end => end,
            };
        };
        if let Some(winner) = ending.winner.filter(|_| ending.is_fault()) {
            self.clients.remove(&pairing[1 - winner]);
            if stop() {
                // The engine was not waited for.
                return Ok(None);
            }
        }
        (self.clients).retain(|&engine, _| !plan.contestants[engine].restarts);
        Ok(Some(Played {
            number,
            pairing,
            first,
            opening,
            turns: running.turns,
            ending,
        }))
    }
}

/// Returns the value of a position; `None` for a pitch without a table.
fn known(sources: &Sources, position: &Phutball) -> Result<Option<Verdict>, TableError> {
    match sources.verdict(position) {
        Err(TableError::Missing { .. }) => Ok(None),
        found => found.map(Some),
    }
}

/// The time of a player, for a turn or by a clock for a game.
#[derive(Clone, Copy, Default)]
struct Clock {
    given: Duration,
    /// Time of the turns so far, by a clock; it may exceed `given` by the margin.
    spent: Duration,
    /// Turns so far, by a clock.
    turns: u32,
}

struct Running<'a> {
    plan: &'a Match,
    /// The contestants of the game.
    pairing: [usize; 2],
    /// The engines of the first and of the second player: places in `pairing`.
    seats: [usize; 2],
    clocks: [Clock; 2],
    /// The value of the position, if it is known.
    value: Option<Verdict>,
    game: GameHistory,
    turns: Vec<TimedTurn>,
}

impl Running<'_> {
    fn contestant(&self, engine: usize) -> &Contestant {
        &self.plan.contestants[self.pairing[engine]]
    }

    /// Starts a new game in both engines; an engine that fails loses.
    fn ready(&self, clients: &mut BTreeMap<usize, Client>) -> Option<Ending> {
        self.seats.into_iter().find_map(|engine| {
            let ready = match clients.get_mut(&self.pairing[engine]) {
                Some(client) => client.new_game(),
                None => Client::start(&self.contestant(engine).setup).and_then(|mut client| {
                    client.new_game()?;
                    clients.insert(self.pairing[engine], client);
                    Ok(())
                }),
            };
            Some(lost(engine, "abandoned", ready.err()?.to_string()))
        })
    }

    /// Returns the end of the game by a goal, a repetition, the scores or the limit on turns.
    fn end(&self) -> Option<Ending> {
        let normal = |winner| Ending {
            winner,
            termination: "normal".into(),
            reason: None,
        };
        let position = match self.game.standing() {
            Standing::Won { winner, .. } => return Some(normal(Some(self.seats[*winner as usize]))),
            Standing::Open(_) if self.game.is_repeated(REPETITIONS) => return Some(normal(None)),
            Standing::Open(position) => position,
        };
        let rules = &self.plan.adjudication;
        let next = self.seats[position.side() as usize];
        rules.by_scores(&self.turns, next).or_else(|| {
            (self.turns.len() >= rules.max_turns)
                .then(|| rules.at_the_limit(position, self.value, self.seats))
        })
    }

    /// Asks the player to move for a turn and makes it; illegal or late turns lose.
    fn turn(
        &mut self,
        clients: &mut BTreeMap<usize, Client>,
        start: &str,
    ) -> Result<Option<Ending>, TableError> {
        let position = self.game.standing().open().expect("the game goes on").clone();
        let seat = position.side() as usize;
        let engine = self.seats[seat];
        let (turn, time, report) = match self.answer(clients, seat, start) {
            Ok(BestMove { turn, time, report }) => (turn, time, report),
            Err(lost) => return Ok(Some(lost)),
        };
        let turn = turn.split_whitespace().next().unwrap_or("").to_string();
        if let Err(error) = self.game.play(&turn) {
            return Ok(Some(lost(engine, "rules infraction", error.to_string())));
        }
        let sources = &self.plan.sources;
        let false_claim = match &report {
            Some(report) => false_claim(sources, &position, self.value, report)?,
            None => None,
        };
        let before = self.value.and_then(|value| value.wdl.winner(position.side()));
        let mut end = None;
        if let Standing::Open(next) = self.game.standing() {
            self.value = known(sources, next)?;
            let after = self.value.map(|value| value.wdl.winner(next.side()));
            if let (true, Some(after)) = (
                self.plan.adjudication.by_value,
                after.filter(|after| *after != before),
            ) {
                let lost = if before.is_some() { "win" } else { "draw" };
                let winner = after.map(|side| self.seats[side as usize]);
                end = Some(Ending::adjudicated(
                    winner,
                    Some(format!("{turn} gives up a {lost}")),
                ));
            }
        }
        self.turns.push(TimedTurn {
            turn,
            time,
            report,
            false_claim,
        });
        Ok(end)
    }

    /// Asks the engine of a seat for a turn, and stops its clock.
    fn answer(
        &mut self,
        clients: &mut BTreeMap<usize, Client>,
        seat: usize,
        start: &str,
    ) -> Result<BestMove, Ending> {
        let engine = self.seats[seat];
        let lost = |termination, fault| lost(engine, termination, fault);
        let client = (clients.get_mut(&self.pairing[engine]))
            .ok_or_else(|| lost("abandoned", "not running".into()))?;
        let Control { limit: by, margin } = self.contestant(engine).control;
        let Clock { given, spent, turns } = self.clocks[seat];
        let limit = (given + margin).saturating_sub(spent);
        let go = by.go().unwrap_or_else(|| self.go(seat));
        let asked = Instant::now();
        let answer = client.turn(&self.position(start), &go, limit);
        let answer = answer.map_err(|fault| {
            let is_late = asked.elapsed() >= limit;
            lost(
                if is_late { "time forfeit" } else { "abandoned" },
                fault.to_string(),
            )
        })?;
        let time = answer.time;
        if time > limit {
            let left = given.as_millis() as i128 - spent.as_millis() as i128;
            let reason = format!("{} ms for a turn, {left} ms were left", time.as_millis());
            return Err(lost("time forfeit", reason));
        }
        if let TurnLimit::Clock(session) = by {
            let turns = turns + 1;
            let is_over = session.moves.is_some_and(|moves| turns.is_multiple_of(moves));
            let renewed = if is_over { session.time } else { Duration::ZERO };
            self.clocks[seat] = Clock {
                given: given + session.increment + renewed,
                spent: spent + time,
                turns,
            };
        }
        Ok(answer)
    }

    /// Returns the `go` command of a player with a clock.
    fn go(&self, mover: usize) -> String {
        let mut go = "go".to_string();
        let mut left_turns = None;
        for (seat, Clock { given, spent, turns }) in self.clocks.iter().enumerate() {
            let limit = self.contestant(self.seats[seat]).control.limit;
            if let TurnLimit::Clock(Session { moves, increment, .. }) = limit {
                let (player, left) = (seat + 1, given.saturating_sub(*spent).as_millis());
                go += &format!(" p{player}time {left} p{player}inc {}", increment.as_millis());
                if seat == mover {
                    left_turns = moves.map(|moves| moves - turns % moves);
                }
            }
        }
        go + &left_turns.map_or(String::new(), |turns| format!(" movestogo {turns}"))
    }

    fn position(&self, start: &str) -> String {
        let mut arguments = format!("fen {start}");
        if !self.turns.is_empty() {
            arguments += " moves";
        }
        (self.turns.iter()).for_each(|turn| arguments += &format!(" {}", turn.turn));
        arguments
    }
}

/// Ends a game by a fault of an engine, 0 or 1.
fn lost(engine: usize, termination: &'static str, fault: String) -> Ending {
    Ending {
        winner: Some(1 - engine),
        termination: termination.into(),
        reason: Some(fault),
    }
}

//! One game of a match, with this program as the referee.

use super::super::client::{BestMove, Client};
use super::super::game::GameHistory;
use super::super::report::Report;
use super::openings::Opening;
use super::{Contestant, Match, MatchError};
use phutbase_rules::position::Standing;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;
use std::time::{Duration, Instant};

/// Occurrences of a position that make the game a draw.
const REPETITIONS: usize = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Control {
    pub limit: TurnLimit,
    /// Tolerance beyond the time limit before the engine loses the game.
    pub margin: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnLimit {
    Movetime(Duration),
    /// `go p1time … p2time …`: the total time, and the increment per turn.
    Clock(Duration, Duration),
    Depth(u32),
    Nodes(u64),
}

impl TurnLimit {
    /// Returns the command for a turn under a limit that is the same for every turn.
    pub fn go(self) -> Option<String> {
        match self {
            TurnLimit::Movetime(time) => Some(format!("go movetime {}", time.as_millis())),
            TurnLimit::Depth(depth) => Some(format!("go depth {depth}")),
            TurnLimit::Nodes(nodes) => Some(format!("go nodes {nodes}")),
            TurnLimit::Clock(..) => None,
        }
    }

    /// Returns the time of a turn or, by a clock, of a game; `untimed` if there is none.
    fn time(self, untimed: Duration) -> Duration {
        match self {
            TurnLimit::Movetime(time) | TurnLimit::Clock(time, _) => time,
            TurnLimit::Depth(_) | TurnLimit::Nodes(_) => untimed,
        }
    }

    /// Returns the value of the PGN tag `TimeControl`, as cutechess writes it.
    pub fn time_control(self) -> String {
        match self {
            TurnLimit::Movetime(time) => format!("{}/move", time.as_secs_f64()),
            TurnLimit::Clock(time, increment) => {
                format!("{}+{}", time.as_secs_f64(), increment.as_secs_f64())
            }
            TurnLimit::Depth(_) | TurnLimit::Nodes(_) => "inf".to_string(),
        }
    }
}

/// Writes the keys of `--engine`.
impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.limit {
            TurnLimit::Movetime(time) => write!(f, "st={time:?}"),
            TurnLimit::Clock(time, increment) => write!(f, "tc={time:?}+{increment:?}"),
            TurnLimit::Depth(depth) => write!(f, "depth={depth}"),
            TurnLimit::Nodes(nodes) => write!(f, "nodes={nodes}"),
        }?;
        write!(f, " timemargin={:?}", self.margin)
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TimedTurn {
    /// The turn as the engine wrote it.
    pub turn: String,
    pub time: Duration,
    pub report: Option<Report>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ending {
    /// The winning engine, 0 or 1; `None` for a draw.
    pub winner: Option<usize>,
    /// The value of the PGN tag `Termination`.
    pub termination: Cow<'static, str>,
    /// The loser's fault, if it ended the game.
    pub fault: Option<String>,
}

#[derive(Clone, Debug)]
pub struct Played {
    /// Number in the match, from 0; games `2k` and `2k + 1` share an opening.
    pub number: usize,
    /// The engine that moved as the first player: 0 or 1.
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
}

/// The two engines of a series of games, started on demand.
#[derive(Default)]
pub struct Engines {
    clients: [Option<Client>; 2],
}

impl Engines {
    pub fn check(&mut self, plan: &Match) -> Result<(), MatchError> {
        for (client, contestant) in self.clients.iter_mut().zip(&plan.contestants) {
            let started = Client::start(&contestant.setup).map_err(|fault| MatchError::Handshake {
                name: contestant.name.clone(),
                fault,
            });
            *client = Some(started?);
        }
        Ok(())
    }

    /// Plays a game; returns `None` if it was stopped.
    pub fn play(&mut self, plan: &Match, number: usize, stop: &dyn Fn() -> bool) -> Option<Played> {
        let first = number % 2;
        let opening = plan.opening(number).clone();
        let start = opening.position.fen();
        let mut running = Running {
            plan,
            seats: [first, 1 - first],
            clocks: [first, 1 - first].map(|engine| {
                let Contestant { control, setup, .. } = &plan.contestants[engine];
                let given = control.limit.time(setup.ready);
                Clock {
                    given,
                    spent: Duration::ZERO,
                }
            }),
            game: GameHistory::new(opening.position.clone()),
            turns: Vec::new(),
        };
        let ending = match running.ready(&mut self.clients) {
            Err(lost) => lost,
            Ok(()) => loop {
                if stop() {
                    return None;
                }
                if let Some(end) = running
                    .end()
                    .or_else(|| running.turn(&mut self.clients, &start).err())
                {
                    break end;
                }
            },
        };
        if let (Some(winner), Some(_)) = (ending.winner, &ending.fault) {
            self.clients[1 - winner] = None;
            if stop() {
                // The engine was not waited for.
                return None;
            }
        }
        Some(Played {
            number,
            first,
            opening,
            turns: running.turns,
            ending,
        })
    }
}

/// The time of a player, for a turn or by a clock for a game.
#[derive(Clone, Copy)]
struct Clock {
    given: Duration,
    /// Time of the turns so far, by a clock; it may exceed `given` by the margin.
    spent: Duration,
}

struct Running<'a> {
    plan: &'a Match,
    /// The engines of the first and of the second player.
    seats: [usize; 2],
    clocks: [Clock; 2],
    game: GameHistory,
    turns: Vec<TimedTurn>,
}

impl Running<'_> {
    /// Starts a new game in both engines; an engine that fails loses.
    fn ready(&self, clients: &mut [Option<Client>; 2]) -> Result<(), Ending> {
        for engine in self.seats {
            let setup = &self.plan.contestants[engine].setup;
            let client = match &mut clients[engine] {
                Some(client) => Ok(client),
                none => Client::start(setup).map(|client| none.insert(client)),
            };
            (client.and_then(Client::new_game))
                .map_err(|fault| lost(engine, "abandoned", fault.to_string()))?;
        }
        Ok(())
    }

    /// Returns the end of the game by a goal, a repetition or the limit on turns.
    fn end(&self) -> Option<Ending> {
        let (winner, termination) = match self.game.standing() {
            Standing::Won { winner, .. } => (Some(self.seats[*winner as usize]), "normal"),
            Standing::Open(_) if self.game.is_repeated(REPETITIONS) => (None, "normal"),
            Standing::Open(_) if self.turns.len() >= self.plan.max_turns => (None, "adjudication"),
            Standing::Open(_) => return None,
        };
        Some(Ending {
            winner,
            termination: termination.into(),
            fault: None,
        })
    }

    /// Asks the player to move for a turn and makes it; illegal or late turns lose.
    fn turn(&mut self, clients: &mut [Option<Client>; 2], start: &str) -> Result<(), Ending> {
        let side = self.game.standing().side();
        let engine = self.seats[side as usize];
        let lost = |termination, fault| lost(engine, termination, fault);
        let client = (clients[engine].as_mut()).ok_or_else(|| lost("abandoned", "not running".into()))?;
        let Control { limit: by, margin } = self.plan.contestants[engine].control;
        let Clock { given, spent } = self.clocks[side as usize];
        let limit = (given + margin).saturating_sub(spent);
        let go = by.go().unwrap_or_else(|| self.go());
        let asked = Instant::now();
        let answer = client.turn(&self.position(start), &go, limit);
        let answer = answer.map_err(|fault| {
            let is_late = asked.elapsed() >= limit;
            lost(
                if is_late { "time forfeit" } else { "abandoned" },
                fault.to_string(),
            )
        })?;
        let BestMove { turn, time, report } = answer;
        if time > limit {
            let left = given.as_millis() as i128 - spent.as_millis() as i128;
            let reason = format!("{} ms for a turn, {left} ms were left", time.as_millis());
            return Err(lost("time forfeit", reason));
        }
        let turn = turn.split_whitespace().next().unwrap_or("").to_string();
        (self.game.play(&turn)).map_err(|error| lost("rules infraction", error.to_string()))?;
        if let TurnLimit::Clock(_, increment) = by {
            let clock = &mut self.clocks[side as usize];
            (clock.given, clock.spent) = (given + increment, spent + time);
        }
        self.turns.push(TimedTurn { turn, time, report });
        Ok(())
    }

    /// Returns the `go` command of a player with a clock.
    fn go(&self) -> String {
        let mut go = "go".to_string();
        for (seat, Clock { given, spent }) in self.clocks.iter().enumerate() {
            let limit = self.plan.contestants[self.seats[seat]].control.limit;
            if let TurnLimit::Clock(_, increment) = limit {
                let (player, left) = (seat + 1, given.saturating_sub(*spent).as_millis());
                go += &format!(" p{player}time {left} p{player}inc {}", increment.as_millis());
            }
        }
        go
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

/// Ends a game by a fault of an engine.
fn lost(engine: usize, termination: &'static str, fault: String) -> Ending {
    Ending {
        winner: Some(1 - engine),
        termination: termination.into(),
        fault: Some(fault),
    }
}

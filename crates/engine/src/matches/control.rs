//! Limits on the turns of an engine.

use std::fmt;
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Control {
    pub limit: TurnLimit,
    /// Tolerance beyond the time limit before the engine loses the game.
    pub margin: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnLimit {
    Movetime(Duration),
    Clock(Session),
    Depth(u32),
    Nodes(u64),
}

/// A clock, `go p1time … p2time …`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Session {
    /// Turns for which the time is given, again and again; `None` for all turns of the game.
    pub moves: Option<u32>,
    pub time: Duration,
    /// Time added for each turn.
    pub increment: Duration,
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
    pub fn time(self, untimed: Duration) -> Duration {
        match self {
            TurnLimit::Movetime(time) | TurnLimit::Clock(Session { time, .. }) => time,
            TurnLimit::Depth(_) | TurnLimit::Nodes(_) => untimed,
        }
    }

    /// Returns the value of the PGN tag `TimeControl`, as cutechess writes it.
    pub fn time_control(self) -> String {
        match self {
            TurnLimit::Movetime(time) => format!("{}/move", time.as_secs_f64()),
            TurnLimit::Clock(session) => {
                let [time, increment] = [session.time, session.increment].map(|time| time.as_secs_f64());
                format!("{}{time}+{increment}", session.turns())
            }
            TurnLimit::Depth(_) | TurnLimit::Nodes(_) => "inf".to_string(),
        }
    }
}

impl Session {
    /// Returns the number of turns as PGN has it before the time.
    fn turns(self) -> String {
        self.moves.map_or(String::new(), |moves| format!("{moves}/"))
    }
}

/// Writes the keys of `--engine`.
impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.limit {
            TurnLimit::Movetime(time) => write!(f, "st={time:?}"),
            TurnLimit::Clock(session) => {
                let Session { time, increment, .. } = session;
                write!(f, "tc={}{time:?}+{increment:?}", session.turns())
            }
            TurnLimit::Depth(depth) => write!(f, "depth={depth}"),
            TurnLimit::Nodes(nodes) => write!(f, "nodes={nodes}"),
        }?;
        write!(f, " timemargin={:?}", self.margin)
    }
}

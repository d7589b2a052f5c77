//! Answers as JSON, shared by `--json`, the server and Python.
//!
//! One vocabulary serves all games: `game`, `position`, `side` (to move), `value` (`win`, `loss` or
//! `draw`, for that side),
//! `depth` (plies, or null), `winner`, `moves`.
//!
//! * [`Answer`], [`Move`] — a position, and its turns;
//! * [`sources`] — the sources of the values of each game;
//! * [`batch`] — many positions, one per line;
//! * [`stats`] — the contents of a table.

pub mod batch;
pub mod obstruction;
pub mod sources;
#[cfg(feature = "cli")]
pub mod stats;
#[cfg(feature = "wins")]
pub mod wins;

use crate::decide::{Decided, Reason, Undecided};
use crate::games::forward::HalfValues;
use crate::games::{Boards, Position, Rules};
use crate::outcome::Verdict;
use obstruction::ComponentAnswer;
use serde::{Serialize, Serializer};

/// Creates an object from its fields, which JSON lists in this order.
#[cfg(feature = "cli")]
macro_rules! object {
    ($($(#[$attribute:meta])* $field:ident: $value:expr),* $(,)?) => {{
        #[allow(non_camel_case_types, reason = "the type of a field has its name")]
        let object = {
            #[derive(serde::Serialize)]
            struct Object<$($field),*> {
                $($(#[$attribute])* $field: $field),*
            }
            Object { $($field: $value),* }
        };
        object
    }};
}
#[cfg(feature = "cli")]
pub(crate) use object;

/// The boards that a line of JSON is about.
#[derive(Clone, Debug, Default, Serialize)]
pub struct BoardsLabel {
    /// `strip`, `pitch`, `obstruction` or `oddish`.
    pub game: &'static str,
    /// `ordinary` or `directional`, of strips and pitches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<&'static str>,
    /// The boards: `16`, `7x3`, `obstruction:8x8`, `oddish:9`.
    pub boards: String,
}

impl BoardsLabel {
    pub fn new(boards: &Boards, rules: Rules) -> BoardsLabel {
        let phutball = matches!(boards, Boards::Strips(_) | Boards::Pitch(_));
        BoardsLabel {
            game: boards.game(),
            rules: phutball.then(|| rules.word()),
            boards: boards.to_string(),
        }
    }

    pub fn all_obstruction() -> BoardsLabel {
        BoardsLabel {
            game: "obstruction",
            rules: None,
            boards: "obstruction".to_string(),
        }
    }

    pub fn strip(length: usize) -> BoardsLabel {
        BoardsLabel::new(&Boards::strip(length), Rules::Ordinary)
    }
}

impl Serialize for Undecided {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

/// The value of a position and optionally of its turns.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Answer {
    /// `strip`, `pitch`, `obstruction` or `oddish`.
    pub game: &'static str,
    /// `ordinary` or `directional`, of strips and pitches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<&'static str>,
    pub position: String,
    /// The player to move: left or right, alfred or betty, first.
    pub side: &'static str,
    /// `win`, `loss` or `draw`, for the player to move; none if nothing is proved.
    pub value: Option<&'static str>,
    /// Plies; none for a draw, or if only the winner is known.
    pub depth: Option<u16>,
    pub winner: Option<&'static str>,
    /// The rule that gave the value of a strip; none if it is undecided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// `open`, `out of budget` or `out of time`: why a strip has no value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undecided: Option<Undecided>,
    /// The least number of backward turns that the winner of a strip needs, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backward_turns: Option<usize>,
    /// The first and the last square of a strip that remain if closed ends were cut off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remaining: Option<[usize; 2]>,
    /// The first and the last square of the window that decides a strip.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<[usize; 2]>,
    /// The potentials of the left and the right half of a strip.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub potentials: Option<[i64; 2]>,
    /// The forward values of the left and the right half of an ordinary strip.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forward_values: Option<[i64; 2]>,
    /// A turn that keeps a win, for a strip that potentials decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nimber: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub components: Option<Vec<ComponentAnswer>>,
    /// Every turn, best first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<Move>>,
    /// The winning turns in Obstruction, if not every turn was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winning_moves: Option<Vec<Move>>,
    /// Best play to the end or to a repetition; each value is for the player who makes that turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Vec<Move>>,
}

/// A turn with the position after it, and its value for the player who makes it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Move {
    /// The turn in the notation of its game.
    #[serde(rename = "move")]
    pub turn: String,
    pub position: String,
    /// `win`, `loss` or `draw`; none if nothing is proved.
    pub value: Option<&'static str>,
    /// Plies, if known and not a draw.
    pub depth: Option<u16>,
    /// The rule that gave the value, if it is not from a table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The marked board in a sum of boards of Obstruction, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board: Option<usize>,
    /// The nimber after the turn in Obstruction, if every turn was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nimber: Option<u8>,
    /// The components of the boards of Obstruction after the turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub components: Option<Vec<ComponentAnswer>>,
}

impl Answer {
    pub fn new(position: &Position, verdict: Verdict) -> Answer {
        let winner = verdict.wdl.winner(position.side());
        Answer {
            value: Some(verdict.wdl.word()),
            depth: verdict.depth.map(|depth| depth.0),
            winner: winner.map(|side| position.player(side)),
            ..Answer::without_value(position)
        }
    }

    /// Creates an answer without a value.
    pub fn without_value(position: &Position) -> Answer {
        Answer {
            game: position.game(),
            rules: position.is_phutball().then(|| position.rules().word()),
            position: position.to_string(),
            side: position.player(position.side()),
            ..Answer::default()
        }
    }

    /// Creates the answer for a strip of the ordinary game, with the values of its halves.
    pub fn of_strip(position: &Position, values: [HalfValues; 2], decided: Decided) -> Answer {
        let answer = match decided {
            Ok(decision) => Answer::new(position, decision.verdict),
            Err(why) => Answer {
                undecided: Some(why),
                ..Answer::without_value(position)
            },
        };
        let decision = decided.ok();
        let squares = |reason| match reason {
            Reason::Cut { first, last } | Reason::Window { first, last } => Some([first, last]),
            _ => None,
        };
        let reason = decision.map(|decision| decision.reason);
        let is_window = matches!(reason, Some(Reason::Window { .. }));
        Answer {
            reason: reason.map(|reason| reason.to_string()),
            backward_turns: decision.and_then(|decision| decision.backward_turns),
            remaining: reason.and_then(squares).filter(|_| !is_window),
            window: reason.and_then(squares).filter(|_| is_window),
            potentials: Some(values.map(|half| half.potential)),
            forward_values: Some(values.map(|half| half.forward)),
            ..answer
        }
    }
}

impl Move {
    /// Creates a turn with the position after it, and its value for the player who makes it.
    pub fn new(turn: String, position: String, verdict: Verdict) -> Move {
        Move {
            turn,
            position,
            value: Some(verdict.wdl.word()),
            depth: verdict.depth.map(|depth| depth.0),
            ..Move::default()
        }
    }
}

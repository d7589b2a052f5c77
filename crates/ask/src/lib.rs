//! Answers as JSON, shared by `--json`, the server and Python.
//!
//! One vocabulary serves all games: `game`, `position`, `side` (to move), `value` (`win`,
//! `loss` or `draw`, for that side), `depth` (plies, or null), `winner`.
//!
//! * [`Answer`], [`Move`] — a position of each game, and its turns;
//! * [`sources`] — the sources of the values of each game;
//! * [`strip`] — strips: the solution, and tables;
//! * [`batch`] — many positions, one per line;
//! * [`board`] — a board with its turns, as pages draw it;
//! * [`queries`] — positions by value, depth and pattern, and draws;
//! * [`stats`] — the contents of a table;
//! * [`counts`] — numbers of wins without a table;
//! * [`export`] — all values of a length or of a pitch, as CSV or for NumPy;
//! * [`certificates`] — proofs of values on pitches.

pub mod batch;
pub mod board;
pub mod certificates;
pub mod counts;
pub mod export;
pub mod obstruction;
pub mod queries;
pub mod sources;
pub mod stats;
pub mod strip;
pub mod wins;

use obstruction::ComponentAnswer;
use phutbase_base::outcome::{Verdict, Wdl};
use phutbase_rules::{Boards, Position, Rules};
use serde::{Serialize, Serializer};
use strip::{Reason, TurnCounts};
/// The crates whose types functions take.
pub use {phutbase_base, phutbase_rules, phutbase_tables};

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

/// Writes an outcome as its word, or null.
fn word<S: Serializer>(value: &Option<Wdl>, serializer: S) -> Result<S::Ok, S::Error> {
    value.map(Wdl::word).serialize(serializer)
}

/// The answer about a position of any game. Fields that its game or its question does not have are not
/// written.
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
    /// The value for the player to move; `None` if nothing is proved.
    #[serde(serialize_with = "word")]
    pub value: Option<Wdl>,
    /// Plies; `None` for a draw, or if only the winner is known.
    pub depth: Option<u16>,
    pub winner: Option<&'static str>,
    /// The source of the value of a strip, and what both halves come to, for ordinary rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// The least number of backward turns that the winner of a strip needs, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backward_turns: Option<usize>,
    /// The potentials of the left and the right half of a strip, for directional rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub potentials: Option<[i64; 2]>,
    /// A best turn of a strip, if turns are not listed; for directional rules any that keeps a win.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<String>,
    /// The numbers of turns of a strip, if they are not listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_counts: Option<TurnCounts>,
    /// The nimber in Obstruction, except in misère play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nimber: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub components: Option<Vec<ComponentAnswer>>,
    /// Every turn, best first; in Obstruction if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turns: Option<Vec<Move>>,
    /// The winning turns in Obstruction, if not every turn was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winning_turns: Option<Vec<Move>>,
    /// Best play of Phutball to the end or to a repetition; each value is for the player who makes that
    /// turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Vec<Move>>,
}

/// A turn with the position after it, and its value for the player who makes it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Move {
    /// The turn in the notation of its game.
    #[serde(rename = "move")]
    pub turn: String,
    /// Empty, and not written, on a strip of more than [`MAX_SHOWN`](strip::MAX_SHOWN) squares, in a
    /// line of more than [`MAX_SHOWN_IN_LINE`](strip::MAX_SHOWN_IN_LINE).
    #[serde(skip_serializing_if = "String::is_empty")]
    pub position: String,
    /// `None` if nothing is proved.
    #[serde(serialize_with = "word")]
    pub value: Option<Wdl>,
    /// Plies, if known and not a draw.
    pub depth: Option<u16>,
    /// The marked board in a sum of boards of Obstruction, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board: Option<usize>,
    /// The nimber after a turn of Obstruction, if every turn was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nimber: Option<u8>,
    /// The components of the boards of Obstruction after the turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub components: Option<Vec<ComponentAnswer>>,
}

impl Answer {
    /// Creates the answer without details; `None` if nothing is proved.
    pub fn new(position: &Position, value: Option<Verdict>) -> Answer {
        let winner = value.and_then(|verdict| verdict.wdl.winner(position.side()));
        Answer {
            game: position.game(),
            rules: position.is_phutball().then(|| position.rules().word()),
            position: position.to_string(),
            side: position.player(position.side()),
            value: value.map(|verdict| verdict.wdl),
            depth: value.and_then(|verdict| verdict.depth).map(|depth| depth.0),
            winner: winner.map(|side| position.player(side)),
            ..Answer::default()
        }
    }
}

impl Move {
    /// Creates a turn with the position after it, and its value for the player who makes it; `None`
    /// if nothing is proved.
    pub fn new(turn: String, position: String, value: Option<Verdict>) -> Move {
        Move {
            turn,
            position,
            value: value.map(|verdict| verdict.wdl),
            depth: value.and_then(|verdict| verdict.depth).map(|depth| depth.0),
            ..Move::default()
        }
    }
}

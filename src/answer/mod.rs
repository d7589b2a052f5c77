//! Answers as JSON: what `--json` prints and what the server sends, from the same code and so the same bytes.
//!
//! One vocabulary serves all games: `game`, `position`, `side` (to move), `value` (`win`, `loss` or `draw`, for that side),
//! `depth` (plies, or null), `winner`, `moves`.
//!
//! * [`Answer`], [`Move`] — a position, and its turns;
//! * [`sources`] — where the values of each game come from;
//! * [`batch`] — many positions, one a line;
//! * [`stats`] — what a table holds;
//! * [`count`] — numbers that any reader of JSON keeps exact.

pub mod batch;
pub mod count;
pub mod obstruction;
pub mod sources;
pub mod stats;

use crate::games::position::Position;
use crate::outcome::Verdict;
use obstruction::ComponentAnswer;
use serde::Serialize;

/// The value of a position and, if they were asked for, of its turns.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// `strip`, `pitch`, `obstruction` or `oddish`.
    pub game: &'static str,
    /// By which rules Phutball is played, unless they are the ordinary ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<&'static str>,
    /// The position in notation.
    pub position: String,
    /// The player to move: left or right, alfred or betty, first.
    pub side: &'static str,
    /// `win`, `loss` or `draw`, for the player to move.
    pub value: &'static str,
    /// Plies; none for a draw, or where only the winner is known.
    pub depth: Option<u16>,
    /// The player who wins.
    pub winner: Option<&'static str>,
    /// The nimber, in Obstruction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nimber: Option<u8>,
    /// What a board of Obstruction falls into.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub components: Option<Vec<ComponentAnswer>>,
    /// Every turn, best first; in Obstruction the winning ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<Move>>,
    /// Best play, to the end or until a position comes back; each value is for the player who makes that turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Vec<Move>>,
}

/// A turn with the position it leads to, and its value for the player who makes it.
#[derive(Clone, Debug, Serialize)]
pub struct Move {
    /// The turn in the notation of its game.
    #[serde(rename = "move")]
    pub turn: String,
    /// The position after it.
    pub position: String,
    /// `win`, `loss` or `draw`.
    pub value: &'static str,
    /// Plies, if they are known and there is no draw.
    pub depth: Option<u16>,
    /// In a sum of boards of Obstruction: the one that is marked, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board: Option<usize>,
    /// What is left of Obstruction then, where every turn was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nimber: Option<u8>,
    /// What the boards of Obstruction fall into then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub components: Option<Vec<ComponentAnswer>>,
}

impl Answer {
    /// The answer without turns.
    pub fn new(position: &Position, verdict: Verdict) -> Answer {
        let mover = position.side();
        Answer {
            game: position.game(),
            rules: position.rules().name_if_special(),
            position: position.to_string(),
            side: position.player(mover),
            value: verdict.wdl.word(),
            depth: verdict.depth.map(|depth| depth.0),
            winner: verdict.wdl.winner(mover).map(|side| position.player(side)),
            nimber: None,
            components: None,
            moves: None,
            line: None,
        }
    }
}

impl Move {
    /// A turn, what it leads to, and its value for the player who makes it.
    pub fn new(turn: String, position: String, verdict: Verdict) -> Move {
        Move {
            turn,
            position,
            value: verdict.wdl.word(),
            depth: verdict.depth.map(|depth| depth.0),
            board: None,
            nimber: None,
            components: None,
        }
    }
}

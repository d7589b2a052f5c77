//! Answers as JSON: what `--json` prints and what the server sends, from the same code and so the same bytes.
//!
//! * [`strip`], [`pitch`], [`obstruction`] — positions of the three games, with their turns;
//! * [`stats`] — what a table holds;
//! * [`count`] — numbers that any reader of JSON keeps exact;
//! * [`advice`] — what is wrong with a table, with the command that mends it.

pub mod advice;
pub mod count;
pub mod obstruction;
pub mod pitch;
pub mod stats;
pub mod strip;

use crate::outcome::{Side, Verdict};
use serde::Serialize;

/// A turn with the position it leads to, and its value for the player who makes it.
#[derive(Clone, Debug, Serialize)]
pub struct TurnAnswer {
    /// The turn in the notation of its game.
    #[serde(rename = "move")]
    pub turn: String,
    /// The position after it.
    pub position: String,
    /// `win`, `loss` or `draw`.
    pub value: String,
    /// Plies, if they are known and there is no draw.
    pub depth: Option<u16>,
}

impl TurnAnswer {
    /// A turn, what it leads to, and its value for the player who makes it.
    fn new(turn: String, position: String, verdict: Verdict) -> TurnAnswer {
        TurnAnswer {
            turn,
            position,
            value: verdict.wdl.to_string(),
            depth: verdict.depth.map(|depth| depth.0),
        }
    }
}

/// The turns of one position, all by its mover.
fn moves<T>(turns: &[T], mover: Side, answer: impl Fn(&T, Side) -> TurnAnswer) -> Vec<TurnAnswer> {
    turns.iter().map(|turn| answer(turn, mover)).collect()
}

/// The turns of a line, by turns of the players.
fn line<T>(turns: &[T], first: Side, answer: impl Fn(&T, Side) -> TurnAnswer) -> Vec<TurnAnswer> {
    let movers = [first, first.opponent()].into_iter().cycle();
    turns
        .iter()
        .zip(movers)
        .map(|(turn, mover)| answer(turn, mover))
        .collect()
}

//! A position of the strip as JSON: what `phutbase probe --json` prints.

use super::{TurnAnswer, line, moves};
use crate::games::strip::Strip;
use crate::outcome::{Side, Verdict};
use crate::table::directory::{RatedTurn, Tablebase};
use crate::table::error::TableError;
use serde::Serialize;

/// The value of a position and, if they were asked for, of its turns.
#[derive(Clone, Debug, Serialize)]
pub struct StripAnswer {
    /// The position in notation.
    pub position: String,
    /// The number of squares.
    pub length: usize,
    /// The player to move, `left` or `right`.
    pub side: String,
    /// `win`, `loss` or `draw`, for the player to move.
    pub value: String,
    /// Plies; none for a draw, or where only the winner is known.
    pub depth: Option<u16>,
    /// The player who wins.
    pub winner: Option<String>,
    /// Every turn, best first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<TurnAnswer>>,
    /// Best play to the end; each value is for the player who makes that turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Vec<TurnAnswer>>,
}

impl StripAnswer {
    /// The answer without turns.
    pub fn new(strip: &Strip, verdict: Verdict) -> StripAnswer {
        StripAnswer {
            position: strip.to_string(),
            length: strip.length(),
            side: strip.side().to_string(),
            value: verdict.wdl.to_string(),
            depth: verdict.depth.map(|depth| depth.0),
            winner: verdict.wdl.winner(strip.side()).map(|side| side.to_string()),
            moves: None,
            line: None,
        }
    }
}

/// What the tables say of a position.
#[derive(Clone, Debug)]
pub struct StripProbe {
    /// The position.
    pub strip: Strip,
    /// Its value.
    pub verdict: Verdict,
    /// Its turns, best first.
    pub turns: Vec<RatedTurn>,
    /// Best play to the end, if it was asked for.
    pub line: Option<Vec<RatedTurn>>,
}

impl StripProbe {
    /// Looks up a position and its turns, and best play if `line` is set.
    ///
    /// # Errors
    /// As [`Tablebase::verdict`].
    pub fn new(tables: &Tablebase, strip: &Strip, line: bool) -> Result<StripProbe, TableError> {
        Ok(StripProbe {
            strip: *strip,
            verdict: tables.verdict(strip)?,
            turns: tables.rated_turns(strip)?,
            line: line.then(|| tables.best_line(strip)).transpose()?,
        })
    }

    /// The same as JSON.
    pub fn answer(&self) -> StripAnswer {
        let mover = self.strip.side();
        StripAnswer {
            moves: Some(moves(&self.turns, mover, turn)),
            line: (self.line.as_deref()).map(|turns| line(turns, mover, turn)),
            ..StripAnswer::new(&self.strip, self.verdict)
        }
    }
}

fn turn(rated: &RatedTurn, mover: Side) -> TurnAnswer {
    TurnAnswer::new(
        rated.turn.to_string(),
        rated.after.notation(mover.opponent()),
        rated.verdict,
    )
}

//! A position of a pitch as JSON: what `phutbase probe --json` prints of it.

use super::{TurnAnswer, line, moves};
use crate::games::pitch::{Pitch, side_name};
use crate::outcome::{Side, Value};
use crate::table::error::TableError;
use crate::table::pitch::{PitchTable, RatedPitchTurn};
use serde::Serialize;

/// The value of a position and, if they were asked for, of its turns.
#[derive(Clone, Debug, Serialize)]
pub struct PitchAnswer {
    /// The position in notation.
    pub position: String,
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
    /// The player to move, `alfred` or `betty`.
    pub side: String,
    /// `win`, `loss` or `draw`, for the player to move.
    pub value: String,
    /// Plies; none for a draw.
    pub depth: Option<u16>,
    /// The player who wins.
    pub winner: Option<String>,
    /// Every turn, best first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<TurnAnswer>>,
    /// Best play, to the end or until a position comes back; each value is for the player who makes that turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Vec<TurnAnswer>>,
}

impl PitchAnswer {
    /// The answer without turns.
    pub fn new(pitch: &Pitch, value: Value) -> PitchAnswer {
        PitchAnswer {
            position: pitch.to_string(),
            rows: pitch.shape().rows(),
            columns: pitch.shape().columns(),
            side: side_json(pitch.side()),
            value: value.wdl().to_string(),
            depth: value.depth().map(|depth| depth.0),
            winner: value.wdl().winner(pitch.side()).map(side_json),
            moves: None,
            line: None,
        }
    }
}

/// What a table says of a position.
#[derive(Clone, Debug)]
pub struct PitchProbe {
    /// The position.
    pub pitch: Pitch,
    /// Its value.
    pub value: Value,
    /// Its turns, best first.
    pub turns: Vec<RatedPitchTurn>,
    /// Best play, if it was asked for.
    pub line: Option<Vec<RatedPitchTurn>>,
}

impl PitchProbe {
    /// Looks up a position and its turns, and best play if `line` is set.
    ///
    /// # Errors
    /// As [`PitchTable::rated_turns`].
    pub fn new(table: &PitchTable, pitch: &Pitch, line: bool) -> Result<PitchProbe, TableError> {
        Ok(PitchProbe {
            pitch: *pitch,
            value: table.value(pitch)?,
            turns: table.rated_turns(pitch)?,
            line: line.then(|| table.best_line(pitch)).transpose()?,
        })
    }

    /// The same as JSON.
    pub fn answer(&self) -> PitchAnswer {
        let mover = self.pitch.side();
        PitchAnswer {
            moves: Some(moves(&self.turns, mover, turn)),
            line: (self.line.as_deref()).map(|turns| line(turns, mover, turn)),
            ..PitchAnswer::new(&self.pitch, self.value)
        }
    }
}

/// A player as JSON writes it.
pub fn side_json(side: Side) -> String {
    side_name(side).to_lowercase()
}

fn turn(rated: &RatedPitchTurn, mover: Side) -> TurnAnswer {
    TurnAnswer::new(
        rated.notation.clone(),
        rated.after.notation(mover.opponent()),
        rated.value.into(),
    )
}

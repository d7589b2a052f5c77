//! Turns from tables.

use super::super::position::Turn;
use crate::games::pitch::Pitch;
use crate::games::position::Phutball;
use crate::games::strip::{After, Strip};
use crate::outcome::{Verdict, Wdl};
use crate::table::any::Table;
use crate::table::diagram::forward;
use crate::table::directory::{RatedTurn, Tablebase};
use crate::table::error::TableError;
use std::cmp::Reverse;

/// What tables say of a position.
#[derive(Clone, Debug)]
pub struct Rated {
    /// The value of the position.
    pub verdict: Verdict,
    /// Turns that keep it, the one to choose first.
    pub turns: Vec<Turn>,
    /// Whether the first of them is known to be best, or to make progress where that is not known; else any of them keeps the
    /// value, but the game need not end.
    pub settled: bool,
}

/// Why tables say nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoAnswer {
    /// There is no table.
    #[error("no table reaches here")]
    OutOfReach,
    /// There is one, and it cannot be used.
    #[error("{0}")]
    Broken(String),
}

impl From<TableError> for NoAnswer {
    fn from(error: TableError) -> NoAnswer {
        match error {
            TableError::Missing { .. } | TableError::MissingPitch { .. } => NoAnswer::OutOfReach,
            error => NoAnswer::Broken(error.to_string()),
        }
    }
}

/// The turns to choose from on a strip.
///
/// # Errors
/// [`NoAnswer`].
pub fn on_strip(tables: &Tablebase, strip: &Strip) -> Result<Rated, NoAnswer> {
    let rated = tables.rated_turns(strip)?;
    let Some(best) = rated.first() else {
        return Err(NoAnswer::OutOfReach);
    };
    let verdict = best.verdict;
    let keeping = || rated.iter().filter(|turn| turn.verdict.wdl == verdict.wdl);
    let (turns, settled) = match (tables.best(strip.length())?, verdict.wdl) {
        _ if verdict.depth.is_some() => (vec![best.clone()], true),
        (Table::Diagram(table), Wdl::Win) => match forward::winning_turn(table, strip) {
            Some(turn) => (
                keeping().filter(|rated| rated.turn == turn).cloned().collect(),
                true,
            ),
            None => (keeping().cloned().collect(), false),
        },
        (Table::Diagram(table), Wdl::Loss) => {
            let mut turns: Vec<RatedTurn> = keeping().cloned().collect();
            turns.sort_by_key(|turn| match &turn.after {
                After::Position(next) => Reverse(Some(forward::resistance(table, next))),
                After::Over { .. } => Reverse(None),
            });
            (turns, true)
        }
        _ => (keeping().cloned().collect(), false),
    };
    Ok(Rated {
        verdict,
        turns: turns.iter().filter_map(|rated| on_board(strip, rated)).collect(),
        settled,
    })
}

/// A turn of the table as engines know it.
fn on_board(strip: &Strip, rated: &RatedTurn) -> Option<Turn> {
    let notation = rated.turn.to_string();
    let after = Phutball::Strip(*strip).play(&notation).ok()?;
    Some(Turn { notation, after })
}

/// The turns to choose from on a pitch.
///
/// # Errors
/// [`NoAnswer`].
pub fn on_pitch(tables: &Tablebase, pitch: &Pitch) -> Result<Rated, NoAnswer> {
    let rated = tables.pitch(pitch.shape())?.rated_turns(pitch)?;
    let best = rated.first().ok_or(NoAnswer::OutOfReach)?;
    let after = Phutball::Pitch(*pitch).play(&best.notation);
    let turn = Turn {
        after: after.map_err(|error| NoAnswer::Broken(error.to_string()))?,
        notation: best.notation.clone(),
    };
    Ok(Rated {
        verdict: Verdict::from(best.value),
        turns: vec![turn],
        settled: true,
    })
}

//! Turns from tables.

use super::super::position::Turn;
use crate::games::pitch::Pitch;
use crate::games::position::Phutball;
use crate::games::strip::Strip;
use crate::outcome::{Verdict, Wdl};
use crate::table::error::TableError;
use crate::table::strip::play::RatedTurn;
use crate::table::tablebase::Tablebase;

/// What tables say of a position.
#[derive(Clone, Debug)]
pub struct Rated {
    /// The value of the position.
    pub verdict: Verdict,
    /// Turns that keep it, the one to choose first.
    pub turns: Vec<Turn>,
    /// Where the first of them is known to be best, or to make progress: it and what follows, 16 turns at most. Empty
    /// where any of them keeps the value, but the game need not end.
    pub line: Vec<String>,
}

/// The most turns of a line that are looked up: enough to see where play goes, and no time.
const LONGEST_LINE: usize = 16;

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
            TableError::Missing { .. } => NoAnswer::OutOfReach,
            error => NoAnswer::Broken(error.to_string()),
        }
    }
}

/// The turns to choose from on a strip.
pub fn on_strip(tables: &Tablebase, strip: &Strip) -> Result<Rated, NoAnswer> {
    let (rated, line) = tables.ask(strip.length(), |table| {
        let rated = table.rated_turns(strip)?;
        let line = match rated.first() {
            Some(best) => table.best_line(strip, best.verdict, LONGEST_LINE)?,
            None => Vec::new(),
        };
        Ok((rated, line))
    })?;
    let Some(best) = rated.first() else {
        return Err(NoAnswer::OutOfReach);
    };
    let verdict = best.verdict;
    // With depths, and by forward play without, the first turn is the one to choose. In a draw every turn that keeps it will do.
    let settled = verdict.depth.is_some() || verdict.wdl != Wdl::Draw;
    let keeping = |turn: &&RatedTurn| turn.verdict.wdl == verdict.wdl;
    let turns: Vec<&RatedTurn> = match settled {
        true => vec![best],
        false => rated.iter().filter(keeping).collect(),
    };
    let turns: Vec<Turn> = (turns.into_iter())
        .filter_map(|rated| on_board(strip, rated))
        .collect();
    let line = match (settled, &turns[..]) {
        (true, _) => line.iter().map(|rated| rated.turn.to_string()).collect(),
        (false, [only]) => vec![only.notation.clone()],
        (false, _) => Vec::new(),
    };
    Ok(Rated { verdict, turns, line })
}

/// A turn of the table as engines know it.
fn on_board(strip: &Strip, rated: &RatedTurn) -> Option<Turn> {
    let notation = rated.turn.to_string();
    let after = Phutball::Strip(*strip).play(&notation).ok()?;
    Some(Turn { notation, after })
}

/// The turns to choose from on a pitch.
pub fn on_pitch(tables: &Tablebase, pitch: &Pitch) -> Result<Rated, NoAnswer> {
    let (rated, line) = tables.ask_pitch(pitch.shape(), |table| {
        Ok((table.rated_turns(pitch)?, table.best_line(pitch)?))
    })?;
    let best = rated.first().ok_or(NoAnswer::OutOfReach)?;
    let after = Phutball::Pitch(*pitch).play(&best.turn);
    let turn = Turn {
        after: after.map_err(|error| NoAnswer::Broken(error.to_string()))?,
        notation: best.turn.clone(),
    };
    Ok(Rated {
        verdict: best.verdict,
        line: (line.into_iter().take(LONGEST_LINE))
            .map(|rated| rated.turn)
            .collect(),
        turns: vec![turn],
    })
}

//! Turns from tables.

use super::super::position::Turn;
use super::rounds;
use crate::games::pitch::{Pitch, Shape};
use crate::games::position::Phutball;
use crate::games::strip::{After, Strip};
use crate::outcome::{Value, Verdict, Wdl};
use crate::table::any::Table;
use crate::table::directory::{RatedTurn, Tablebase};
use crate::table::error::TableError;
use crate::table::pitch::{PitchTable, PitchTableError};
use hashbrown::HashMap;
use std::cmp::Reverse;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

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
            TableError::Missing { .. } => NoAnswer::OutOfReach,
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
        (Table::Diagram(table), Wdl::Win) => match rounds::winning_turn(table, strip) {
            Some(turn) => (
                keeping().filter(|rated| rated.turn == turn).cloned().collect(),
                true,
            ),
            None => (keeping().cloned().collect(), false),
        },
        (Table::Diagram(table), Wdl::Loss) => {
            let mut turns: Vec<RatedTurn> = keeping().cloned().collect();
            turns.sort_by_key(|turn| match &turn.after {
                After::Position(next) => Reverse(rounds::resistance(table, next)),
                After::Over { .. } => Reverse(0),
            });
            (turns, table.rounds() > 0)
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

/// Tables of pitches, opened when they are first asked for.
pub struct PitchTables {
    directory: PathBuf,
    /// What was found when a shape was first asked for.
    open: Mutex<HashMap<Shape, Opened>>,
}

type Opened = Result<Arc<PitchTable>, NoAnswer>;

impl PitchTables {
    /// The tables of a directory.
    pub fn new(directory: &Path) -> PitchTables {
        PitchTables {
            directory: directory.to_path_buf(),
            open: Mutex::default(),
        }
    }

    fn table(&self, shape: Shape) -> Opened {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let found = open.entry(shape).or_insert_with(|| {
            let table = PitchTable::open(&self.directory, shape);
            table.map(Arc::new).map_err(|error| match error {
                PitchTableError::Missing { .. } => NoAnswer::OutOfReach,
                error => NoAnswer::Broken(error.to_string()),
            })
        });
        found.clone()
    }

    /// The value of a position.
    ///
    /// # Errors
    /// [`NoAnswer`].
    pub fn value(&self, pitch: &Pitch) -> Result<Value, NoAnswer> {
        let value = self.table(pitch.shape())?.value(pitch);
        value.map_err(|error| NoAnswer::Broken(error.to_string()))
    }

    /// The turns to choose from.
    ///
    /// # Errors
    /// [`NoAnswer`].
    pub fn best(&self, pitch: &Pitch) -> Result<Rated, NoAnswer> {
        let table = self.table(pitch.shape())?;
        let rated = (table.rated_turns(pitch)).map_err(|error| NoAnswer::Broken(error.to_string()))?;
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
}

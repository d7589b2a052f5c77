//! Re-derives every stored value from its successors, with the plain rules; shares no code with `solve`.
//!
//! A table says of every position, with Left or Right to move, in how many plies Left wins, or that Left does not. What it
//! says of the boards after each turn fixes what it must say of the position.
//!
//! With depths this settles everything: a count of d rests on counts below d, so by induction every stored win is one;
//! and the positions without a count are closed under Right's best (or Left's any) turns, so that Left cannot win
//! there. By the mirror the same table answers for Right. A `wdl` table passes the same check without the counts, which
//! shows that it is *consistent* but not that its wins end: for that the diagram layout holds levels of forward play, and the dense
//! layout is compared with the `dtw` table ([`compare`]).
//!
//! * `dense`, `planes` — position by position;
//! * `diagram`, `turns` — set by set;
//! * [`pitch`] — tables of pitches;
//! * [`certificate`] — strategies on pitches too large for a table.

pub mod certificate;
mod dense;
mod diagram;
pub mod pitch;
mod planes;
mod turns;

use crate::diagram::algebra::{Join, Sets};
use crate::diagram::graph::{Ref, TooLarge};
use crate::diagram::members::Members;
use crate::game::Game;
use crate::games::strip::{Strip, StripGame};
use crate::outcome::Side;
use crate::table::any::Table;
use crate::table::diagram::DiagramTable;
use crate::table::error::TableError;
use num_bigint::BigUint;
use rayon::prelude::*;
use std::sync::atomic::AtomicU64;

/// What a check found wrong first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A position whose stored value does not follow from its successors.
    Position {
        /// The position, in notation.
        position: String,
        /// What the table says: plies until Left wins; `None` if Left does not.
        stored: Option<u16>,
        /// What its successors say.
        derived: Option<u16>,
    },
    /// A field of the header or description that does not agree with the values.
    Count {
        /// The field.
        field: String,
        /// What it says.
        stored: String,
        /// What the values say.
        counted: String,
    },
    /// A position whose place in a set of a diagram table does not follow from other sets.
    Sets {
        /// The position, in notation.
        position: String,
        /// What does not hold.
        claim: String,
    },
    /// A position on which two tables differ.
    Difference {
        /// The position, or the first one of its block, in notation.
        position: String,
    },
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let words = |plies: &Option<u16>| match plies {
            Some(plies) => format!("Left wins in {plies}"),
            None => "Left does not win".to_string(),
        };
        match self {
            Fault::Position {
                position,
                stored,
                derived,
            } => write!(
                f,
                "'{position}' is stored as '{}', but its turns make it '{}'",
                words(stored),
                words(derived)
            ),
            Fault::Count {
                field,
                stored,
                counted,
            } => write!(f, "{field}: stored {stored}, counted {counted}"),
            Fault::Sets { position, claim } => write!(f, "'{position}': {claim}"),
            Fault::Difference { position } => {
                write!(f, "the dtw and wdl tables differ at or near '{position}'")
            }
        }
    }
}

/// How much [`check`] has to do: positions with either player to move, or steps from set to set.
pub fn work(table: &Table) -> u64 {
    match table {
        Table::Dense(table) => u64::try_from(2 * table.positions()).unwrap_or(u64::MAX),
        Table::Diagram(table) => diagram::steps(table),
    }
}

/// Memory in bytes that [`check`] needs for a dense table, about; for diagrams it is not known beforehand.
pub fn memory_needed(table: &Table) -> Option<u64> {
    match table {
        Table::Dense(table) => Some(dense::memory_needed(table)),
        Table::Diagram(_) => None,
    }
}

/// Checks one table: all checksums, every value, every count, and the levels of forward play if it has them. `done` counts up to [`work`].
///
/// # Errors
/// [`TableError`] if the file itself is damaged, or has more nodes than can be numbered.
pub fn check(table: &Table, done: &AtomicU64) -> Result<Option<Fault>, TableError> {
    match table {
        Table::Dense(table) => dense::check(table, done),
        Table::Diagram(inner) => {
            diagram::check(inner, done).map_err(|TooLarge| TableError::unwieldy(table.path()))
        }
    }
}

/// Whether what a table says is proved by what [`check`] looks at: by depths, or by levels of forward play.
pub fn is_proof(table: &Table) -> bool {
    table.has_depths() || matches!(table, Table::Diagram(_))
}

/// Whether a `wdl` table says of every position what the `dtw` table of the same length says.
///
/// # Errors
/// [`TableError::NotHeld`]; [`TableError`] if a file is damaged.
pub fn compare(dtw: &Table, wdl: &Table) -> Result<Option<Fault>, TableError> {
    TableError::unless_of(dtw.header(), wdl.header().length, wdl.header().rules)?;
    match (dtw, wdl) {
        (Table::Dense(dtw), Table::Dense(wdl)) => dense::compare(dtw, wdl),
        (Table::Diagram(dtw), Table::Diagram(wdl)) => {
            compare_sets(dtw, wdl).map_err(|TooLarge| TableError::unwieldy(dtw.path()))
        }
        _ => compare_positions(dtw, wdl),
    }
}

/// Two diagram tables: set against set.
fn compare_sets(dtw: &DiagramTable, wdl: &DiagramTable) -> Result<Option<Fault>, TooLarge> {
    let mut graph = dtw.workspace();
    let mut pairs = Vec::new();
    for side in [Side::Left, Side::Right] {
        let a = graph.copy(&dtw.nodes(), &[dtw.won_by_left(side)])?;
        let b = graph.copy(&wdl.nodes(), &[wdl.won_by_left(side)])?;
        pairs.push((side, a[0], b[0]));
    }
    let mut sets = Sets::new(graph);
    for (side, a, b) in pairs {
        for (a, b) in [(a, b), (b, a)] {
            let only = sets.join(Join::Minus, a, b)?;
            if only != Ref::BOTTOM {
                let first = Members::new(sets.graph(), only).nth(&BigUint::ZERO, side);
                return Ok(Some(Fault::Difference {
                    position: first.map_or(String::new(), |strip| strip.to_string()),
                }));
            }
        }
    }
    Ok(None)
}

/// Tables of different layouts: position by position.
fn compare_positions(dtw: &Table, wdl: &Table) -> Result<Option<Fault>, TableError> {
    let Some(game) = StripGame::new(dtw.header().length) else {
        return Ok(None); // No dense table is that long.
    };
    let game = game.under(dtw.header().rules);
    const AT_A_TIME: u64 = 1 << 16;
    let differing = (0..game.positions().div_ceil(AT_A_TIME))
        .into_par_iter()
        .map(|part| -> Result<Option<Strip>, TableError> {
            let strips: Vec<Strip> = (part * AT_A_TIME..game.positions().min((part + 1) * AT_A_TIME))
                .map(|index| game.position(index))
                .collect();
            let (a, b) = (dtw.verdicts(&strips)?, wdl.verdicts(&strips)?);
            let differs = |&place: &usize| a[place].wdl != b[place].wdl;
            Ok((0..strips.len()).find(differs).map(|place| strips[place]))
        })
        .find_first(|found| !matches!(found, Ok(None)));
    let differing = differing.transpose()?.flatten();
    Ok(differing.map(|strip| Fault::Difference {
        position: strip.to_string(),
    }))
}

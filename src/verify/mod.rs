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
#[doc(hidden)]
pub mod turns;
mod unpacked;

use crate::diagram::algebra::Sets;
use crate::diagram::graph::TooLarge;
use crate::game::Game;
use crate::games::strip::{Strip, StripGame};
use crate::outcome::{Side, Value};
use crate::table::any::Table;
use crate::table::diagram::DiagramTable;
use crate::table::error::TableError;
use crate::table::header::{Description, Header};
use num_bigint::BigUint;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::atomic::AtomicU64;

/// What a check found wrong first.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A position of a strip whose stored value does not follow from its successors.
    #[error("'{position}' is stored as '{}', but its turns make it '{}'", words(*stored), words(*derived))]
    Position {
        /// The position, in notation.
        position: String,
        /// What the table says: plies until Left wins; `None` if Left does not.
        stored: Option<u16>,
        /// What its successors say.
        derived: Option<u16>,
    },
    /// A position of a pitch whose stored value does not follow from its successors.
    #[error("'{position}' is stored as a {stored}, but its turns make it a {derived}")]
    Value {
        /// The position, in notation.
        position: String,
        /// The value in the table.
        stored: Value,
        /// The value that its turns give it.
        derived: Value,
    },
    /// A field of the header or description that does not agree with the values.
    #[error("{field}: stored {stored}, counted {counted}")]
    Count {
        /// The field.
        field: String,
        /// What it says.
        stored: String,
        /// What the values say.
        counted: String,
    },
    /// A position whose place in a set of a diagram table does not follow from other sets.
    #[error("'{position}': {claim}")]
    Sets {
        /// The position, in notation.
        position: String,
        /// What does not hold.
        claim: String,
    },
    /// A position on which two tables differ.
    #[error("the dtw and wdl tables differ at or near '{position}'")]
    Difference {
        /// The position, or the first one of its block, in notation.
        position: String,
    },
}

/// What a plane says of a board.
fn words(plies: Option<u16>) -> String {
    match plies {
        Some(plies) => format!("Left wins in {plies}"),
        None => "Left does not win".to_string(),
    }
}

impl Fault {
    /// The position at fault, in notation; `None` if it is a count.
    pub fn position(&self) -> Option<&str> {
        match self {
            Fault::Position { position, .. }
            | Fault::Value { position, .. }
            | Fault::Sets { position, .. }
            | Fault::Difference { position } => Some(position),
            Fault::Count { .. } => None,
        }
    }

    /// The fault of a count, if what is stored is not what was counted.
    fn of_count<T: PartialEq + Debug>(field: &str, stored: T, counted: T) -> Option<Fault> {
        (stored != counted).then(|| Fault::Count {
            field: field.to_string(),
            stored: format!("{stored:?}"),
            counted: format!("{counted:?}"),
        })
    }
}

/// What the values of a strip's table add up to.
struct Counted {
    wins: BigUint,
    losses: BigUint,
    /// Positions by plies, whoever wins; nothing where depths are not stored.
    depths: BTreeMap<u16, BigUint>,
}

impl Counted {
    /// Holds the header and the description against what was counted. That draws fill up wins and losses to all positions was checked when the
    /// table was opened. `plies` says in how many a position with Left to move is won, by the table.
    fn compare(
        &self,
        header: &Header,
        description: &Description,
        plies: impl Fn(&Strip) -> Option<u16>,
    ) -> Option<Fault> {
        let longest = |parity| {
            self.depths
                .keys()
                .rev()
                .find(|&plies| plies % 2 == parity)
                .copied()
        };
        let stored = description.depths.iter();
        let stored: BTreeMap<u16, BigUint> = stored.map(|(&plies, &count)| (plies, count.into())).collect();
        Fault::of_count("wins", &header.wins, &self.wins)
            .or_else(|| Fault::of_count("losses", &header.losses, &self.losses))
            .or_else(|| Fault::of_count("longest win", header.longest_win, longest(1).unwrap_or(0)))
            .or_else(|| Fault::of_count("longest loss", header.longest_loss, longest(0).unwrap_or(0)))
            .or_else(|| Fault::of_count("positions by depth", &stored, &self.depths))
            .or_else(|| compare_example(header, description, plies))
    }
}

/// Whether the longest win that the description shows is one.
fn compare_example(
    header: &Header,
    description: &Description,
    plies: impl Fn(&Strip) -> Option<u16>,
) -> Option<Fault> {
    let (longest, example) = (header.longest_win, &description.longest_win);
    if longest == 0 && example.is_empty() {
        return None;
    }
    let plies = (example.parse::<Strip>().ok())
        .filter(|strip| strip.length() == header.length && strip.side() == Side::Left)
        .and_then(|strip| plies(&strip));
    (plies != Some(longest)).then(|| Fault::Count {
        field: format!("the longest win shown, '{example}'"),
        stored: format!("{longest} plies"),
        counted: plies.map_or("no win".to_string(), |plies| format!("{plies} plies")),
    })
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
        if let Some(position) = diagram::difference(&mut sets, a, b, side)? {
            return Ok(Some(Fault::Difference { position }));
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

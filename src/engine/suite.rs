//! Test suites: positions with their values and best turns, for programs in any language (`docs/SUITE.md`).
//!
//! The positions of a length are taken evenly from every depth, wins and losses alike, so that the rare long wins are there
//! beside the many short ones; where a table has no depths, from wins and losses. The same seed gives the same positions.

use crate::diagram::Diagram;
use crate::diagram::pattern::Pattern;
use crate::games::position::{Phutball, Position};
use crate::games::strip::Strip;
use crate::outcome::{Depth, Side, Value, Verdict, Wdl};
use crate::table::Metric;
use crate::table::error::TableError;
use crate::table::strip::StripTable;
use crate::table::strip::play::RatedTurn;
use crate::table::strip::sets::StripSets;
use crate::table::tablebase::Tablebase;
use crate::theory::find::{FindError, Query, Uniform, find};
use indexmap::IndexSet;
use num_bigint::BigUint;
use serde::Serialize;
use std::fmt;

/// One position of a suite.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Item {
    /// A name that no other position of the suite has: length, stratum and number.
    pub id: String,
    /// `strip`.
    pub game: &'static str,
    /// The position, with the letter of the side to move.
    pub position: String,
    /// The player to move.
    pub side: &'static str,
    /// `win`, `loss` or `draw`, for the player to move.
    pub value: String,
    /// Plies to the end; `None` if they are not known.
    pub depth: Option<u16>,
    /// The turns than which none is better.
    pub best: Vec<String>,
    /// The other turns that keep the value.
    pub keep: Vec<String>,
}

/// In the manner of EPD: the position, then operations that end with `;`.
impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} value {};", self.position, self.value)?;
        if let Some(depth) = self.depth {
            write!(f, " depth {depth};")?;
        }
        write!(f, " bm {};", self.best.join(" "))?;
        if !self.keep.is_empty() {
            write!(f, " km {};", self.keep.join(" "))?;
        }
        write!(f, " id \"{}\";", self.id)
    }
}

/// The suite of one length: up to `count` positions of every depth, or of every value where there are no depths.
///
/// # Errors
/// [`TableError`] if there is no table, or it cannot be used.
pub fn of_length(
    tables: &Tablebase,
    length: usize,
    count: usize,
    chance: &mut Uniform,
) -> Result<Vec<Item>, TableError> {
    let (table, sets) = tables.ask(length, |table| Ok((table, table.sets(length)?)))?;
    let mut items = Vec::new();
    for stratum in strata(&sets) {
        for strip in picked(&sets, stratum, count, chance)? {
            items.push(item(table, &strip, stratum, items.len())?);
        }
    }
    Ok(items)
}

/// The kinds of positions of a length: by value, and by depth where there are depths.
fn strata(table: &StripSets) -> Vec<Verdict> {
    let summary = table.summary();
    let mut strata: Vec<Verdict> = match table.metric() {
        Metric::Wdl => [Wdl::Win, Wdl::Loss].map(Verdict::from).into(),
        Metric::Dtw => (1..=summary.longest())
            .map(|plies| match plies % 2 {
                1 => Value::Win(Depth(plies)).into(),
                _ => Value::Loss(Depth(plies)).into(),
            })
            .collect(),
    };
    if summary.draws != BigUint::ZERO {
        strata.push(Wdl::Draw.into());
    }
    strata
}

/// Different positions of a stratum, each with the player to move that chance says.
fn picked(
    table: &StripSets,
    stratum: Verdict,
    count: usize,
    chance: &mut Uniform,
) -> Result<Vec<Strip>, TableError> {
    let query = Query {
        value: Some(stratum.wdl),
        depth: stratum.depth.map(|depth| depth.0..=depth.0),
        side: Side::Left,
        pattern: Pattern::any(table.length()),
    };
    let found = find(table, &query).map_err(|error| match error {
        FindError::Table(error) => error,
        FindError::DrawDepth | FindError::NoDepths | FindError::Impossible | FindError::Intricate => {
            unreachable!("every board fits, and depths are asked for where there are some")
        }
    })?;
    let mut members = found.members();
    let total = members.total();
    let mut places: IndexSet<BigUint> = IndexSet::new();
    if total <= BigUint::from(count) {
        places.extend((0..count).map(BigUint::from).filter(|place| *place < total));
    } else {
        while places.len() < count {
            places.insert(chance.below(&total));
        }
    }
    let left = places.iter().filter_map(|place| members.nth(place));
    Ok(left
        .map(|strip| match chance.below(&BigUint::from(2u8)) == BigUint::ZERO {
            true => strip,
            false => strip.mirror(),
        })
        .collect())
}

fn item(table: &StripTable, strip: &Strip, stratum: Verdict, number: usize) -> Result<Item, TableError> {
    let rated = table.rated_turns(strip)?;
    let best = rated.first().map_or(stratum, |turn| turn.verdict);
    let names = |wanted: &dyn Fn(&RatedTurn) -> bool| {
        let turns = rated.iter().filter(|turn| wanted(turn));
        turns.map(|turn| turn.turn.to_string()).collect::<Vec<String>>()
    };
    let depth = best.depth.map_or("w".to_string(), |depth| depth.to_string());
    let position = Position::from(*strip);
    Ok(Item {
        id: format!("{}.{depth}.{number}", strip.length()),
        position: Phutball::Strip(*strip).fen(),
        game: position.game(),
        side: position.player(strip.side()),
        value: best.wdl.to_string(),
        depth: best.depth.map(|depth| depth.0),
        best: names(&|turn| turn.verdict == best),
        keep: names(&|turn| turn.verdict != best && turn.verdict.wdl == best.wdl),
    })
}

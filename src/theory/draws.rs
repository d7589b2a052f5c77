//! Draws and mutual draws: the open question of one-dimensional Phutball (RULES §1, after Sarkar, *Phutball draws*).
//!
//! A *draw* is a position whose player to move can force nothing and be forced to nothing. A *mutual draw* is a board
//! that is a draw whoever moves first. A mutual draw is counted once for each board, so the count is at most that of the
//! draws with Left to move.

use crate::diagram::Diagram;
use crate::diagram::algebra::{Join, Sets};
use crate::diagram::count::count as members_of;
use crate::diagram::graph::{Graph, Ref, TooLarge};
use crate::diagram::members::Members;
use crate::diagram::mirror::mirrored;
use crate::games::strip::Strip;
use crate::outcome::{Side, Wdl};
use crate::table::any::Table;
use crate::table::dense::DenseTable;
use crate::table::error::TableError;
use crate::table::low_bits;
use num_bigint::BigUint;
use rayon::prelude::*;

/// What one table says about draws.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Draws {
    /// Draws with Left to move.
    pub draws: BigUint,
    /// Boards that are draws whoever moves.
    pub mutual_draws: BigUint,
    /// The first draws found with Left to move, at most as many as asked for.
    pub examples: Vec<Strip>,
}

/// Counts the draws of a table and lists the first `show`.
///
/// A table whose header counts no draw is not searched: the header is checked against every position by `verify`.
///
/// # Errors
/// [`TableError::Corrupt`] if the file is damaged, [`TableError::TooLarge`] if its draws make too many nodes.
pub fn count(table: &Table, show: usize) -> Result<Draws, TableError> {
    if table.header().draws == BigUint::ZERO {
        return Ok(Draws::default());
    }
    match table {
        Table::Dense(table) => search(table, show),
        Table::Diagram(table) => {
            let won = [Side::Left, Side::Right].map(|side| table.won_by_left(side));
            of_sets(&table.nodes(), won, show).map_err(|TooLarge| TableError::TooLarge {
                file: table.path().to_path_buf(),
            })
        }
    }
}

/// The draws of a length, of which the boards are known that Left wins, with Left and with Right to move.
///
/// # Errors
/// [`TooLarge`].
pub fn of_sets<D: Diagram>(diagram: &D, won: [D::Ref; 2], show: usize) -> Result<Draws, TooLarge> {
    let length = diagram.length();
    let mut sets = Sets::new(Graph::new(length));
    let draws = drawn_set(&mut sets, diagram, won)?;
    let other_side = mirrored(sets.graph_mut(), draws)?;
    let mutual = sets.join(Join::And, draws, other_side)?;
    let mut members = Members::new(sets.graph(), draws);
    Ok(Draws {
        draws: members.total().clone(),
        mutual_draws: members_of(sets.graph(), mutual),
        examples: (0..show)
            .map_while(|k| members.nth(&BigUint::from(k), Side::Left))
            .collect(),
    })
}

/// The draws with Left to move: what neither player wins.
pub(super) fn drawn_set<D: Diagram>(sets: &mut Sets, diagram: &D, won: [D::Ref; 2]) -> Result<Ref, TooLarge> {
    let won = sets.graph_mut().copy(diagram, &won)?;
    // Right wins a board if Left, with Right to move, wins its mirror image.
    let lost = mirrored(sets.graph_mut(), won[1])?;
    let all = every_board(sets.graph_mut())?;
    let not_won = sets.join(Join::Minus, all, won[0])?;
    sets.join(Join::Minus, not_won, lost)
}

/// All boards of a length.
fn every_board(graph: &mut Graph) -> Result<Ref, TooLarge> {
    let length = graph.length();
    let mut all = Ref::BOTTOM;
    for square in (0..length - 1).rev() {
        let ball = if square == 0 { Ref::BOTTOM } else { Ref::TOP };
        all = graph.ternary(square, all, all, ball)?;
    }
    Ok(all)
}

/// Searches every position.
fn search(table: &DenseTable, show: usize) -> Result<Draws, TableError> {
    let length = table.header().length;
    let bits = low_bits(length);
    let high_bits = length - 1 - bits;
    (0..(length - 2) << high_bits)
        .into_par_iter()
        .map(|place| {
            let (ball, high) = ((place >> high_bits) + 1, place & ((1 << high_bits) - 1));
            let positions = (0..1u128 << bits).filter_map(|low| {
                let pattern = (high as u128) << bits | low;
                Strip::from_pattern(length, ball, pattern, Side::Left)
            });
            draws_among(table, positions, show)
        })
        .try_reduce(Draws::default, |mut total, part| {
            total.draws += part.draws;
            total.mutual_draws += part.mutual_draws;
            total.examples.extend(part.examples);
            total.examples.truncate(show);
            Ok(total)
        })
}

fn draws_among(
    table: &DenseTable,
    positions: impl Iterator<Item = Strip>,
    show: usize,
) -> Result<Draws, TableError> {
    let mut found = Draws::default();
    for strip in positions {
        if table.wdl(&strip)? != Wdl::Draw {
            continue;
        }
        found.draws += 1u8;
        if table.wdl(&strip.with_side(Side::Right))? == Wdl::Draw {
            found.mutual_draws += 1u8;
        }
        if found.examples.len() < show {
            found.examples.push(strip);
        }
    }
    Ok(found)
}

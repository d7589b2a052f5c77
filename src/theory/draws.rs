//! Draws and mutual draws: the open question of one-dimensional Phutball (RULES §1, after Sarkar, *Phutball draws*).
//!
//! A *draw* is a position whose player to move can force nothing and be forced to nothing. A *mutual draw* is a board
//! that is a draw whoever moves first. A mutual draw is counted once for each board, so the count is at most that of the
//! draws with Left to move.

use crate::games::strip::Strip;
use crate::outcome::{Side, Wdl};
use crate::table::dense::DenseTable;
use crate::table::error::TableError;
use crate::table::low_bits;
use rayon::prelude::*;

/// What one table says about draws.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Draws {
    /// Draws with Left to move.
    pub draws: u128,
    /// Boards that are draws whoever moves.
    pub mutual_draws: u128,
    /// The first draws found with Left to move, at most as many as asked for.
    pub examples: Vec<Strip>,
}

/// Counts the draws of a table and lists the first `show`.
///
/// A table whose header counts no draw is not searched: the header is checked against every position by `verify`.
///
/// # Errors
/// [`TableError::Corrupt`] if the file is damaged.
pub fn count(table: &DenseTable, show: usize) -> Result<Draws, TableError> {
    if table.header().draws == 0 {
        return Ok(Draws::default());
    }
    search(table, show)
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
        found.draws += 1;
        if table.wdl(&strip.with_side(Side::Right))? == Wdl::Draw {
            found.mutual_draws += 1;
        }
        if found.examples.len() < show {
            found.examples.push(strip);
        }
    }
    Ok(found)
}

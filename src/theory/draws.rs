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
use crate::outcome::Side;
use crate::table::error::TableError;
use crate::table::strip::StripTable;
use num_bigint::BigUint;

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

/// Counts the draws of a length and lists the first `show`.
///
/// A table that counts no draw is not searched: `verify` checks the counts against every position.
///
/// # Errors
/// [`TableError::Missing`] if the table does not hold the length, [`TableError::Corrupt`] if a frame is damaged, [`TableError::Limit`] if a
/// file of its size does not warrant the work.
pub fn count(table: &StripTable, length: usize, show: usize) -> Result<Draws, TableError> {
    if table.summary(length)?.draws == BigUint::ZERO {
        return Ok(Draws::default());
    }
    let table = table.sets(length)?;
    let won = [Side::Left, Side::Right].map(|side| table.won_by_left(side));
    of_sets(table.workspace(), &table, won, show).map_err(|TooLarge| table.unwieldy())
}

/// The draws of a length, of which the boards are known that Left wins, with Left and with Right to move; `graph` is empty.
pub fn of_sets<D: Diagram>(
    graph: Graph,
    diagram: &D,
    won: [D::Ref; 2],
    show: usize,
) -> Result<Draws, TooLarge> {
    let mut sets = Sets::new(graph);
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

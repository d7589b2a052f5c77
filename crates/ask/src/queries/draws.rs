//! Draws and mutual draws (RULES §1, after Sarkar, *Phutball draws*). Strips have none, pitches have some.
//!
//! A *draw* is a position whose player to move can force nothing and be forced to nothing. A
//! *mutual draw* is a board that is a draw whoever moves first. A mutual draw is counted once for
//! each board, so the count is at most that of the draws with Left to move.

use num_bigint::BigUint;
use phutbase_base::outcome::Side;
use phutbase_rules::strip::Strip;
use phutbase_sets::count::count as members_of;
use phutbase_sets::mirror::mirrored;
use phutbase_sets::{Diagram, Join, Members, Pattern, Ref, Sets, TooLarge};
use phutbase_tables::{StripSets, StripTable, TableError};

/// The mutual draws of a length.
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
/// Returns no examples without searching if the table counts no draws: `verify` checks that count.
pub fn count(table: &StripTable, length: usize, show: usize) -> Result<Draws, TableError> {
    if table.summary(length)?.draws == BigUint::ZERO {
        return Ok(Draws::default());
    }
    let table = table.sets(length)?;
    let of_sets = || {
        let mut sets = Sets::new(table.workspace());
        let draws = drawn_set(&mut sets, &table)?;
        let other_side = mirrored(sets.graph_mut(), draws)?;
        let mutual = sets.join(Join::And, draws, other_side)?;
        let mut members = Members::new(sets.graph(), draws);
        Ok(Draws {
            draws: members.total().clone(),
            mutual_draws: members_of(sets.graph(), mutual),
            examples: members.first(show, Side::Left),
        })
    };
    of_sets().map_err(|TooLarge| table.unwieldy())
}

/// Returns the draws with Left to move: the positions that neither player wins.
pub(super) fn drawn_set(sets: &mut Sets, table: &StripSets) -> Result<Ref, TooLarge> {
    let won = [Side::Left, Side::Right].map(|side| table.won_by_left(side));
    let won = sets.graph_mut().copy(table, &won)?;
    // Right wins a board if Left, with Right to move, wins its mirror image.
    let lost = mirrored(sets.graph_mut(), won[1])?;
    let all = Pattern::any(table.length()).set(sets.graph_mut())?;
    let not_won = sets.join(Join::Minus, all, won[0])?;
    sets.join(Join::Minus, not_won, lost)
}

//! Does having the move ever hurt? Asked of whole tables, for strips of any length.
//!
//! Let A be the boards that Left wins with Left to move and R those that Left wins with Right to move. That the move never hurts
//! Left is that R is a part of A; by the mirror it then never hurts Right either.

use crate::diagram::algebra::{Join, Sets};
use crate::diagram::graph::{Ref, TooLarge};
use crate::diagram::members::Members;
use crate::games::strip::Strip;
use crate::outcome::Side;
use crate::table::diagram::DiagramTable;
use num_bigint::BigUint;

/// The first board, with Left to move, on which Left loses by having the move; `None` if there is none.
///
/// # Errors
/// [`TooLarge`] if that is more work than a table of this size should be.
pub fn move_hurts(table: &DiagramTable) -> Result<Option<Strip>, TooLarge> {
    let mut graph = table.workspace();
    let roots = [Side::Left, Side::Right].map(|side| table.won_by_left(side));
    let sets = graph.copy(&table.nodes(), &roots)?;
    let mut algebra = Sets::new(graph);
    let hurt = algebra.join(Join::Minus, sets[1], sets[0])?;
    if hurt == Ref::BOTTOM {
        return Ok(None);
    }
    Ok(Members::new(algebra.graph(), hurt).nth(&BigUint::ZERO, Side::Left))
}

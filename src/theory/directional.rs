//! Where the directional game parts from the ordinary one (docs/DIRECTIONAL.md): positions that two solutions of one length value
//! differently.
//!
//! A board that Left wins in the ordinary game with forward turns alone is won in the directional game too, by the same turns: Left has
//! them all, and Right has fewer answers. So winners can differ only where the ordinary game needs a turn back.

use crate::diagram::algebra::{Join, Sets};
use crate::diagram::count::count;
use crate::diagram::graph::{Graph, Ref, TooLarge};
use crate::diagram::members::Members;
use crate::diagram::mirror::mirrored;
use crate::games::strip::Strip;
use crate::outcome::Side;
use num_bigint::BigUint;

/// The positions with Left to move on which two solutions differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parted {
    /// How many.
    pub count: BigUint,
    /// The first of them.
    pub first: Vec<Strip>,
}

/// Compares two solutions of a length in a graph. Each is a list of at least two sets of boards that Left wins, with Left and with Right to
/// move in turn: who wins, or the sets of every ply, of which the last two stand for those of all further plies.
///
/// # Panics
/// If a list has fewer than two sets.
pub fn parted(graph: Graph, a: &[Ref], b: &[Ref], show: usize) -> Result<Parted, TooLarge> {
    let mut sets = Sets::new(graph);
    // With Left to move, and with Right to move.
    let mut differ = [Ref::BOTTOM; 2];
    for number in 0..a.len().max(b.len()) {
        let (a, b) = (set_of(a, number), set_of(b, number));
        for (one, other) in [(a, b), (b, a)] {
            let only = sets.join(Join::Minus, one, other)?;
            let known = &mut differ[number % 2];
            *known = sets.join(Join::Or, *known, only)?;
        }
    }
    // What Left wins with Right to move he loses, to move, on the mirror image.
    let losses = mirrored(sets.graph_mut(), differ[1])?;
    let all = sets.join(Join::Or, differ[0], losses)?;
    let mut members = Members::new(sets.graph(), all);
    Ok(Parted {
        count: count(sets.graph(), all),
        first: (0..show)
            .map_while(|number| members.nth(&number.into(), Side::Left))
            .collect(),
    })
}

/// A set of the list, or the last one of the same player's.
fn set_of(sets: &[Ref], number: usize) -> Ref {
    match sets.get(number) {
        Some(&set) => set,
        None => sets[sets.len() - 2 + (number - sets.len()) % 2],
    }
}

//! Sets of boards, from a list.

use phutbase_rules::strip::Strip;
use phutbase_sets::algebra::{Join, Sets};
use phutbase_sets::graph::Ref;
use std::cmp::Ordering;

/// Returns the set of some boards.
pub fn set_of(sets: &mut Sets, members: &[Strip]) -> Ref {
    members.iter().fold(Ref::BOTTOM, |union, strip| {
        let at = (0..strip.length()).rev().fold(Ref::TOP, |at, square| {
            let graph = sets.graph_mut();
            let (empty, stone) = match strip.stones() >> square & 1 == 1 {
                false => (at, Ref::BOTTOM),
                true => (Ref::BOTTOM, at),
            };
            match square.cmp(&strip.ball()) {
                Ordering::Greater => graph.binary(square, empty, stone),
                Ordering::Equal => graph.ternary(square, Ref::BOTTOM, Ref::BOTTOM, at),
                Ordering::Less => graph.ternary(square, empty, stone, Ref::BOTTOM),
            }
            .unwrap()
        });
        sets.join(Join::Or, union, at).unwrap()
    })
}

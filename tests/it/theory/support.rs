//! Values and sets of the shipped table with depths.

use crate::table::support::shipped;
use phutbase::games::strip::{Strip, Turn};
use phutbase::table::strip::StripTable;
use phutbase::theory::exact::diagrams::Diagrams;
use phutbase::theory::values::AllValues;
use std::sync::LazyLock;

static TABLE: LazyLock<StripTable> = LazyLock::new(|| shipped("strip-36-dtw.phut"));

/// All values of a length.
pub fn all_values(length: usize) -> AllValues {
    AllValues::of(&TABLE.sets(length).unwrap()).unwrap()
}

/// The positions of a length that Left wins.
pub fn diagrams(length: usize) -> Diagrams {
    Diagrams::of(&TABLE.sets(length).unwrap()).unwrap()
}

/// The turn that wins soonest, or loses latest.
pub fn best_turn(strip: &Strip) -> Option<Turn> {
    Some(TABLE.rated_turns(strip).unwrap().first()?.turn)
}

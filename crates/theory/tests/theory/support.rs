//! Values of the shipped table with depths.

use phutbase_fixtures::prelude::*;
use phutbase_theory::values::AllValues;

static TABLE: LazyLock<StripTable> = LazyLock::new(|| shipped("strip-36-dtw.phut"));

/// Returns all values of a length.
pub fn all_values(length: usize) -> AllValues {
    AllValues::of(&TABLE.sets(length).unwrap()).unwrap()
}

/// Returns the turn that wins soonest or loses latest.
pub fn best_turn(strip: &Strip) -> Option<Turn> {
    Some(TABLE.rated_turns(strip).unwrap().first()?.turn)
}

/// Reads the lines of numbers in a file and skips comments.
pub fn numbers<const N: usize>(file: &str) -> Vec<[u64; N]> {
    let fields = |line: &str| {
        line.split('\t')
            .map(|field| field.parse().unwrap())
            .collect::<Vec<u64>>()
    };
    let lines = file.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| fields(line).try_into().unwrap()).collect()
}

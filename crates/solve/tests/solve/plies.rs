//! Depths as sets, compared with the reference solver, with enumeration and with recorded counts.

use phutbase_fixtures::prelude::*;
use phutbase_fixtures::values::{Depths, ENOUGH, pinned_depths, solved_plies};
use phutbase_sets::count::count;
use phutbase_solve::SolveError;
use phutbase_solve::plies::Plies;

/// Returns the value of a position.
fn value(plies: &Plies, roots: &[Ref], strip: &Strip) -> Value {
    let depth = |first: usize, board: &Strip| {
        let mut plies_of = (first..=roots.len()).step_by(2);
        let found = plies_of.find(|ply| contains(plies.graph(), roots[ply - 1], board));
        found.map(|ply| Depth(ply as u16))
    };
    let left = strip.normalised();
    let win = depth(1, &left).map(Value::Win);
    win.or_else(|| depth(2, &left.mirror()).map(Value::Loss))
        .unwrap_or(Value::Draw)
}

/// Returns the number of boards that each ply decides.
fn counts(length: usize) -> Vec<u64> {
    let plies = solved_plies(length);
    let sizes: Vec<u64> = (plies.roots().into_iter())
        .map(|root| u64::try_from(count(plies.graph(), root)).unwrap())
        .collect();
    let before = [0, 0].into_iter().chain(sizes.clone());
    let mut counts: Vec<u64> = sizes
        .iter()
        .zip(before)
        .map(|(size, before)| size - before)
        .collect();
    assert_eq!(counts.pop(), Some(0), "the last ply decides nothing");
    counts
}

#[test]
fn every_value_is_the_reference_solvers() {
    for length in 3..=13 {
        let plies = solved_plies(length);
        let roots = plies.roots();
        for (strip, &expected) in positions(length).zip(reference_values(length, Rules::Ordinary)) {
            for side in [strip, strip.mirror()] {
                assert_eq!(value(&plies, &roots, &side), expected, "{side}");
            }
        }
    }
}

#[test]
fn every_ply_decides_as_many_boards_as_enumeration() {
    for length in 3..=21 {
        assert_eq!(counts(length), Depths::of(length).counts, "{length} squares");
    }
}

#[test]
fn recorded_depths_are_met() {
    let recorded = pinned_depths();
    assert!(recorded.len() > 2);
    for (length, expected) in recorded {
        let found: BTreeMap<u16, u64> = (1..)
            .zip(counts(length))
            .filter(|&(_, count)| count > 0)
            .collect();
        assert_eq!(found, expected, "{length} squares");
    }
}

#[test]
fn lengths_out_of_range_are_refused() {
    for length in [0, 2, 256] {
        assert_eq!(Plies::new(length, ENOUGH).err(), Some(SolveError::Length(length)));
    }
}

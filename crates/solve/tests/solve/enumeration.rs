//! Enumeration compared with the reference solver on every position. On longer strips the value of
//! each position must follow from the values of its successors.
//!
//! From 7 squares on a ball square has a word, from 8 on several; from 20 on threads share one.

use phutbase_fixtures::prelude::*;
use phutbase_fixtures::values::{Depths, Totals, depths, pinned_depths};
use phutbase_solve::SolveError;
use phutbase_solve::bits::{Enumeration, MAX_LENGTH};

#[test]
fn every_position_of_3_to_16_squares() {
    for length in 3..=16 {
        let expected = reference_values(length, Rules::Ordinary);
        let values = Depths::of(length).values();
        assert_eq!(values.len(), expected.len());
        let mut wrong = positions(length)
            .zip(values.iter().zip(expected))
            .filter(|(_, (a, b))| a != b);
        assert_eq!(wrong.next(), None, "{length} squares");
    }
}

#[test]
fn counts_are_the_pinned_ones() {
    let by_length = pinned_depths();
    for totals in pinned_totals() {
        let found = Depths::of(totals.length);
        let values = found.values();
        assert_eq!(Totals::of(totals.length, &values), totals);
        let by_plies = depths(&values);
        let counts: BTreeMap<u16, u64> = (1..).zip(found.counts).filter(|&(_, count)| count > 0).collect();
        assert_eq!(counts, by_plies);
        if let Some(expected) = by_length.get(&totals.length) {
            assert_eq!(&by_plies, expected, "{} squares", totals.length);
        }
    }
    assert!(by_length.contains_key(&16), "the longest pinned length");
}

/// If every value follows from its successors' and every win and loss has a depth, all values are
/// exact: by induction on the depth, no win or loss can be missing or false.
#[test]
fn every_value_follows_from_its_successors() {
    for (length, every) in [(18, 1), (21, 100)] {
        let depths = Depths::of(length);
        let game = StripGame::new(length).unwrap();
        let wrong = (0..game.positions() / every)
            .into_par_iter()
            .map(|index| game.position(every * index))
            .find_first(|position| !depths.is_consistent(position));
        assert_eq!(wrong.map(|position| position.to_string()), None);
    }
}

#[test]
fn threads_do_not_show() {
    let expected = Depths::of(20);
    for threads in [1, 2, 4] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        assert!(pool.install(|| Depths::of(20)) == expected, "{threads} threads");
    }
}

#[test]
fn lengths_out_of_range_are_refused() {
    for length in [0, 2, MAX_LENGTH + 1, 256] {
        assert_eq!(Enumeration::new(length).err(), Some(SolveError::Length(length)));
    }
}

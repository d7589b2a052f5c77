//! The strip by example: notation, turns, errors. Laws that hold on every strip are in
//! `strip_laws`.

use phutbase_rules::strip::{MAX_INDEXED_LENGTH, positions};
use phutbase_testing::prelude::*;

#[test]
fn illegal_turns_are_refused_by_name() {
    let strip: Strip = "o@o.o".parse().unwrap();
    for turn in [
        Turn::Place(0),
        Turn::Place(1),
        Turn::Place(77),
        Turn::Jump(2),
        Turn::Jump(4),
    ] {
        let error = strip.play(turn).unwrap_err();
        assert!(
            error.to_string().contains(&turn.to_string()),
            "{error} names {turn}"
        );
    }
}

#[test]
fn the_longest_indexed_length_is_the_longest_that_fits() {
    assert!(positions(MAX_INDEXED_LENGTH) <= u64::MAX.into());
    assert!(positions(MAX_INDEXED_LENGTH + 1) > u64::MAX.into());
    assert_eq!(StripGame::new(2), None);
    assert_eq!(StripGame::new(MAX_INDEXED_LENGTH + 1), None);
}

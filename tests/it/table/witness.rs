//! Comparison of tables with the enumeration: correct tables pass, and a wrong value is reported
//! with its position.

use crate::prelude::*;
use phutbase::generate::witness::{Difference, WitnessError, compare};

fn found(table: &StripTable, length: usize) -> Option<Difference> {
    compare(table, length, None, &mut |_, _| ControlFlow::Continue(())).unwrap()
}

#[test]
fn nothing_is_found_in_a_right_table() {
    for metric in METRICS {
        let table = open(generated(16, metric), "good.phut").unwrap();
        for length in 3..=16 {
            assert_eq!(found(&table, length), None, "{length} squares, {metric}");
        }
    }
}

#[test]
fn a_wrong_depth_and_a_wrong_winner_are_found_by_their_position() {
    let mut planted = 0;
    let mut good = Planes::of_reference(8);
    plant(8, 19, |mut planes, metric, changed| {
        let difference = found(&planes.table(metric), 8).unwrap_or_else(|| panic!("'{changed}', {metric}"));
        let position = difference.position;
        let stored = planes.left_wins(&position);
        assert_ne!(stored, good.left_wins(&position), "'{changed}': {difference}");
        planted += 1;
    });
    assert!(planted > 180, "{planted}");
}

/// A wrong value on a shorter strip is found when that length is enumerated, or any longer one.
#[test]
fn a_wrong_value_of_a_shorter_strip_is_found() {
    let shorter = strip(".@o.o.");
    for metric in METRICS {
        let mut planes = Planes::of_reference(9);
        planes.make_draw(&shorter.followed_by_stones(9));
        let table = planes.table(metric);
        for length in 3..=5 {
            assert_eq!(found(&table, length), None, "{length} squares, {metric}");
        }
        for length in 6..=9 {
            let difference = found(&table, length).unwrap();
            let expected = shorter.followed_by_stones(length);
            let same = [expected, expected.mirror()].contains(&difference.position);
            assert!(same, "{difference}");
        }
    }
}

#[test]
fn it_is_refused_or_interrupted_in_words() {
    let table = Planes::of_reference(8).table(METRICS[0]);
    let mut plies = Vec::new();
    let stopped = compare(&table, 8, None, &mut |ply, decided| {
        plies.push((ply, decided));
        if ply == 3 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    assert!(matches!(stopped, Err(WitnessError::Interrupted(3))));
    let all = positions(8).count() as u64;
    assert!(plies.is_sorted() && plies[2].1 < all, "{plies:?}");
    let go_on = &mut |_, _| ControlFlow::Continue(());
    let longer = compare(&table, 9, None, go_on);
    assert!(matches!(
        longer,
        Err(WitnessError::Table(TableError::Missing { .. }))
    ));
    assert!(matches!(
        compare(&table, 8, Some(0), go_on),
        Err(WitnessError::Plan(_))
    ));
}

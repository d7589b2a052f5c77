//! Tables held against the enumeration: nothing is found in right ones, and a wrong value is found
//! by its position.

use crate::common::RULES;
use crate::table::support::{METRICS, Planes, generated_under, open, plant, positions, strip};
use phutbase::generate::witness::{Difference, WitnessError, compare};
use phutbase::table::error::TableError;
use phutbase::table::strip::StripTable;
use std::ops::ControlFlow;

fn found(table: &StripTable, length: usize) -> Option<Difference> {
    compare(table, length, None, &mut |_, _| ControlFlow::Continue(())).unwrap()
}

#[test]
fn nothing_is_found_in_a_right_table() {
    for rules in RULES {
        for metric in METRICS {
            let table = open(generated_under(rules, 16, metric), "good.phut").unwrap();
            for length in 3..=16 {
                assert_eq!(found(&table, length), None, "{length} squares, {metric}, {rules}");
            }
        }
    }
}

#[test]
fn a_wrong_depth_and_a_wrong_winner_are_found_by_their_position() {
    let mut planted = 0;
    let mut good = Planes::of_reference(8);
    plant(8, 7, |mut planes, metric, changed| {
        let difference = found(&planes.table(metric), 8).unwrap_or_else(|| panic!("'{changed}', {metric}"));
        let position = difference.position;
        let stored = planes.left_wins(&position);
        assert_ne!(stored, good.left_wins(&position), "'{changed}': {difference}");
        planted += 1;
    });
    assert!(planted > 500, "{planted}");
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

/// A table without a win differs from the enumeration on a position that is won.
#[test]
fn a_table_in_which_all_is_drawn_is_found_wrong() {
    let mut planes = Planes::of_reference(7);
    planes.depths.iter_mut().for_each(|plane| plane.fill(0));
    for metric in METRICS {
        assert!(found(&planes.table(metric), 7).is_some(), "{metric}");
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

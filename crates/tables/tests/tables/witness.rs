//! Comparison of tables with the enumeration: correct tables pass, and a wrong value is reported
//! with its position.

use phutbase_fixtures::prelude::*;
use phutbase_solve::SolveError;
use phutbase_solve::generate::witness::{Difference, WitnessError, compare};

fn found(table: &StripTable, length: usize) -> Option<Difference> {
    compare(table, length, &Job::default()).unwrap()
}

#[test]
fn nothing_is_found_in_a_right_table() {
    for metric in METRICS {
        let table = open(generated(22, metric), "good.phut").unwrap();
        for length in (3..=16).chain([20, 22]) {
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
    let job = Job::default().stopping_at_step(3);
    let stopped = compare(&table, 8, &job);
    assert!(matches!(
        stopped,
        Err(WitnessError::Solve(SolveError::Stopped(Stopped::Interrupted)))
    ));
    let (progress, all) = (job.progress(), positions(8).count() as u64);
    assert_eq!((&progress.note[..], progress.total), ("ply 3", all));
    assert!((1..all).contains(&progress.done));
    let longer = compare(&table, 9, &Job::default());
    assert!(matches!(
        longer,
        Err(WitnessError::Table(TableError::Missing { .. }))
    ));
    assert!(matches!(
        compare(&table, 8, &Job::default().with_memory(Some(0))),
        Err(WitnessError::Plan(_))
    ));
}

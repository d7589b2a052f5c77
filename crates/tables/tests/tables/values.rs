//! Bulk values compared with the reference solver, position by position.

use phutbase_fixtures::prelude::*;
use phutbase_sets::Diagram;
use phutbase_tables::strip::sets::StripSets;
use phutbase_tables::values::{LengthValues, fill_pitch, outcome};

/// Returns outcome and plies.
fn as_numbers(value: Value) -> (i8, u8) {
    match value {
        Value::Win(depth) => (1, depth.0 as u8),
        Value::Draw => (0, 0),
        Value::Loss(depth) => (-1, depth.0 as u8),
    }
}

/// Fills a buffer that had other contents before.
fn filled(size: usize, fill: impl FnOnce(&mut [u8])) -> Vec<(i8, u8)> {
    let mut plies = vec![77; size];
    fill(&mut plies);
    plies.into_iter().map(|plies| (outcome(plies), plies)).collect()
}

fn agrees(sets: &StripSets, expected: &[(i8, u8)]) {
    let length = sets.length();
    let values = LengthValues::new(sets, &Job::default()).unwrap();
    let all = filled(expected.len(), |run| {
        values.fill_all(run, &Job::default()).unwrap()
    });
    assert_eq!(all, expected, "length {length}");
    // Every possible size of a range.
    let row = 1 << (length - 1);
    for size in (0..length).map(|bits| 1usize << bits) {
        for first in (0..expected.len()).step_by(size.max(row / 8)) {
            let (ball, pattern) = (first / row + 1, (first % row) as u64);
            let run = filled(size, |run| values.fill(ball, pattern, run));
            assert_eq!(
                run,
                expected[first..first + size],
                "{length}, {size} from {first}"
            );
        }
    }
}

/// Every length of a table of 12 squares.
#[test]
fn every_value_of_short_strips_in_every_metric() {
    let planes = Planes::of_reference(12);
    for metric in METRICS {
        let table = planes.table(metric);
        for length in 3..=12 {
            let values = reference_values(length, Rules::Ordinary).iter().copied();
            let mut expected: Vec<(i8, u8)> = values.map(as_numbers).collect();
            if metric != Metric::Dtw {
                expected.iter_mut().for_each(|(outcome, plies)| {
                    *plies = [2, 0, 1][(*outcome + 1) as usize];
                });
            }
            agrees(&table.sets(length).unwrap(), &expected);
        }
    }
}

#[test]
fn more_values_than_any_disk_holds_are_refused() {
    let sets = shipped("strip-64-wdl.phut").sets(41).unwrap();
    assert!(matches!(
        LengthValues::new(&sets, &Job::default()),
        Err(TableError::Limit { .. })
    ));
}

#[test]
fn every_value_of_small_pitches() {
    let directory = tempfile::tempdir().unwrap();
    for (rows, columns) in [(3, 1), (5, 1), (4, 2), (3, 3)] {
        let shape = Shape::new(rows, columns).unwrap();
        let game = PitchGame::new(shape).unwrap();
        let path = generate_pitch_in(Rules::Ordinary, directory.path(), &shape.to_string());
        let table = PitchTable::open(&path).unwrap();
        let values = reference::solve(&game);
        assert_eq!(values.len() as u64, game.positions());
        let expected: Vec<(i8, u8)> = values.into_iter().map(as_numbers).collect();
        let all = filled(expected.len(), |run| fill_pitch(&table, 0, run).unwrap());
        assert_eq!(all, expected, "{shape}");
        let half = expected.len() / 2;
        let rest = filled(half, |run| fill_pitch(&table, half as u64, run).unwrap());
        assert_eq!(rest, expected[half..], "{shape}");
    }
}

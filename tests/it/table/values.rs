//! All values at once against the reference solver, a position at a time.

use super::support::{METRICS, Planes, generate_pitch_in, positions, strip};
use crate::common::{RULES, reference_values};
use phutbase::diagram::Diagram;
use phutbase::game::Game;
use phutbase::games::pitch::{PitchGame, Shape};
use phutbase::games::rules::Rules;
use phutbase::games::strip::Strip;
use phutbase::outcome::Value;
use phutbase::solve::reference;
use phutbase::table::Metric;
use phutbase::table::container::cache::FrameCache;
use phutbase::table::error::TableError;
use phutbase::table::pitch::PitchTable;
use phutbase::table::strip::sets::StripSets;
use phutbase::table::values::{Run, fill, fill_all, fill_pitch};

/// Outcome and plies as they are handed out.
fn as_numbers(value: Value) -> (i8, u8) {
    match value {
        Value::Win(depth) => (1, depth.0 as u8),
        Value::Draw => (0, 0),
        Value::Loss(depth) => (-1, depth.0 as u8),
    }
}

/// Values of a run that is filled in over what stood there before.
fn filled(size: usize, fill: impl FnOnce(Run<'_>)) -> Vec<(i8, u8)> {
    let (mut outcome, mut depth) = (vec![7; size], vec![77; size]);
    fill(Run {
        outcome: &mut outcome,
        depth: &mut depth,
    });
    outcome.into_iter().zip(depth).collect()
}

fn agrees(sets: &StripSets, expected: &[(i8, u8)]) {
    let length = sets.length();
    let all = filled(expected.len(), |run| fill_all(sets, run).unwrap());
    assert_eq!(all, expected, "length {length}");
    // Runs of every size that there can be.
    let row = 1 << (length - 1);
    for size in (0..length).map(|bits| 1usize << bits) {
        for first in (0..expected.len()).step_by(size.max(row / 8)) {
            let (ball, pattern) = (first / row + 1, (first % row) as u64);
            let run = filled(size, |run| fill(sets, ball, pattern, run).unwrap());
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
    for rules in RULES {
        let planes = Planes::under(rules, 12);
        for metric in METRICS {
            let table = planes.table(metric);
            for length in 3..=12 {
                let values = reference_values(length, rules).iter().copied();
                let mut expected: Vec<(i8, u8)> = values.map(as_numbers).collect();
                if metric == Metric::Wdl {
                    expected.iter_mut().for_each(|(_, depth)| *depth = 0);
                }
                agrees(&table.sets(length).unwrap(), &expected);
            }
        }
    }
}

#[test]
fn planted_draws_are_draws() {
    let mut planes = Planes::of_reference(7);
    let drawn: Vec<Strip> = [".@o.o..", ".@...o.", "o..@..o"].map(strip).to_vec();
    drawn.iter().for_each(|board| planes.make_draw(board));
    let sets = planes.table(Metric::Dtw).sets(7).unwrap();
    let all = filled(5 << 6, |run| fill_all(&sets, run).unwrap());
    for (board, value) in positions(7).zip(all) {
        assert_eq!(value.0 == 0, drawn.contains(&board), "{board}");
    }
}

#[test]
fn more_values_than_any_disk_holds_are_refused() {
    let sets = super::support::shipped("strip-64-wdl.phut").sets(41).unwrap();
    let (mut outcome, mut depth) = ([0; 1], [0; 1]);
    let run = Run {
        outcome: &mut outcome,
        depth: &mut depth,
    };
    assert!(matches!(fill(&sets, 1, 0, run), Err(TableError::Limit { .. })));
}

#[test]
fn every_value_of_small_pitches() {
    let directory = tempfile::tempdir().unwrap();
    for (rows, columns) in [(3, 1), (5, 1), (4, 2), (3, 3)] {
        let shape = Shape::new(rows, columns).unwrap();
        let game = PitchGame::new(shape).unwrap();
        let path = generate_pitch_in(Rules::Ordinary, directory.path(), &shape.to_string());
        let table = PitchTable::open(&path, &FrameCache::new(1 << 20)).unwrap();
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

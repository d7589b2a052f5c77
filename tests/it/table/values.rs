//! All values at once against the reference solver, a position at a time.

use super::support::{Planes, positions, strip};
use phutbase::game::Game;
use phutbase::games::pitch::{PitchGame, Shape};
use phutbase::games::strip::{Strip, StripGame};
use phutbase::outcome::Value;
use phutbase::solve::reference;
use phutbase::table::Metric;
use phutbase::table::any::Table;
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

fn agrees(table: &Table, expected: &[(i8, u8)]) {
    let length = table.header().length;
    let all = filled(expected.len(), |run| fill_all(table, run).unwrap());
    assert_eq!(all, expected, "length {length}, {}", table.layout());
    // Runs of every size that there can be.
    let row = 1 << (length - 1);
    for size in (0..length).map(|bits| 1usize << bits) {
        for first in (0..expected.len()).step_by(size.max(row / 8)) {
            let (ball, pattern) = (first / row + 1, (first % row) as u64);
            let run = filled(size, |run| fill(table, ball, pattern, run).unwrap());
            assert_eq!(
                run,
                expected[first..first + size],
                "length {length}, {size} from {first}"
            );
        }
    }
}

#[test]
fn every_value_of_short_strips_in_every_layout_and_metric() {
    for length in 3..=11 {
        let mut expected: Vec<(i8, u8)> = reference::solve(&StripGame::new(length).unwrap())
            .into_iter()
            .map(as_numbers)
            .collect();
        let planes = Planes::of_reference(length);
        for table in planes.both_layouts(Metric::Dtw) {
            agrees(&table, &expected);
        }
        expected.iter_mut().for_each(|(_, depth)| *depth = 0);
        for table in planes.both_layouts(Metric::Wdl) {
            agrees(&table, &expected);
        }
    }
}

#[test]
fn planted_draws_are_draws() {
    let mut planes = Planes::of_reference(7);
    let drawn: Vec<Strip> = [".@o.o..", ".@...o.", "o..@..o"].map(strip).to_vec();
    drawn.iter().for_each(|board| planes.make_draw(board));
    for table in planes.both_layouts(Metric::Dtw) {
        let all = filled(5 << 6, |run| fill_all(&table, run).unwrap());
        for (board, value) in positions(7).zip(all) {
            assert_eq!(value.0 == 0, drawn.contains(&board), "{board}");
        }
    }
}

#[test]
fn every_value_of_small_pitches() {
    let directory = tempfile::tempdir().unwrap();
    for (rows, columns) in [(3, 1), (5, 1), (4, 2), (3, 3)] {
        let shape = Shape::new(rows, columns).unwrap();
        let game = PitchGame::new(shape).unwrap();
        crate::common::cli::run(&format!(
            "generate {shape} --tables {}",
            directory.path().display()
        ))
        .ok();
        let tables = phutbase::table::directory::Tablebase::open(directory.path()).unwrap();
        let table = tables.pitch(shape).unwrap();
        let values = reference::solve(&game);
        assert_eq!(values.len() as u64, game.positions());
        let expected: Vec<(i8, u8)> = values.into_iter().map(as_numbers).collect();
        let all = filled(expected.len(), |run| fill_pitch(table, 0, run).unwrap());
        assert_eq!(all, expected, "{shape}");
        let half = expected.len() / 2;
        let rest = filled(half, |run| fill_pitch(table, half as u64, run).unwrap());
        assert_eq!(rest, expected[half..], "{shape}");
    }
}

//! The pitch engine against the reference solver on every position of small pitches, and against
//! counts of an independent program.

use crate::unfinished::pitch_wdl;
use phutbase_fixtures::prelude::*;
use phutbase_fixtures::values::{PitchDepths, histogram};
use phutbase_pitches::solver::{MAX_PITCH_POINTS, Needs, PitchSolveError};

fn solved(shape: Shape, simd: Simd) -> PitchSolver {
    let mut solver = PitchSolver::new(shape, true).unwrap().with_simd(simd);
    solver.finish().unwrap();
    solver
}

#[test]
fn every_value_is_the_reference_solvers_up_to_14_points() {
    for shape in shapes_up_to(14) {
        let game = PitchGame::new(shape).unwrap();
        let truth = reference::solve(&game);
        for simd in Simd::available() {
            let solver = solved(shape, simd);
            let depths = PitchDepths::of(&solver);
            let values: Vec<Value> = (0..game.positions())
                .map(|index| depths.value(&game.position(index)))
                .collect();
            for (index, (found, expected)) in (0..).zip(values.iter().zip(&truth)) {
                let pitch = game.position(index);
                assert_eq!(found, expected, "{simd:?}: '{pitch}'");
                assert_eq!(pitch_wdl(&solver, &pitch), expected.wdl(), "{simd:?}: '{pitch}'");
                assert_eq!(depths.value(&pitch.turned()), *expected, "turned: '{pitch}'");
                assert_eq!(depths.value(&pitch.mirrored()), *expected, "mirrored: '{pitch}'");
            }
            assert_eq!(histogram(&values), histogram(&truth));
        }
    }
}

#[test]
fn counts_found_by_an_independent_program() {
    for line in include_str!("../../../../tests/data/pitch_counts.tsv")
        .lines()
        .skip(1)
    {
        let fields: Vec<u64> = line.split('\t').map(|field| field.parse().unwrap()).collect();
        let shape = Shape::new(fields[0] as usize, fields[1] as usize).unwrap();
        let game = PitchGame::new(shape).unwrap();
        assert_eq!(game.positions(), fields[2], "{shape}");
        let mut counts = [0; 4];
        for value in reference::solve(&game) {
            counts[match value {
                Value::Win(_) => 0,
                Value::Loss(_) => 1,
                Value::Draw => 2,
            }] += 1;
            counts[3] = counts[3].max(value.depth().map_or(0, |depth| depth.0.into()));
        }
        assert_eq!(counts[..], fields[3..], "{shape}: the reference solver");
        let solver = solved(shape, Simd::best());
        let plies = solver.counts();
        assert_eq!(plies.iter().step_by(2).sum::<u64>(), fields[3], "{shape}: wins");
        assert_eq!(
            plies.iter().skip(1).step_by(2).sum::<u64>(),
            fields[4],
            "{shape}: losses"
        );
        assert_eq!(plies.len() as u64 - 1, fields[6], "{shape}: the longest");
    }
}

/// Derives the value of a position from those of its successors.
fn from_successors(depths: &PitchDepths<'_>, pitch: &Pitch) -> Value {
    let game = PitchGame::new(pitch.shape()).unwrap();
    let mut best = Value::Loss(Depth(1));
    game.turns(pitch, &mut |_, next| {
        best = best.max(match next {
            Successor::Position(next) => depths.value(&next).before(),
            Successor::Over(outcome) => Value::at_once(outcome),
        });
    });
    best
}

#[test]
fn values_follow_from_successors_on_larger_pitches() {
    let mut numbers = random_numbers(17);
    for size in ["7x3", "3x7", "5x4", "4x5", "6x3", "11x2", "19x1"] {
        let shape = shape(size);
        let solver = solved(shape, Simd::best());
        let depths = PitchDepths::of(&solver);
        for round in 0..20_000 {
            let pitch = random_pitch(shape, &mut numbers, 20 + 20 * (round % 11));
            assert_eq!(
                depths.value(&pitch),
                from_successors(&depths, &pitch),
                "'{pitch}'"
            );
        }
    }
}

#[test]
fn pitches_that_are_too_large_are_refused() {
    let large = shape("9x5");
    assert!(large.points() > MAX_PITCH_POINTS);
    assert!(matches!(
        PitchSolver::new(large, false),
        Err(PitchSolveError::TooLarge { .. })
    ));
    let needs = |shape| Needs::of(&Setup::in_memory(shape, true));
    assert!(needs(large).unwrap_err().to_string().contains("45 points"));
    // 2^20 patterns for each of 15 interior points, one byte each; the mirror saves a third.
    assert_eq!(needs(shape("7x3")).unwrap().depths, 10 << 20);
}

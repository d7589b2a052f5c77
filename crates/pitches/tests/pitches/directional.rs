//! The directional game: the pitch engine compared with the reference solver and with an
//! independent program, and the shortest cycle on strips.

use crate::unfinished::pitch_wdl;
use phutbase_fixtures::prelude::*;
use phutbase_fixtures::values::{PitchDepths, histogram};

fn on_pitch(shape: Shape, with_depths: bool) -> PitchSolver {
    let setup = Setup {
        rules: Rules::Directional,
        ..Setup::in_memory(shape, with_depths)
    };
    let mut solver = PitchSolver::begin(&setup).unwrap();
    solver.finish().unwrap();
    solver
}

#[test]
fn every_value_on_pitches_is_the_reference_solvers_up_to_12_points() {
    let mut unlike = 0;
    for shape in shapes_up_to(12) {
        let game = PitchGame::new(shape).unwrap().under(Rules::Directional);
        let truth = reference::solve(&game);
        let (deep, flat) = (on_pitch(shape, true), on_pitch(shape, false));
        let (depths, mut values) = (PitchDepths::of(&deep), Vec::new());
        for (index, expected) in (0..).zip(&truth) {
            let pitch = game.position(index);
            for pitch in [pitch, pitch.turned(), pitch.mirrored()] {
                assert_eq!(depths.value(&pitch), *expected, "'{pitch}'");
                assert_eq!(pitch_wdl(&deep, &pitch), expected.wdl(), "'{pitch}'");
                assert_eq!(
                    pitch_wdl(&flat, &pitch),
                    expected.wdl(),
                    "without depths: '{pitch}'"
                );
            }
            values.push(depths.value(&pitch));
        }
        assert_eq!(histogram(&values), histogram(&truth));
        let mut ordinary = PitchSolver::new(shape, false).unwrap();
        ordinary.finish().unwrap();
        unlike += usize::from(ordinary.counts() != flat.counts());
    }
    assert!(unlike > 0, "the games differ on some of these pitches");
}

/// Reads `data/directional_counts.tsv`: for a pitch of rows and columns, the number of positions
/// decided in each ply.
fn counted() -> BTreeMap<(usize, usize), Vec<u64>> {
    let mut counts: BTreeMap<_, Vec<u64>> = BTreeMap::new();
    for line in include_str!("../../../../tests/data/directional_counts.tsv")
        .lines()
        .skip(1)
    {
        let fields: Vec<u64> = line.split('\t').map(|field| field.parse().unwrap()).collect();
        let [rows, columns, ref plies @ ..] = fields[..] else {
            panic!("a short line");
        };
        counts.insert((rows as usize, columns as usize), plies.to_vec());
    }
    counts
}

/// Removes trailing plies that decide nothing.
fn trimmed(counts: &[u64]) -> &[u64] {
    let last = counts.iter().rposition(|&count| count != 0).unwrap();
    &counts[..=last]
}

#[test]
fn counts_found_by_an_independent_program() {
    for ((rows, columns), expected) in counted() {
        let size = format!("{rows}x{columns}");
        let solver = on_pitch(shape(&size), false);
        assert_eq!(trimmed(solver.counts()), expected, "{size}");
    }
}

/// Iterates over the positions that turns lead to.
fn next(strip: &Strip) -> impl Iterator<Item = Strip> {
    (strip.turns().into_iter()).filter_map(|turn| match strip.play(turn).unwrap() {
        After::Position(next) => Some(next),
        After::Over { .. } => None,
    })
}

/// The cycle of docs/THEORY.md.
#[test]
fn play_may_go_round() {
    let cycle = ".@....; .@o... R; .@oo..; ....@. R; ..o.@.; ..oo@. R; .@....".split("; ");
    let cycle: Vec<Strip> = cycle
        .map(|board| strip(board).under(Rules::Directional))
        .collect();
    for pair in cycle.windows(2) {
        assert!(next(&pair[0]).any(|next| next == pair[1]), "'{}'", pair[0]);
    }
}

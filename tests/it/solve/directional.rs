//! The directional game: every engine against the reference solver, and all of them against an independent program on strips where
//! the game has parted from the ordinary one; the shortest cycle.
//!
//! Up to 19 squares every value is that of the ordinary game, so there only the turns can tell the games apart: they are compared in
//! `games/`, and what engines make of them on sets that no game produces in `dense/sweep.rs` and `symbolic/algebra.rs`.

use super::sets;
use crate::common::{Depths, finished, histogram};
use crate::games::pitch_support::{shape, shapes_up_to};
use num_bigint::BigUint;
use phutbase::game::Game;
use phutbase::games::pitch::{PitchGame, Shape};
use phutbase::games::rules::Rules;
use phutbase::games::strip::{After, Strip, StripGame};
use phutbase::outcome::{Side, Value};
use phutbase::solve::dense::DenseSolver;
use phutbase::solve::pitch::{PitchSolver, Setup};
use phutbase::solve::reference;
use phutbase::solve::symbolic::{DepthSolver, LevelSolver, Levels, SymbolicLimits};
use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;

fn dense(length: usize) -> DenseSolver {
    let solver = DenseSolver::new(length).unwrap();
    finished(solver.under(Rules::Directional))
}

fn depths(length: usize) -> DepthSolver {
    let solver = DepthSolver::new(length, SymbolicLimits::default()).unwrap();
    let mut solver = solver.under(Rules::Directional);
    while solver.step().unwrap() != BigUint::ZERO {}
    solver
}

fn winners(length: usize) -> Levels {
    let solver = LevelSolver::new(length, SymbolicLimits::default(), 1).unwrap();
    let mut solver = solver.under(Rules::Directional);
    let ended = solver.run(&mut |_| ControlFlow::Continue(())).unwrap();
    assert!(ended.is_continue());
    solver.levels().unwrap()
}

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
fn every_value_on_strips_is_the_reference_solvers_up_to_14_squares() {
    for length in 3..=14 {
        let game = StripGame::new(length).unwrap().under(Rules::Directional);
        let truth = reference::solve(&game);
        let dense = Depths::of(&dense(length)).values();
        assert_eq!(histogram(&dense), histogram(&truth), "length {length}");
        let (depths, levels) = (depths(length), winners(length));
        for (index, (&expected, &found)) in (0..).zip(truth.iter().zip(&dense)) {
            let strip = game.position(index);
            assert_eq!(found, expected, "dense: '{strip}'");
            assert_eq!(sets::value(&depths, &strip), expected, "depths: '{strip}'");
            assert_eq!(sets::wdl(&levels, &strip), expected.wdl(), "levels: '{strip}'");
        }
    }
}

#[test]
fn every_value_on_pitches_is_the_reference_solvers_up_to_14_points() {
    let mut unlike = 0;
    for shape in shapes_up_to(14) {
        let game = PitchGame::new(shape).unwrap().under(Rules::Directional);
        let truth = reference::solve(&game);
        let (deep, flat) = (on_pitch(shape, true), on_pitch(shape, false));
        let mut values = Vec::new();
        for (index, expected) in (0..).zip(&truth) {
            let pitch = game.position(index);
            for pitch in [pitch, pitch.turned(), pitch.mirrored()] {
                let value = deep.depths().unwrap().value(deep.layout(), &pitch);
                assert_eq!(value, *expected, "'{pitch}'");
                assert_eq!(deep.wdl(&pitch), expected.wdl(), "'{pitch}'");
                assert_eq!(flat.wdl(&pitch), expected.wdl(), "without depths: '{pitch}'");
            }
            values.push(deep.depths().unwrap().value(deep.layout(), &pitch));
        }
        assert_eq!(histogram(&values), histogram(&truth));
        let mut ordinary = PitchSolver::new(shape, false).unwrap();
        ordinary.finish().unwrap();
        unlike += usize::from(ordinary.counts() != flat.counts());
    }
    assert!(unlike > 0, "the games differ on some of these pitches");
}

/// A pitch's line of `data/directional_counts.tsv`: rows, columns, and how many positions end after each number of plies.
fn counted() -> BTreeMap<(usize, usize), Vec<u64>> {
    let mut counts: BTreeMap<_, Vec<u64>> = BTreeMap::new();
    for line in include_str!("../../data/directional_counts.tsv").lines().skip(1) {
        let fields: Vec<u64> = line.split('\t').map(|field| field.parse().unwrap()).collect();
        let [rows, columns, ref plies @ ..] = fields[..] else {
            panic!("a short line");
        };
        counts.insert((rows as usize, columns as usize), plies.to_vec());
    }
    counts
}

/// Without plies at the end that decide nothing.
fn trimmed(counts: &[u64]) -> &[u64] {
    let last = counts.iter().rposition(|&count| count != 0).unwrap();
    &counts[..=last]
}

#[test]
fn counts_found_by_an_independent_program() {
    for ((rows, columns), expected) in counted() {
        let size = format!("{rows}x{columns}");
        if columns > 1 {
            let solver = on_pitch(shape(&size), false);
            assert_eq!(trimmed(solver.counts()), expected, "{size}");
            continue;
        }
        assert_eq!(trimmed(dense(rows).counts()), expected, "{rows} squares, dense");
        let symbolic: Vec<u64> = (depths(rows).counts().iter())
            .map(|count| u64::try_from(count).unwrap())
            .collect();
        assert_eq!(trimmed(&symbolic), expected, "{rows} squares, symbolic");
        let totals = winners(rows).totals();
        let of = |first: usize| BigUint::from(expected.iter().skip(first).step_by(2).sum::<u64>());
        assert_eq!((totals.wins, totals.losses), (of(0), of(1)), "{rows} squares");
        assert_eq!(totals.draws, BigUint::ZERO);
    }
}

/// The first boards whose depth differs, and the first that another player wins, with both values: found by `theory directional`, and here
/// checked by the engine that it does not use.
#[test]
fn the_games_part_at_20_squares_in_depth_and_at_22_in_who_wins() {
    let boards = [
        ("........o.oo@.oo....", "loss 28", "loss 26"),
        ("........oo.o@.oo....", "loss 28", "loss 24"),
        ("........oooo@.oo....", "loss 28", "loss 26"),
        ("........o.oo@.oooo....", "win 29", "loss 30"),
        ("........oo.o@.oooo....", "win 29", "loss 30"),
        ("........oooo@.oooo....", "win 29", "loss 30"),
    ];
    for length in [20, 22] {
        let plain = Depths::of(&finished(DenseSolver::new(length).unwrap()));
        let other = Depths::of(&dense(length));
        for (board, ordinary, directional) in boards.iter().filter(|(board, ..)| board.len() == length) {
            let strip: Strip = board.parse().unwrap();
            let words = |value: Value| format!("{} {}", value.wdl(), value.depth().unwrap());
            assert_eq!(words(plain.value(&strip)), *ordinary, "{board}");
            assert_eq!(words(other.value(&strip)), *directional, "{board}");
        }
    }
}

/// What a position's turns lead to, if the game goes on.
fn next(strip: &Strip) -> impl Iterator<Item = Strip> {
    (strip.turns().into_iter()).filter_map(|turn| match strip.play(turn).unwrap() {
        After::Position(next) => Some(next),
        After::Over { .. } => None,
    })
}

fn positions(length: usize) -> impl Iterator<Item = Strip> {
    let game = StripGame::new(length).unwrap().under(Rules::Directional);
    (0..game.positions()).map(move |index| game.position(index))
}

/// Whether play from a position can come back to one on the way.
fn comes_round(strip: Strip, on_the_way: &mut HashSet<Strip>, done: &mut HashSet<Strip>) -> bool {
    if done.contains(&strip) {
        return false;
    }
    if !on_the_way.insert(strip) {
        return true;
    }
    let round = next(&strip).any(|next| comes_round(next, on_the_way, done));
    on_the_way.remove(&strip);
    done.insert(strip);
    round
}

#[test]
fn play_may_go_round_from_6_squares_on_and_takes_6_plies_at_least() {
    let round = |length: usize| {
        let mut done = HashSet::new();
        positions(length).any(|strip| comes_round(strip, &mut HashSet::new(), &mut done))
    };
    assert_eq!([3, 4, 5, 6].map(round), [false, false, false, true]);
    // The cycle of docs/DIRECTIONAL.md.
    let cycle = [
        ".@....", ".@o... R", ".@oo..", "....@. R", "..o.@.", "..oo@. R", ".@....",
    ];
    let cycle = cycle.map(|board| board.parse::<Strip>().unwrap().under(Rules::Directional));
    for pair in cycle.windows(2) {
        assert!(next(&pair[0]).any(|next| next == pair[1]), "'{}'", pair[0]);
    }
    // No shorter one up to 9 squares: whoever comes back in 2 or 4 plies is back at his board.
    for strip in (3..=9).flat_map(positions) {
        let two: HashSet<Strip> = next(&strip)
            .flat_map(|next_one| next(&next_one).collect::<Vec<_>>())
            .collect();
        let four =
            (two.iter()).flat_map(|two| next(two).flat_map(|next_one| next(&next_one).collect::<Vec<_>>()));
        assert_eq!(strip.side(), Side::Left);
        assert!(
            !two.contains(&strip) && !four.into_iter().any(|four| four == strip),
            "'{strip}'"
        );
    }
}

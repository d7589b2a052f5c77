//! The generalized potential: its errors match the recorded ones under both ways of counting, and
//! each has a cause.

use crate::support::{all_values, numbers};
use phutbase_fixtures::prelude::*;
use phutbase_rules::half::HalfAutomaton;
use phutbase_rules::potentials::{Generalized, predicted_winner};
use phutbase_theory::generalized::{self, Cause, mismatches};

/// Reads `data/generalized_potential_errors.tsv`: length, errors, predicted wins, predicted losses.
fn pinned() -> Vec<[u64; 4]> {
    numbers(include_str!(
        "../../../../tests/data/generalized_potential_errors.tsv"
    ))
}

#[test]
fn the_errors_are_the_recorded_ones_by_the_reference_solver() {
    for [length, errors, wins, losses] in pinned() {
        let game = StripGame::new(length as usize).unwrap();
        let (mut false_wins, mut false_losses) = (0, 0);
        for (index, value) in (0..).zip(reference_values(length as usize, Rules::Ordinary)) {
            let predicted_win = predicted_winner(&game.position(index)) == Side::Left;
            false_wins += u64::from(predicted_win && value.wdl() != Wdl::Win);
            false_losses += u64::from(!predicted_win && value.wdl() != Wdl::Loss);
        }
        assert_eq!(
            [false_wins + false_losses, false_wins, false_losses],
            [errors, wins, losses]
        );
    }
}

#[test]
fn enumeration_and_classes_count_the_same_errors() {
    let pinned = pinned();
    for length in 3..=16 {
        let found = mismatches(&all_values(length), 2, &Job::default()).unwrap();
        let count = |wins| {
            let causes = found.causes.iter();
            let these = causes.filter(|(group, _)| group.cause.is_of_predicted_win() == wins);
            these.map(|(_, found)| found.count).sum::<u64>()
        };
        let counts = generalized::count(length, &Job::default()).unwrap();
        let counted = (counts.false_wins, counts.false_losses);
        assert_eq!(
            (count(true).into(), count(false).into()),
            counted,
            "length {length}"
        );
        assert_eq!(
            found.false_wins.len() as u128,
            counted.0.min(2),
            "length {length}"
        );
        if let Some([_, _, wins, losses]) = pinned.get(length - 3) {
            assert_eq!((count(true), count(false)), (*wins, *losses), "length {length}");
        }
    }
}

#[test]
fn every_mismatch_up_to_16_squares_has_a_cause_and_the_roots_are_few() {
    for length in 3..=16 {
        let values = all_values(length);
        let causes = mismatches(&values, 0, &Job::default()).unwrap().causes;
        for group in causes.keys() {
            let Some((start, potentials)) = group.root else {
                continue;
            };
            let start = start.to_string();
            match group.cause {
                Cause::NoGain { zero } => {
                    assert!(zero && ["@o.oo", "@oooo"].contains(&start.as_str()), "{group:?}");
                    assert_eq!(potentials, (0, 0));
                }
                _ => {
                    assert!(start.starts_with("@oo."), "{group:?}");
                    assert_eq!(potentials, (1, 0));
                }
            }
        }
    }
}

/// Computes the generalized potential as the paper defines it (§3): the ball's square gets the symbol
/// of its neighbour, the outermost square of each odd group of empty squares becomes a stone, then
/// the squares are summed from the goal line to the ball.
/// `half` begins next to the ball.
fn by_definition(half: &[bool]) -> u32 {
    // Square 0 is the ball's.
    let mut stones = [&half[..1], half].concat();
    for group in stones
        .clone()
        .chunk_by(|one, other| one == other)
        .scan(0, |end, group| {
            *end += group.len();
            Some((*end, group.len(), group[0]))
        })
    {
        if let (end, size, false) = group
            && size % 2 == 1
        {
            stones[end - 1] = true;
        }
    }
    let (bsum, psum) = stones.iter().rev().fold((0u32, 0), |(sum, _), &stone| {
        let next = if stone { sum.saturating_sub(1) } else { sum + 1 };
        (next, sum)
    });
    bsum / 4 + u32::from(bsum != psum)
}

#[test]
fn the_automaton_reads_what_the_definition_says() {
    for length in 1..=14 {
        for stones in 0..1 << length {
            let half: Vec<bool> = (0..length).map(|square| stones >> square & 1 == 1).collect();
            let read = Generalized::value_of(half.iter().rev().copied());
            assert_eq!(read, by_definition(&half), "{half:?}");
        }
    }
}

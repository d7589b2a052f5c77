//! The generalized potential: its errors are those recorded, however they are counted, and each has a cause.

use crate::common::cli::run;
use crate::theory::support::{all_values, diagrams};
use phutbase::game::Game;
use phutbase::games::strip::StripGame;
use phutbase::outcome::{Side, Wdl};
use phutbase::solve::reference;
use phutbase::theory::exact::trie::Tries;
use phutbase::theory::generalized::{
    Cause, causes, count_by_classes, mismatches, potential_map, predicted_winner,
};
use phutbase::theory::half::Half;
use phutbase::theory::potentials;
use phutbase::theory::watch::unwatched;

/// The lines of `data/generalized_potential_errors.tsv`: length, errors, predicted wins, predicted losses.
fn pinned() -> Vec<[u64; 4]> {
    let lines = include_str!("../../data/generalized_potential_errors.tsv").lines();
    let lines = lines.filter(|line| !line.starts_with('#'));
    let numbers = lines.map(|line| {
        let fields: Vec<u64> = line.split('\t').map(|field| field.parse().unwrap()).collect();
        fields.try_into().unwrap()
    });
    numbers.collect()
}

#[test]
fn the_errors_are_the_recorded_ones_by_the_reference_solver() {
    for [length, errors, wins, losses] in pinned() {
        let game = StripGame::new(length as usize).unwrap();
        let (mut false_wins, mut false_losses) = (0, 0);
        for (index, value) in reference::solve(&game).into_iter().enumerate() {
            let predicted_win = predicted_winner(&game.position(index as u64)) == Side::Left;
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
    for length in 3..=20 {
        let found = mismatches(&all_values(length), 2, unwatched()).unwrap();
        if let Some([_, _, wins, losses]) = pinned.get(length - 3) {
            assert_eq!(
                (found.false_wins, found.false_losses),
                (*wins, *losses),
                "length {length}"
            );
        }
        let counts = count_by_classes(&diagrams(length), &mut Tries::default()).unwrap();
        let counted = (u128::from(found.false_wins), u128::from(found.false_losses));
        assert_eq!(
            (counts.false_wins, counts.false_losses),
            counted,
            "length {length}"
        );
    }
}

#[test]
fn every_mismatch_up_to_16_squares_has_a_cause_and_the_roots_are_few() {
    for length in 3..=16 {
        let values = all_values(length);
        let causes = causes(&values, unwatched()).unwrap();
        let covered: u64 = causes.values().map(|found| found.count).sum();
        assert_eq!(covered, mismatches(&values, 0, unwatched()).unwrap().total());
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

#[test]
fn the_command_prints_the_recorded_numbers() {
    let lines = run("theory generalized 3..14 --causes-length 12 --json")
        .ok()
        .json_lines();
    for (line, [length, errors, wins, losses]) in lines.iter().zip(pinned()) {
        for (field, value) in [
            ("length", length),
            ("mismatches", errors),
            ("predicted_win_is_loss", wins),
            ("predicted_loss_is_win", losses),
        ] {
            assert_eq!(line[field], value, "{field} at length {length}");
        }
    }
    assert_eq!(lines.len(), 12);
    let examples = lines[6]["predicted_loss_examples"].as_array().unwrap();
    assert!(
        examples.iter().any(|example| example == ".@.o..o.."),
        "{examples:?}"
    );
    run("theory generalized 3..2").refusal(2);
    run("theory generalized 3..9 --causes-length 30").refusal(2);
}

#[test]
fn the_automaton_reads_what_the_definition_says() {
    let mut tries = Tries::default();
    for length in 1..=14 {
        let map = potential_map(&mut tries, length);
        for stones in 0..1u128 << length {
            let half = Half::new(length, stones).unwrap();
            let expected = u32::from(potentials::generalized(half));
            assert_eq!(tries.value(map, half), expected, "{half}");
        }
    }
}

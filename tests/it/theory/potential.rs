//! The exact potential: against the reference solver, every value of longer strips, and the recorded claims.

use crate::common::cli::run;
use crate::theory::support::{all_values, diagrams};
use phutbase::game::Game;
use phutbase::games::strip::StripGame;
use phutbase::outcome::Wdl;
use phutbase::solve::reference;
use phutbase::theory::compare::compare;
use phutbase::theory::exact::relation::Relation;
use phutbase::theory::exact::{ExactPotential, one_number_suffices};
use phutbase::theory::generalized::potential_map;
use phutbase::theory::half::Half;
use phutbase::theory::potentials;
use phutbase::theory::watch::unwatched;

/// The relation of the lengths up to N.
fn relation(max_length: usize) -> Relation {
    let mut relation = Relation::default();
    (3..=max_length).for_each(|length| relation.add(&diagrams(length)).unwrap());
    relation
}

/// Whether the mover wins with these halves, by κ and λ.
fn mover_wins(potential: &ExactPotential, own: Half, other: Half) -> Option<bool> {
    Some(potential.pair(own)?.0 <= potential.pair(other)?.1)
}

fn potential(relation: Relation) -> ExactPotential {
    ExactPotential::new(relation).map_err(|(_, cycle)| cycle).unwrap()
}

#[test]
fn kappa_and_lambda_agree_with_the_reference_solver_on_every_position_up_to_13_squares() {
    let potential = potential(relation(13));
    for length in 3..=13 {
        let game = StripGame::new(length).unwrap();
        for (index, value) in reference::solve(&game).into_iter().enumerate() {
            let position = game.position(index as u64);
            let (pattern, ball) = (position.pattern(), position.ball());
            let own = Half::right_of(pattern, ball, length - 1);
            let other = Half::left_of(pattern, ball);
            let expected = Some(value.wdl() == Wdl::Win);
            assert_eq!(mover_wins(&potential, own, other), expected, "'{position}'");
        }
    }
}

#[test]
fn kappa_and_lambda_are_right_on_every_position_of_all_lengths_up_to_22() {
    let potential = potential(relation(22));
    for length in 3..=22 {
        let kappa = |half| potential.pair(half).unwrap().0 as u8;
        let lambda = |half| potential.pair(half).unwrap().1 as u8;
        let found = compare(&all_values(length), [&kappa, &lambda], 1, unwatched()).unwrap();
        assert_eq!(found.total(), 0, "length {length}: {found:?}");
    }
}

#[test]
fn kappa_is_at_most_lambda_and_classes_cover_all_half_boards() {
    let potential = potential(relation(24));
    for half_length in 1..=potential.max_half() {
        let classes = potential.classes(half_length);
        assert!(classes.iter().all(|class| class.kappa <= class.lambda));
        let members: u128 = classes.iter().map(|class| class.size).sum();
        assert_eq!(members, 1 << half_length);
        for class in classes {
            assert_eq!(potential.pair(class.smallest), Some((class.kappa, class.lambda)));
        }
    }
    assert_eq!(potential.pair(Half::new(23, 0).unwrap()), None);
}

#[test]
fn one_number_is_enough_up_to_21_squares_and_three_halves_beat_each_other_in_a_circle_at_22() {
    let mut relation = relation(21);
    assert_eq!(one_number_suffices(&mut relation), Ok(()));
    relation.add(&diagrams(22)).unwrap();
    let cycle = one_number_suffices(&mut relation).unwrap_err();
    assert_eq!(cycle.len(), 3);
    assert_eq!(cycle.iter().filter(|duel| !duel.wins).count(), 1);
    // The three statements are those of the exact values, and they go round.
    let potential = potential(relation);
    for (duel, next) in cycle.iter().zip(cycle.iter().cycle().skip(1)) {
        assert_eq!(mover_wins(&potential, duel.own, duel.other), Some(duel.wins));
        let end = |duel: &phutbase::theory::exact::Duel| match duel.wins {
            true => (duel.own, duel.other),
            false => (duel.other, duel.own),
        };
        assert_eq!(end(duel).1, end(next).0);
    }
}

#[test]
fn the_cross_table_splits_the_classes_by_the_generalized_potential() {
    let mut potential = potential(relation(14));
    for half_length in 1..=potential.max_half() {
        let cross = potential.against(half_length, &potential_map);
        for (generalized, class) in &cross {
            assert_eq!(*generalized, u32::from(potentials::generalized(class.smallest)));
            assert_eq!(potential.pair(class.smallest), Some((class.kappa, class.lambda)));
        }
        for class in potential.classes(half_length) {
            let parts = cross
                .iter()
                .filter(|(_, part)| (part.kappa, part.lambda) == (class.kappa, class.lambda));
            assert_eq!(parts.map(|(_, part)| part.size).sum::<u128>(), class.size);
        }
    }
}

#[test]
fn the_command_says_what_was_computed() {
    let lines = run("theory potential 3..22 --json").ok().json_lines();
    let of_kind = |kind: &str| {
        lines
            .iter()
            .filter(|line| line["kind"] == kind)
            .collect::<Vec<_>>()
    };
    let (lengths, halves, summary) = (of_kind("length"), of_kind("half"), of_kind("summary"));
    assert_eq!((lengths.len(), halves.len(), summary.len()), (20, 20, 1));
    assert_eq!(lengths[19]["length"], 22);
    assert_eq!(lengths[18]["one_number"], true);
    assert_eq!(lengths[19]["one_number"], false);
    assert_eq!(halves[0]["classes"][0]["smallest"], "@o");
    assert_eq!(summary[0]["first_cycle"], 22);
    let text = run("theory potential 3..9").ok().stdout;
    assert!(text.contains("κ = λ is enough for all these lengths"), "{text}");
    run("theory potential 3..2").refusal(2);
    run("theory potential 3..65").refusal(2);
}

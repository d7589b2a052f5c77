//! The exact potential compared with the reference solver, with every value of longer strips, and
//! with the recorded claims.

use crate::support::{all_values, diagrams};
use phutbase_fixtures::prelude::*;
use phutbase_rules::potentials;
use phutbase_theory::exact::relation::Relation;
use phutbase_theory::exact::{ExactPotential, one_number_suffices};
use phutbase_theory::generalized::potential_map;

/// Returns the relation of the lengths up to N.
fn relation(max_length: usize) -> Relation {
    let mut relation = Relation::default();
    (3..=max_length).for_each(|length| relation.add(&diagrams(length)).unwrap());
    relation
}

/// Returns whether the mover wins with these halves, by κ and λ.
fn mover_wins(potential: &ExactPotential, own: Half, other: Half) -> Option<bool> {
    Some(potential.pair(own)?.0 <= potential.pair(other)?.1)
}

fn potential(relation: Relation) -> ExactPotential {
    ExactPotential::new(relation).map_err(|(_, cycle)| cycle).unwrap()
}

#[test]
fn kappa_and_lambda_are_right_up_to_22_squares() {
    let potential = potential(relation(22));
    for length in (3..=19).chain([22]) {
        let (values, bits) = (all_values(length), length - 1);
        let kappa = |half| potential.pair(half).unwrap().0 as u8;
        let lambda = |half| potential.pair(half).unwrap().1 as u8;
        // Of 22 squares some ball squares.
        for ball in (1..=length - 2).step_by(1 + length / 22 * 8) {
            let other = |left: u64| lambda(Half::left_of(left.into(), ball));
            let lambdas: Vec<u8> = (0..1 << ball).map(other).collect();
            for (right, outcomes) in values.outcomes(ball).chunks(1 << ball).enumerate() {
                let own = kappa(Half::right_of(U256::from(right as u64) << ball, ball, bits));
                let predicted = lambdas.iter().map(|&lambda| if own <= lambda { 1i8 } else { -1 });
                assert!(
                    predicted.eq(outcomes.iter().copied()),
                    "length {length}, ball {ball}"
                );
            }
        }
    }
}

#[test]
fn kappa_is_at_most_lambda_and_classes_cover_all_half_boards() {
    let potential = potential(relation(24));
    for half_length in 1..=potential.max_half() {
        let classes = potential.classes(half_length);
        assert!(classes.iter().all(|class| class.kappa <= class.lambda));
        let members: u128 = classes.iter().map(|class| class.size.0).sum();
        assert_eq!(members, 1 << half_length);
        for class in classes {
            assert_eq!(potential.pair(class.smallest), Some((class.kappa, class.lambda)));
        }
    }
    assert_eq!(potential.pair(Half::new(23, 0u64).unwrap()), None);
}

#[test]
fn one_number_is_enough_up_to_21_squares_and_three_halves_beat_each_other_in_a_circle_at_22() {
    let mut relation = relation(21);
    assert_eq!(one_number_suffices(&mut relation), Ok(()));
    relation.add(&diagrams(22)).unwrap();
    let cycle = one_number_suffices(&mut relation).unwrap_err();
    assert_eq!(cycle.len(), 3);
    assert_eq!(cycle.iter().filter(|duel| !duel.wins).count(), 1);
    // The three statements agree with the exact values, and they form a cycle.
    let potential = potential(relation);
    for (duel, next) in cycle.iter().zip(cycle.iter().cycle().skip(1)) {
        assert_eq!(mover_wins(&potential, duel.own, duel.other), Some(duel.wins));
        let end = |duel: &phutbase_theory::exact::Duel| {
            if duel.wins {
                (duel.own, duel.other)
            } else {
                (duel.other, duel.own)
            }
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
            assert_eq!(parts.map(|(_, part)| part.size.0).sum::<u128>(), class.size.0);
        }
    }
}

//! What the exact potential is made of: maps of half strips, and constraints.

use phutbase::theory::exact::constraints::{Constraint, least_solution};
use phutbase::theory::exact::trie::{Map, Tries};
use phutbase::theory::half::Half;

/// Stones next to the ball, counted.
fn run(stones: u128) -> u32 {
    stones.trailing_ones()
}

fn map(tries: &mut Tries, length: usize) -> Map {
    let leaves: Vec<u32> = (0..1 << length).map(run).collect();
    let root = tries.build_over(0, &leaves);
    tries.map(length, root)
}

#[test]
fn a_map_gives_back_its_values_and_equal_maps_are_one() {
    let mut tries = Tries::default();
    let built = map(&mut tries, 6);
    for stones in 0..64 {
        assert_eq!(tries.value(built, Half::new(6, stones).unwrap()), run(stones));
    }
    // The same in two steps: 8 outer patterns over 8 inner ones.
    let nodes: Vec<u32> = (0..8)
        .map(|outer| {
            let leaves: Vec<u32> = (0..8).map(|inner| run(outer << 3 | inner)).collect();
            tries.build_over(0, &leaves)
        })
        .collect();
    let root = tries.build_over(3, &nodes);
    assert_eq!(tries.map(6, root), built);
    assert_eq!(tries.relabelled(built, &mut |value| value), built);
    let zero = tries.constant(6, 0);
    assert_eq!(tries.relabelled(built, &mut |_| 0), zero);
    assert_eq!(tries.combined(zero, built, &mut |a, b| a + b), built);
}

#[test]
fn classes_count_every_half_board_and_know_the_smallest() {
    let mut tries = Tries::default();
    let built = map(&mut tries, 5);
    let classes = tries.classes(built);
    let sizes: Vec<(u32, u128, u128)> = classes
        .iter()
        .map(|class| (class.value, class.size, class.smallest.stones()))
        .collect();
    assert_eq!(
        sizes,
        [
            (0, 16, 0),
            (1, 8, 1),
            (2, 4, 3),
            (3, 2, 7),
            (4, 1, 15),
            (5, 1, 31)
        ]
    );
}

#[test]
fn states_are_counted_level_by_level() {
    let mut tries = Tries::default();
    let zero = tries.constant(4, 0);
    assert_eq!(tries.states(zero), [1, 1, 1, 1, 1]);
    let built = map(&mut tries, 3);
    // Outermost first: how far the stones read last reach.
    assert_eq!(tries.states(built), [1, 2, 3, 4]);
}

#[test]
fn the_least_solution_is_the_longest_climb() {
    let system = [
        Constraint::new(2, 3, 1),
        Constraint::new(0, 1, 1),
        Constraint::new(1, 2, 0),
        Constraint::new(0, 3, 1),
    ];
    assert_eq!(least_solution(4, &system), Ok(vec![0, 1, 1, 2]));
    let equal = [Constraint::new(0, 1, 0), Constraint::new(1, 0, 0)];
    assert_eq!(
        least_solution(2, &equal),
        Ok(vec![0, 0]),
        "cycles of 'at least' are equalities"
    );
}

#[test]
fn a_circle_with_more_than_is_found_and_is_shortest() {
    let long = [
        Constraint::new(0, 1, 1),
        Constraint::new(1, 2, 0),
        Constraint::new(2, 0, 0),
    ];
    assert_eq!(least_solution(3, &long).unwrap_err(), long);
    let with_short = [long[0], long[1], long[2], Constraint::new(1, 0, 0)];
    assert_eq!(
        least_solution(3, &with_short).unwrap_err(),
        [long[0], with_short[3]]
    );
    assert_eq!(
        least_solution(1, &[Constraint::new(0, 0, 1)]).unwrap_err(),
        [Constraint::new(0, 0, 1)]
    );
}

//! Parts of the exact potential: maps of half strips, and constraints.

use phutbase_theory::exact::constraints::{Constraint, least_solution};
use phutbase_theory::exact::trie::{Map, Tries};

/// Counts the stones next to the ball.
fn run(stones: u128) -> u32 {
    stones.trailing_ones()
}

fn map(tries: &mut Tries, length: usize) -> Map {
    let read = |stones: u128, stone: bool| stones << 1 | u128::from(stone);
    tries.from_automaton(length, 0, &read, &mut run)
}

#[test]
fn states_are_counted_level_by_level() {
    let mut tries = Tries::default();
    let zero = tries.constant(4, 0);
    assert_eq!(tries.states(zero), [1, 1, 1, 1, 1]);
    let built = map(&mut tries, 3);
    // Outermost first: the length of the run of stones read last.
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

//! The automata of the potential and of the forward value, compared with those of which the proofs
//! speak (`scripts/check_proofs.sh`), on all words of at most 40 squares.

use phutbase_solution::directional::automaton::PotentialState;
use phutbase_solution::forward::ForwardState;
use std::fmt::Debug;

/// Reads each word with the automaton of some rows and with another one. States of the other that
/// are reached with one row must be equal. Returns the number of rows.
fn follow<S: Copy + Debug + PartialEq>(
    rows: &str,
    start: S,
    step: fn(S, bool) -> S,
    value: fn(S) -> usize,
) -> usize {
    let rows: Vec<Vec<usize>> = rows
        .lines()
        .map(|row| row.split('\t').map(|field| field.parse().unwrap()).collect())
        .collect();
    let mut states: Vec<Option<S>> = vec![None; rows.len()];
    let mut todo = vec![(0, start)];
    while let Some((place, state)) = todo.pop() {
        if let Some(known) = states[place] {
            assert_eq!(known, state, "row {place}");
            continue;
        }
        states[place] = Some(state);
        assert_eq!(rows[place][2], value(state), "row {place}, {state:?}");
        // The states after 41 squares have no row.
        let next = [false, true].map(|stone| (rows[place][usize::from(stone)], step(state, stone)));
        todo.extend(next.into_iter().filter(|&(next, _)| next < rows.len()));
    }
    assert!(states.iter().all(Option::is_some));
    rows.len()
}

#[test]
fn the_automata_are_those_of_the_proofs() {
    let (potential, forward) = include_str!("../../../../tests/data/automata.tsv")
        .split_once("\n\n")
        .unwrap();
    let p = |state: PotentialState| state.potential().try_into().unwrap();
    let v = |state: ForwardState| state.value() as usize;
    assert_eq!(
        follow(potential, PotentialState::HOME, PotentialState::step, p),
        302
    );
    assert_eq!(follow(forward, ForwardState::START, ForwardState::step, v), 4539);
}

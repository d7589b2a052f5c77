//! The reference solver on games with known values, on random small games compared with a search
//! without retrograde analysis, and on the strip compared with pinned counts.
//!
//! Strips short enough for the reference solver have no draws, so loops are tested on artificial
//! graphs.

use phutbase_fixtures::prelude::*;
use phutbase_fixtures::values::{Totals, depths, pinned_depths, turn_value};

/// A game given by its list of turns: entry `p` holds the results of the turns of position `p`.
#[derive(Clone, Debug)]
struct Graph(Vec<Vec<Successor<usize>>>);

impl Game for Graph {
    type Position = usize;
    type Turn = usize;

    fn positions(&self) -> u64 {
        self.0.len() as u64
    }

    fn index(&self, position: &usize) -> u64 {
        *position as u64
    }

    fn position(&self, index: u64) -> usize {
        index as usize
    }

    fn turns(&self, position: &usize, visit: &mut dyn FnMut(usize, Successor<usize>)) {
        for (turn, successor) in self.0[*position].iter().enumerate() {
            visit(turn, successor.clone());
        }
    }
}

/// Creates a turn to a position.
fn to(position: usize) -> Successor<usize> {
    Successor::Position(position)
}

const GOAL: Successor<usize> = Successor::Over(Wdl::Win);
const OWN_GOAL: Successor<usize> = Successor::Over(Wdl::Loss);
const DEAD_END: Successor<usize> = Successor::Over(Wdl::Draw);

fn win(plies: u16) -> Value {
    Value::Win(Depth(plies))
}

fn loss(plies: u16) -> Value {
    Value::Loss(Depth(plies))
}

/// Position `2k` is lost in 2k plies and position `2k + 1` won in 2k + 1: a corridor with a single
/// path.
fn corridor(length: usize) -> Vec<Vec<Successor<usize>>> {
    (0..length)
        .map(|position| position.checked_sub(1).map(to).into_iter().collect())
        .collect()
}

#[test]
fn a_corridor_takes_as_many_plies_as_it_is_long() {
    let values = reference::solve(&Graph(corridor(50)));
    for (plies, value) in (0..).zip(values) {
        assert_eq!(value, if plies % 2 == 0 { loss(plies) } else { win(plies) });
    }
}

/// Returns the value after a search of a number of plies, a draw if it is not decided by then. It
/// follows the definition.
fn searched(graph: &Graph, plies: usize) -> Vec<Value> {
    let mut values = vec![Value::Draw; graph.0.len()];
    for _ in 0..plies {
        let best = |turns: &Vec<Successor<usize>>| {
            let turns = turns.iter();
            turns.map(|turn| turn_value(turn, |&next| values[next])).max()
        };
        values = graph
            .0
            .iter()
            .map(|turns| best(turns).unwrap_or(loss(0)))
            .collect();
    }
    values
}

fn successor(positions: usize) -> impl Strategy<Value = Successor<usize>> {
    prop_oneof![
        12 => (0..positions).prop_map(to),
        1 => Just(GOAL),
        1 => Just(OWN_GOAL),
        1 => Just(DEAD_END),
    ]
}

fn graph() -> impl Strategy<Value = Graph> {
    (1usize..40).prop_flat_map(|positions| {
        let turns = proptest::collection::vec(successor(positions), 0..4);
        proptest::collection::vec(turns, positions).prop_map(Graph)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    /// A win that can be forced at all can be forced without repeating a position, and with an own
    /// goal at the end it takes one ply more, so a search of positions + 2 plies finds every win.
    #[test]
    fn any_small_game_is_worth_what_a_search_of_enough_plies_finds(graph in graph()) {
        let plies = graph.0.len() + 2;
        prop_assert_eq!(reference::solve(&graph), searched(&graph, plies));
    }
}

#[test]
fn the_strip_has_the_pinned_counts_up_to_12_squares() {
    let pinned = pinned_totals();
    let by_length = pinned_depths();
    let (mut totals_seen, mut depths_seen) = (0, 0);
    for length in 3..=12 {
        let values = reference_values(length, Rules::Ordinary);
        let expected = pinned.iter().find(|totals| totals.length == length);
        assert_eq!(Some(&Totals::of(length, values)), expected);
        totals_seen += 1;
        if let Some(expected) = by_length.get(&length) {
            assert_eq!(&depths(values), expected, "length {length}");
            depths_seen += 1;
        }
    }
    assert_eq!(
        totals_seen,
        pinned.iter().filter(|totals| totals.length <= 12).count()
    );
    assert_eq!(depths_seen, by_length.range(..=12).count());
    assert!(depths_seen >= 2);
}

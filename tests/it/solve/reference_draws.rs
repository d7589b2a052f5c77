//! The reference solver on games whose values are known by hand, on all small games against a search that knows no
//! retrograde analysis, and on the strip against the pinned counts.
//!
//! A strip so short that the reference can solve it has no draws, so loops are tested on graphs made for it.

use crate::common::{Totals, depths, pinned_depths, pinned_totals, turn_value};
use phutbase::game::{Game, Successor};
use phutbase::games::strip::StripGame;
use phutbase::outcome::{Depth, Value, Wdl};
use phutbase::solve::reference;
use proptest::prelude::*;

/// A game that is its list of turns: entry `p` holds what the turns of position `p` lead to.
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

/// A turn to a position.
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

fn values<const N: usize>(turns: [Vec<Successor<usize>>; N]) -> [Value; N] {
    let values = reference::solve(&Graph(turns.to_vec()));
    values.try_into().unwrap()
}

#[test]
fn a_position_without_turns_is_lost_and_a_position_whose_only_turn_is_an_own_goal_nearly_is() {
    assert_eq!(values([vec![]]), [loss(0)]);
    assert_eq!(values([vec![OWN_GOAL]]), [loss(1)]);
    assert_eq!(values([vec![GOAL]]), [win(1)]);
    assert_eq!(values([vec![DEAD_END]]), [Value::Draw]);
    assert_eq!(values([vec![OWN_GOAL, GOAL, DEAD_END]]), [win(1)]);
}

#[test]
fn one_ply_before_the_end() {
    let ends = [vec![to(1)], vec![]];
    assert_eq!(values(ends), [win(1), loss(0)]);
    let own_goal_ahead = [vec![to(1)], vec![OWN_GOAL]];
    assert_eq!(values(own_goal_ahead), [win(2), loss(1)]);
    let goal_ahead = [vec![to(1)], vec![GOAL]];
    assert_eq!(values(goal_ahead), [loss(2), win(1)]);
}

#[test]
fn a_two_cycle_that_nobody_wants_to_leave_is_a_draw() {
    // Leaving loses, at once or a ply later.
    let cycle = [vec![to(1), OWN_GOAL], vec![to(0), to(2)], vec![GOAL]];
    assert_eq!(values(cycle), [Value::Draw, Value::Draw, win(1)]);
    let alone = [vec![to(1)], vec![to(0)]];
    assert_eq!(values(alone), [Value::Draw; 2]);
    let itself = [vec![to(0)]];
    assert_eq!(values(itself), [Value::Draw]);
}

#[test]
fn a_cycle_that_one_player_can_leave_to_win_is_no_draw() {
    let at_once = [vec![to(1)], vec![to(0), GOAL]];
    assert_eq!(values(at_once), [loss(2), win(1)]);
    // Four plies round; the player of positions 1 and 3 can leave from 3 into position 4, lost in 2.
    let later = [
        vec![to(1)],
        vec![to(2)],
        vec![to(3)],
        vec![to(0), to(4)],
        vec![to(5)],
        vec![GOAL],
    ];
    assert_eq!(values(later), [loss(6), win(5), loss(4), win(3), loss(2), win(1)]);
}

#[test]
fn a_cycle_that_either_player_can_leave_to_win_is_won_by_the_first() {
    let cycle = [vec![to(1), GOAL], vec![to(0), GOAL]];
    assert_eq!(values(cycle), [win(1), win(1)]);
}

#[test]
fn a_position_whose_only_escape_from_losing_is_a_cycle_is_a_draw() {
    // 0 can hand over a win (4) or enter the cycle 1, 2, which neither player can leave but by an own goal.
    let escape = [
        vec![to(4), to(1)],
        vec![to(2), OWN_GOAL],
        vec![to(1), OWN_GOAL],
        vec![to(0)],
        vec![GOAL],
    ];
    assert_eq!(
        values(escape),
        [Value::Draw, Value::Draw, Value::Draw, Value::Draw, win(1)]
    );
    // Without the escape it is lost.
    let none = [vec![to(1)], vec![GOAL]];
    assert_eq!(values(none), [loss(2), win(1)]);
}

#[test]
fn a_win_is_taken_before_a_cycle_and_a_draw_before_a_loss() {
    // 0 and 1 circle; 0 could also go to 2, where the opponent has lost.
    let cycle = [vec![to(1), to(2)], vec![to(0), to(3)], vec![], vec![GOAL]];
    assert_eq!(values(cycle), [win(1), loss(2), loss(0), win(1)]);
    let dead_end = [vec![OWN_GOAL, DEAD_END], vec![to(0), to(2)], vec![GOAL]];
    assert_eq!(values(dead_end), [Value::Draw, Value::Draw, win(1)]);
}

/// Position `2k` is lost in 2k plies and position `2k + 1` won in 2k + 1: a corridor with one way through.
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

#[test]
fn the_loser_delays_and_the_winner_hurries() {
    let mut turns = corridor(8);
    let loser_chooses = turns.len();
    turns.push(vec![to(1), to(5), to(3)]);
    let winner_chooses = turns.len();
    turns.push(vec![to(6), to(2), to(4)]);
    let winner_among_all = turns.len();
    turns.push(vec![to(7), to(6), to(4), to(5)]);
    let loser_with_own_goal = turns.len();
    turns.push(vec![OWN_GOAL, to(3)]);
    let values = reference::solve(&Graph(turns));
    assert_eq!(values[loser_chooses], loss(6), "the win in 5 is the slowest");
    assert_eq!(values[winner_chooses], win(3), "the loss in 2 is the fastest");
    assert_eq!(
        values[winner_among_all],
        win(5),
        "wins of the opponent do not count"
    );
    assert_eq!(
        values[loser_with_own_goal],
        loss(4),
        "an own goal is the quickest loss"
    );
}

/// The value after a search of so many plies, draw if the game is not decided by then: nothing but the definition.
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

    /// A win that can be forced at all can be forced without meeting a position twice, and with an own goal at the
    /// end it takes one ply more; so a search of positions + 2 plies sees every one.
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
        let values = reference::solve(&StripGame::new(length).unwrap());
        let expected = pinned.iter().find(|totals| totals.length == length);
        assert_eq!(Some(&Totals::of(length, &values)), expected);
        totals_seen += 1;
        if let Some(expected) = by_length.get(&length) {
            assert_eq!(&depths(&values), expected, "length {length}");
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

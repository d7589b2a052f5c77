//! Comparison of turns on sets of boards with the rules of their game.

use phutbase_base::game::{Game, Successor};
use phutbase_base::outcome::Wdl;
use phutbase_rules::strip::Strip;
use phutbase_sets::algebra::{Join, Sets};
use phutbase_sets::count::contains;
use phutbase_sets::graph::{Graph, Ref};
use phutbase_sets::turns::{Quantifier, Transitions, TurnAutomaton};
use std::cmp::Ordering;

/// Compares the preimages of a set under some kinds of turns with the rules, board by board.
pub fn compare<S: Transitions<Kind: std::fmt::Debug>, G: Game>(
    game: &G,
    strip: impl Fn(&G::Position) -> Strip,
    chosen: &[bool],
    kinds: &[S::Kind],
    is_of: impl Fn(S::Kind, &G::Position, G::Turn, &Successor<G::Position>) -> bool,
) {
    let boards: Vec<G::Position> = (0..game.positions()).map(|index| game.position(index)).collect();
    let strips: Vec<Strip> = boards.iter().map(&strip).collect();
    let members: Vec<Strip> = (strips.iter().zip(chosen.iter().cycle()))
        .filter_map(|(&strip, &chosen)| chosen.then_some(strip))
        .collect();
    let mut sets = Sets::new(Graph::new(strips[0].length()));
    let set = set_of(&mut sets, &members);
    let mut turns = TurnAutomaton::<S>::reading(sets, strips[0].length() - 1, false).unwrap();
    for &kind in kinds {
        let some = turns.preimage(Quantifier::Exists, &[kind], set).unwrap();
        let every = turns.preimage(Quantifier::ForAll, &[kind], set).unwrap();
        for (board, as_strip) in boards.iter().zip(&strips) {
            let mut good = Vec::new();
            game.turns(board, &mut |turn, next| {
                if is_of(kind, board, turn, &next) {
                    good.push(match next {
                        Successor::Over(outcome) => outcome == Wdl::Win,
                        Successor::Position(next) => members.contains(&strip(&next)),
                    });
                }
            });
            let graph = turns.sets().graph();
            let [any, all] = [some, every].map(|set| contains(graph, set, as_strip));
            assert_eq!(any, good.contains(&true), "some {kind:?} {as_strip}");
            assert_eq!(all, !good.contains(&false), "every {kind:?} {as_strip}");
        }
    }
}

/// Returns the set of some boards.
pub fn set_of(sets: &mut Sets, members: &[Strip]) -> Ref {
    members.iter().fold(Ref::BOTTOM, |union, strip| {
        let at = (0..strip.length()).rev().fold(Ref::TOP, |at, square| {
            let graph = sets.graph_mut();
            let (empty, stone) = match strip.stones() >> square & 1 == 1 {
                false => (at, Ref::BOTTOM),
                true => (Ref::BOTTOM, at),
            };
            match square.cmp(&strip.ball()) {
                Ordering::Greater => graph.binary(square, empty, stone),
                Ordering::Equal => graph.ternary(square, Ref::BOTTOM, Ref::BOTTOM, at),
                Ordering::Less => graph.ternary(square, empty, stone, Ref::BOTTOM),
            }
            .unwrap()
        });
        sets.join(Join::Or, union, at).unwrap()
    })
}

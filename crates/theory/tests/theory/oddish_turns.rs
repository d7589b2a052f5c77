//! The turns of Oddish Phutball on sets of boards.

use phutbase_fixtures::prelude::*;
use phutbase_rules::oddish::Turn;
use phutbase_sets::algebra::Sets;
use phutbase_sets::turns::{Quantifier, Transitions, TurnAutomaton};
use phutbase_testing::turns::set_of;
use phutbase_theory::oddish::turns::{OddishTurnKind, OddishTurnState};

fn strip(board: &Oddish) -> Strip {
    Strip::from_pattern(board.squares() + 1, board.gap(), board.stones(), Side::Left).unwrap()
}

fn is_of_kind(kind: OddishTurnKind, board: &Oddish, turn: Turn) -> bool {
    match turn {
        Turn::Place(_) if kind == OddishTurnKind::Place => true,
        Turn::Place(square) => kind == OddishTurnKind::PlaceRight && usize::from(square) >= board.gap(),
        Turn::Move(gap) if usize::from(gap) > board.gap() => kind == OddishTurnKind::MoveRight,
        Turn::Move(_) => kind == OddishTurnKind::MoveLeft,
    }
}

/// Compares the preimages of a set under some kinds of turns with the rules, board by board.
fn compare<S: Transitions<Kind: std::fmt::Debug>, G: Game>(
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn turns_are_those_of_the_rules(squares in 2usize..=7, chosen in prop::collection::vec(any::<bool>(), 768)) {
        let kinds = [OddishTurnKind::Place, OddishTurnKind::PlaceRight, OddishTurnKind::MoveRight, OddishTurnKind::MoveLeft];
        let game = OddishGame::new(squares).unwrap();
        compare::<OddishTurnState, _>(&game, strip, &chosen, &kinds, |kind, board, turn, _| is_of_kind(kind, board, turn));
    }
}

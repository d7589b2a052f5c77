//! The turns of Oddish Phutball on sets of boards.

use phutbase_fixtures::prelude::*;
use phutbase_rules::oddish::Turn;
use phutbase_testing::turns::compare;
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn turns_are_those_of_the_rules(squares in 2usize..=7, chosen in prop::collection::vec(any::<bool>(), 768)) {
        let kinds = [OddishTurnKind::Place, OddishTurnKind::PlaceRight, OddishTurnKind::MoveRight, OddishTurnKind::MoveLeft];
        let game = OddishGame::new(squares).unwrap();
        compare::<OddishTurnState, _>(&game, strip, &chosen, &kinds, |kind, board, turn, _| is_of_kind(kind, board, turn));
    }
}

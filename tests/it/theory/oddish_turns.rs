//! The turns of Oddish Phutball on sets of boards.

use crate::common::turns::compare;
use phutbase::games::oddish::{Oddish, OddishGame, Turn};
use phutbase::games::strip::Strip;
use phutbase::outcome::Side;
use phutbase::theory::oddish::turns::{Kind, State};
use proptest::prelude::*;

fn strip(board: &Oddish) -> Strip {
    Strip::from_pattern(
        board.squares() + 1,
        board.gap(),
        board.stones().into(),
        Side::Left,
    )
    .unwrap()
}

fn is_of_kind(kind: Kind, board: &Oddish, turn: Turn) -> bool {
    match turn {
        Turn::Place(_) if kind == Kind::Place => true,
        Turn::Place(square) => kind == Kind::PlaceRight && usize::from(square) >= board.gap(),
        Turn::Move(gap) if usize::from(gap) > board.gap() => kind == Kind::MoveRight,
        Turn::Move(_) => kind == Kind::MoveLeft,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn turns_are_those_of_the_rules(squares in 2usize..=7, chosen in prop::collection::vec(any::<bool>(), 768)) {
        let kinds = [Kind::Place, Kind::PlaceRight, Kind::MoveRight, Kind::MoveLeft];
        let game = OddishGame::new(squares).unwrap();
        compare::<State, _>(&game, strip, &chosen, &kinds, |kind, board, turn, _| is_of_kind(kind, board, turn));
    }
}

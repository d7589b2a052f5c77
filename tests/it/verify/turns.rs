//! The turns of the strip on sets of boards.

use crate::common::turns::compare;
use crate::prelude::*;
use phutbase::verify::turns::{TurnKind, TurnState};

const EVERY_KIND: [TurnKind; 5] = [
    TurnKind::Place,
    TurnKind::PlaceRight,
    TurnKind::PlaceLeft,
    TurnKind::JumpRight,
    TurnKind::JumpLeft,
];

fn is_of(kind: TurnKind, strip: &Strip, turn: Turn, next: &Successor<Strip>) -> bool {
    let own = match (turn, next) {
        (Turn::Place(_), _) if kind == TurnKind::Place => return true,
        (Turn::Place(square), _) if usize::from(square) > strip.ball() => TurnKind::PlaceRight,
        (Turn::Place(_), _) => TurnKind::PlaceLeft,
        (_, Successor::Position(next)) if next.ball() < strip.ball() => TurnKind::JumpLeft,
        (_, Successor::Over(Wdl::Loss)) => TurnKind::JumpLeft,
        _ => TurnKind::JumpRight,
    };
    own == kind
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn turns_are_those_of_the_rules(length in 3usize..=8, chosen in prop::collection::vec(any::<bool>(), 768)) {
        let game = StripGame::new(length).unwrap();
        compare::<TurnState, _>(&game, |strip| strip.with_side(Side::Left), &chosen, &EVERY_KIND, is_of);
    }
}

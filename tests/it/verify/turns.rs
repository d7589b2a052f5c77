//! The turns of the strip on sets of boards.

use crate::common::turns::compare;
use phutbase::game::Successor;
use phutbase::games::strip::{Strip, StripGame, Turn};
use phutbase::outcome::{Side, Wdl};
use phutbase::verify::turns::{Kind, State};
use proptest::prelude::*;

const EVERY_KIND: [Kind; 5] = [
    Kind::Place,
    Kind::PlaceRight,
    Kind::PlaceLeft,
    Kind::JumpRight,
    Kind::JumpLeft,
];

fn is_of(kind: Kind, strip: &Strip, turn: Turn, next: &Successor<Strip>) -> bool {
    let own = match (turn, next) {
        (Turn::Place(_), _) if kind == Kind::Place => return true,
        (Turn::Place(square), _) if usize::from(square) > strip.ball() => Kind::PlaceRight,
        (Turn::Place(_), _) => Kind::PlaceLeft,
        (_, Successor::Position(next)) if next.ball() < strip.ball() => Kind::JumpLeft,
        (_, Successor::Over(Wdl::Loss)) => Kind::JumpLeft,
        _ => Kind::JumpRight,
    };
    own == kind
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn turns_are_those_of_the_rules(length in 3usize..=8, chosen in prop::collection::vec(any::<bool>(), 768)) {
        let game = StripGame::new(length).unwrap();
        compare::<State, _>(&game, |strip| strip.with_side(Side::Left), &chosen, &EVERY_KIND, is_of);
    }
}

//! The turns of the strip on sets of boards.

use crate::common::turns::{compare, set_of};
use crate::prelude::*;
use phutbase::diagram::count::contains;
use phutbase::diagram::turns::Quantifier;
use phutbase::diagram::{Graph, Sets};
use phutbase::verify::turns::{TurnKind, TurnState, Turns};

const EVERY_KIND: [TurnKind; 4] = [
    TurnKind::PlaceRight,
    TurnKind::PlaceLeft,
    TurnKind::JumpRight,
    TurnKind::JumpLeft,
];

const EVERY_KIND_MIRRORED: [TurnKind; 4] = [
    TurnKind::PlaceLeft,
    TurnKind::PlaceRight,
    TurnKind::JumpLeft,
    TurnKind::JumpRight,
];

fn is_of(kind: TurnKind, strip: &Strip, turn: Turn, next: &Successor<Strip>) -> bool {
    let own = match (turn, next) {
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

    /// Read from the right, the turns of the boards with the ball up to a square are the mirror
    /// images of those read from the left.
    #[test]
    fn both_readings_have_the_same_turns(length in 3usize..=8, last in 0usize..7, chosen in prop::collection::vec(any::<bool>(), 768)) {
        let game = StripGame::new(length).unwrap();
        let strips: Vec<Strip> = (0..game.positions()).map(|index| game.position(index)).collect();
        let members = strips.iter().zip(chosen.iter().cycle()).filter(|(_, chosen)| **chosen);
        let members: Vec<Strip> = members.map(|(strip, _)| *strip).collect();
        let image = |strip: &Strip| strip.mirror().with_side(strip.side());
        let images: Vec<Strip> = members.iter().map(image).collect();
        let reading = |members: &[Strip], last, mirrored| {
            let mut sets = Sets::new(Graph::new(length));
            let set = set_of(&mut sets, members);
            (Turns::reading(sets, last, mirrored).unwrap(), set)
        };
        let (mut whole, set) = reading(&members, length - 1, false);
        let (mut half, mirrored) = reading(&images, last, true);
        for (kind, other) in EVERY_KIND.into_iter().zip(EVERY_KIND_MIRRORED) {
            for quantifier in [Quantifier::Exists, Quantifier::ForAll] {
                let expected = whole.preimage(quantifier, &[kind], set).unwrap();
                let found = half.preimage(quantifier, &[other], mirrored).unwrap();
                for strip in &strips {
                    let is_near = length - 1 - strip.ball() <= last;
                    let expected = is_near && contains(whole.sets().graph(), expected, strip);
                    prop_assert_eq!(contains(half.sets().graph(), found, &image(strip)), expected, "{:?} {}", kind, strip);
                }
            }
        }
    }
}

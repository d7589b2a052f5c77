//! Notation of the pitch: output parses to the same value, symmetries hold, and errors name the
//! place.

use phutbase_rules::pitch::After;
use phutbase_testing::prelude::*;

/// Generates positions with few chaps, which limits the number of jumps.
fn any_pitch() -> impl Strategy<Value = Pitch> {
    (3usize..=19, 1usize..=19).prop_flat_map(|(rows, columns)| {
        let shape = Shape::new(rows, columns).unwrap();
        let chaps = prop::collection::vec(0..shape.points(), 0..24);
        (shape.interior(), chaps, any::<bool>()).prop_map(move |(ball, chaps, alfred)| {
            let chaps: Points = chaps.into_iter().filter(|&point| point != ball).collect();
            Pitch::new(shape, ball, chaps, if alfred { Side::Left } else { Side::Right }).unwrap()
        })
    })
}

proptest! {
    #[test]
    fn printed_values_can_be_parsed(pitch in any_pitch()) {
        prop_assert_eq!(pitch.to_string().parse::<Pitch>(), Ok(pitch));
        for turn in pitch.turns().unwrap() {
            let text = pitch.turn_notation(&turn).unwrap();
            prop_assert_eq!(pitch.parse_turn(&text), Ok(turn), "{}", text);
        }
    }

    #[test]
    fn symmetries_change_nothing(pitch in any_pitch()) {
        prop_assert_eq!(pitch.turned().turned(), pitch);
        prop_assert_eq!(pitch.mirrored().mirrored(), pitch);
        prop_assert_eq!(pitch.turned().mirrored(), pitch.mirrored().turned());
        let sorted = |pitch: &Pitch, back: fn(&Pitch) -> Pitch| {
            let mut results: Vec<_> = (pitch.turns().unwrap().iter())
                .map(|turn| match pitch.after(turn) {
                    After::Position(next) => back(&next).to_string(),
                    over => {
                        let end = back(&pitch.with_side(pitch.side().opponent())).side();
                        // The winner is relative to the next player.
                        format!("{:?}", over.winner().map(|winner| (winner == pitch.side(), end)))
                    }
                })
                .collect();
            results.sort();
            results
        };
        let here = sorted(&pitch, |next| *next);
        prop_assert_eq!(sorted(&pitch.mirrored(), Pitch::mirrored), here.clone());
        prop_assert_eq!(sorted(&pitch.turned(), Pitch::turned), here);
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "[o@./0-9AB x-z-]{0,40}") {
        let _ = text.parse::<Pitch>();
        let _ = text.parse::<Shape>();
        let _ = pitch("3/1@1/3").parse_turn(&text);
    }
}

#[test]
fn index_and_position_are_inverse() {
    for text in ["3x1", "4x2", "5x2", "3x3", "4x3"] {
        let game = PitchGame::new(shape(text)).unwrap();
        for index in 0..game.positions() {
            let position = game.position(index);
            assert_eq!(game.index(&position), index);
            assert_eq!(game.index(&position.turned()), index);
        }
    }
    assert!(PitchGame::new(shape("10x6")).is_none());
}

/// Under directional rules Alfred jumps up and Betty down.
#[test]
fn jumps_that_the_rules_forbid_are_no_turns() {
    let alfred = pitch("3/1o1/1@1/1o1/3 A");
    for (pitch, turn) in [(alfred, "b3-b1"), (alfred.turned(), "b3-b5")] {
        assert!(pitch.parse_turn(turn).is_ok());
        let error = pitch.under(Rules::Directional).parse_turn(turn).unwrap_err();
        assert!(error.0.contains("no jump from b3"), "{error}");
    }
    assert!(alfred.under(Rules::Directional).parse_turn("b3-b5").is_ok());
}

#[test]
fn turns_that_are_none_say_why() {
    let pitch = pitch("3/1o1/1@1/3 A");
    let error = |text: &str| pitch.parse_turn(text).unwrap_err();
    assert!(error("b3").0.contains("it is not empty"));
    assert!(error("b2").0.contains("it is not empty"));
    assert!(error("d1").0.contains("is not a point"));
    assert!(error("a0").0.contains("is not a point"));
    assert!(error("b2-up").0.contains("is not a point"));
    assert!(error("b3-b4").0.contains("but the ball is on b2"));
    assert!(error("b2-b1").0.contains("no jump from b2"));
    assert!(error("b2-N").0.contains("no jump from b2"));
    assert!(pitch.parse_turn("b2-b4").is_ok());
}

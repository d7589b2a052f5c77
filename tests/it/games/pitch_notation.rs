//! Notation of the pitch: what is printed is read back, symmetries are symmetries, and errors name the place.

use crate::games::pitch_support::{pitch, shape};
use phutbase::game::Game;
use phutbase::games::pitch::{After, Pitch, PitchGame, Points, Shape};
use phutbase::outcome::Side;
use proptest::prelude::*;

/// Any position with few chaps, so that jumps stay countable.
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
    fn what_is_printed_is_read_back(pitch in any_pitch()) {
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
                        // Who is home is seen from the player whose turn it would be.
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

#[test]
fn all_forms_of_a_position_are_read() {
    let plain = pitch("o4/2@2/5");
    assert_eq!(plain.side(), Side::Left);
    assert_eq!(plain.to_string(), "o4/2@2/5 A");
    for other in ["O..../..@../..... A", "o.3/1.@2/1.1.1", " o4/02@2/5   A "] {
        assert_eq!(pitch(other), plain, "{other}");
    }
    assert_eq!(pitch("o4/2@2/5 B").side(), Side::Right);
    let wide = pitch("19/9@o8/19");
    assert_eq!(wide.shape(), shape("3x19"));
    assert_eq!(wide.shape().point_name(wide.ball()), "j2");
}

#[test]
fn malformed_positions_say_what_is_wrong_and_where() {
    let error = |text: &str| text.parse::<Pitch>().unwrap_err().to_string();
    for (text, parts) in [
        ("3/1@1/x2", &["'x'", "row 1", "after 0 points"][..]),
        ("3/1@1/2", &["row 1 has 2 points", "the top row has 3"]),
        ("3/1@12/3", &["row 2 has 14 points"]),
        ("3/3/3", &["no ball"]),
        ("@2/1@1/3", &["two balls", "a3", "b2"]),
        ("3/3/1@1", &["b1", "goal row", "between rows 1 and 3"]),
        ("1@1/3/3", &["b3", "goal row"]),
        ("3/1@1", &["2 rows", "3 to 19 rows"]),
        ("20/1@18/20", &["20 columns"]),
        ("99999999999999999999999/@/1", &["columns"]),
        ("3/1@1/3 L", &["'L'", "A or B"]),
        ("3/1@1/3 A B", &["'B'"]),
    ] {
        let message = error(text);
        assert!(
            parts.iter().all(|part| message.contains(part)),
            "'{text}': {message}"
        );
    }
    assert!(
        "".parse::<Pitch>()
            .unwrap_err()
            .to_string()
            .contains("a pitch of 1 rows")
    );
    for size in ["2x3", "20x3", "3x0", "3", "x", "3x", "3xx3", "+3x3", "3x20"] {
        let message = size.parse::<Shape>().unwrap_err().to_string();
        assert!(message.contains(&format!("'{size}'")), "{message}");
    }
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

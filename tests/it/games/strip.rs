//! The strip by example: notation, turns, errors. What holds on every strip is in `strip_laws`.

use phutbase::games::strip::{MAX_INDEXED_LENGTH, Strip, StripGame, Turn, positions};
use phutbase::outcome::Side;

#[test]
fn all_symbols_of_the_papers_are_read() {
    let plain: Strip = "o@o.o R".parse().unwrap();
    assert_eq!("◇●O·o  R".parse::<Strip>().unwrap(), plain);
    assert_eq!(plain.side(), Side::Right);
    assert_eq!("o@o.o L".parse::<Strip>(), "o@o.o".parse::<Strip>());
}

#[test]
fn malformed_positions_say_what_is_wrong_and_where() {
    let long = format!(".@{}", "o".repeat(200));
    for (text, reason) in [
        ("o@x..", "'x' on square 2 is not"),
        ("ooo..", "no ball in 'ooo..'"),
        (".@.@.", "two balls, on squares 1 and 3"),
        (
            "@....",
            "goal-line square 0: it must stand between squares 0 and 4",
        ),
        ("....@", "goal-line square 4:"),
        ("", "a strip of 0 squares"),
        (".@", "a strip of 2 squares"),
        (&long, "a strip of 202 squares"),
        (".@. left", "'left' after the board"),
        (".@. L L", "'L' after the board"),
    ] {
        let error = text.parse::<Strip>().unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
}

#[test]
fn turns_are_printed_as_they_are_read() {
    for text in ["o0", "o127", "@8", "@L", "@R"] {
        assert_eq!(text.parse::<Turn>().unwrap().to_string(), text);
    }
    for text in ["", "o", "@", "o-1", "o+1", "o300", "x5", "@l", "5"] {
        assert!(text.parse::<Turn>().is_err(), "{text}");
    }
}

fn turns(board: &str) -> String {
    let strip: Strip = board.parse().unwrap();
    strip
        .turns()
        .iter()
        .map(Turn::to_string)
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn every_turn_is_listed_once() {
    assert_eq!(turns(".@."), "o0 o2");
    assert_eq!(turns(".@o"), "o0 @R");
    assert_eq!(turns("o@o.o.o...."), "o3 o5 o7 o8 o9 o10 @3 @5 @7 @L");
    assert_eq!(turns(".oo.o@."), "o0 o3 o6 @3 @0");
    assert_eq!(turns("o.o@oo"), "o1 @R @1 @L");
}

#[test]
fn illegal_turns_are_refused_by_name() {
    let strip: Strip = "o@o.o".parse().unwrap();
    for turn in [
        Turn::Place(0),
        Turn::Place(1),
        Turn::Place(77),
        Turn::Jump(2),
        Turn::Jump(4),
    ] {
        let error = strip.play(turn).unwrap_err();
        assert!(
            error.to_string().contains(&turn.to_string()),
            "{error} names {turn}"
        );
    }
}

#[test]
fn the_longest_indexed_length_is_the_longest_that_fits() {
    assert!(positions(MAX_INDEXED_LENGTH).unwrap() <= u128::from(u64::MAX));
    assert!(positions(MAX_INDEXED_LENGTH + 1).unwrap() > u128::from(u64::MAX));
    assert_eq!(StripGame::new(2), None);
    assert_eq!(StripGame::new(MAX_INDEXED_LENGTH + 1), None);
}

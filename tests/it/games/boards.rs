//! Boards and positions of all games in the notation that they share.

use phutbase::games::boards::Boards;
use phutbase::games::position::{Phutball, Position};

#[test]
fn boards_are_printed_as_they_are_read() {
    for text in [
        "3",
        "128",
        "3..24",
        "7x3",
        "19x19",
        "obstruction:8x8",
        "obstruction:torus:6x6",
        "obstruction:3x3x4",
        "oddish:18",
        "oddish:2..120",
    ] {
        assert_eq!(text.parse::<Boards>().unwrap().to_string(), text);
    }
    assert_eq!("16".parse(), Ok(Boards::strip(16)));
    assert_eq!("16..16".parse(), Ok(Boards::strip(16)));
    assert_eq!("7×3".parse::<Boards>(), "7x3".parse());
}

#[test]
fn what_names_no_boards_is_refused_with_a_reason() {
    let error = |text: &str| text.parse::<Boards>().unwrap_err().to_string();
    for text in [
        "",
        "x",
        "a..b",
        "3..",
        "..5",
        "-3",
        "+3",
        "3...5",
        "7x",
        "7x3x2",
        "chess:8",
        "oddish:2x2",
        "obstruction:3x3x3x3",
        "obstruction:torus:3",
        "obstruction:torus:3x3x3",
        "obstruction:plane:3x3",
        "obstruction:graph:0-1",
    ] {
        assert!(error(text).contains("names no boards"), "{text}: {}", error(text));
    }
    assert!(error("24..3").contains("ends before it begins"));
    assert!(error("2").contains("3 to 128"));
    assert!(error("3..129").contains("not 129"));
    assert!(error("99999999999999999999999").contains("3 to 128"));
    assert!(error("2x3").contains("a pitch has"));
    assert!(error("18446744073709551616x3").contains("a pitch has"));
    assert!(error("obstruction:0x3").contains("a board of Obstruction"));
    assert!(error("obstruction:18446744073709551615x2").contains("a board of Obstruction"));
    assert!(error("obstruction:hex:12x11").contains("a board of Obstruction"));
    assert!(error("obstruction:6x6x4").contains("a board of Obstruction"));
    assert!(error("oddish:1").contains("2 to 120"));
}

#[test]
fn notation_says_which_game_it_is() {
    for (text, game) in [
        ("o@o.o.o....", "strip"),
        (".@.o..o.. R", "strip"),
        ("3/3/2o/1o1/3/@2/3 A", "pitch"),
        ("obstruction:1x1 + 1x2 + 1x3", "obstruction"),
        ("obstruction:..x/.../x..", "obstruction"),
        ("oddish:..o^o. R", "oddish"),
    ] {
        let position: Position = text.parse().unwrap();
        assert_eq!((position.game(), position.to_string().as_str()), (game, text));
    }
    assert_eq!(
        "obstruction:1+2+3".parse::<Position>(),
        "obstruction:1x1 + 1x2 + 1x3".parse()
    );
}

#[test]
fn what_no_game_has_is_refused() {
    for (text, reason) in [
        ("chess:8/8", "there is no game 'chess'"),
        (&"o".repeat(4097), "4097 bytes are too long"),
        ("..o", "no ball in '..o'"),
        ("3/3", "a pitch of 2 rows"),
        ("obstruction:", "term 1 is empty"),
        ("oddish:..o", "0 arrows"),
    ] {
        let error = text.parse::<Position>().unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
    let unplayable = "oddish:..o^o.".parse::<Phutball>().unwrap_err().to_string();
    assert!(unplayable.contains("only strips and pitches"), "{unplayable}");
}

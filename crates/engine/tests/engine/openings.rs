//! Files of openings.

use phutbase_engine::matches::openings::{OpeningsError, read};

/// A tag as the record of a match writes it, with quotes and backslashes.
#[test]
fn tags_of_games_are_unescaped() {
    for (written, expected) in [
        (r#""plain""#, "plain"),
        (r#""The \"Big\"""#, r#"The "Big""#),
        (r#""a \\ b\\""#, r"a \ b\"),
        (r#""\\\"""#, r#"\""#),
    ] {
        let game = format!("[Event {written}]\n[FEN \"..@..\"]\n\n1. o1 *\n");
        let openings = read(game.as_bytes(), None).unwrap();
        assert_eq!(openings[0].id.as_deref(), Some(expected), "{written}");
        assert_eq!(openings[0].position.to_string(), ".o@.. R");
    }
}

/// Lines may have 65,536 bytes, with their end.
#[test]
fn long_lines_are_read_up_to_the_limit() {
    for (length, is_read) in [(65_536, true), (65_537, false)] {
        let spaces = " ".repeat(length - 5);
        for text in [
            format!(".@.{spaces}\r\n\n"),
            format!("[F \"{}\"]\n[FEN \".@.\"]\n", " ".repeat(length - 7)),
        ] {
            let found = read(text.as_bytes(), None);
            assert_eq!(found.is_ok(), is_read, "{length}: {found:?}");
            assert!(is_read || matches!(found, Err(OpeningsError::Line(1, _))));
        }
    }
}

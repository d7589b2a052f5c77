//! Parsing of protocol lines.

use phutbase_engine::protocol::{Command, parse};
use std::time::Duration;

#[test]
fn positions_begin_at_the_start_or_with_a_fen_and_take_moves() {
    let read = |line| parse(line).unwrap().unwrap();
    assert_eq!(
        read("position fen o@o.. R moves @3  o1"),
        Command::Position {
            fen: Some("o@o.. R".into()),
            moves: vec!["@3".into(), "o1".into()],
        }
    );
    assert_eq!(
        read("position startpos"),
        Command::Position {
            fen: None,
            moves: Vec::new(),
        }
    );
    for line in "position; position fen; position fen moves o1; position o@o".split("; ") {
        let error = parse(line).unwrap_err();
        assert!(
            error.to_string().contains("needs 'startpos' or 'fen'"),
            "{line}: {error}"
        );
    }
}

#[test]
fn go_ignores_unknown_words() {
    let Command::Go(go, errors) = parse("go p1time -20 p2time 5 depth x blah nodes 7")
        .unwrap()
        .unwrap()
    else {
        panic!("no go");
    };
    assert_eq!(go.clock, [Some(Duration::ZERO), Some(Duration::from_millis(5))]);
    assert_eq!((go.depth, go.nodes), (None, Some(7)));
    assert_eq!(errors.len(), 2);
}

#[test]
fn turns_to_choose_from_end_at_the_next_word_of_go() {
    let read = |line| match parse(line).unwrap().unwrap() {
        Command::Go(go, errors) => (go.searchmoves, go.depth, errors.len()),
        other => panic!("{other:?}"),
    };
    let turns = |turns: &str| turns.split(' ').map(str::to_string).collect::<Vec<_>>();
    assert_eq!(read("go searchmoves o1 @3 depth 2"), (turns("o1 @3"), Some(2), 0));
    assert_eq!(
        read("go depth 2 searchmoves b3 a2-c4"),
        (turns("b3 a2-c4"), Some(2), 0)
    );
    assert_eq!(read("go searchmoves depth 2"), (Vec::new(), Some(2), 1));
}

#[test]
fn unknown_commands_are_ignored() {
    assert_eq!(parse("register later"), Ok(None));
    assert_eq!(parse("  "), Ok(None));
    assert!(parse("setoption value 3").is_err());
}

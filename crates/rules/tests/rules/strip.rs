//! The strip by example: notation, turns, errors. Laws that hold on every strip are in
//! `strip_laws`.

use phutbase_rules::strip::{MAX_INDEXED_LENGTH, positions};
use phutbase_testing::prelude::*;

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
    assert!(positions(MAX_INDEXED_LENGTH) <= u64::MAX.into());
    assert!(positions(MAX_INDEXED_LENGTH + 1) > u64::MAX.into());
    assert_eq!(StripGame::new(2), None);
    assert_eq!(StripGame::new(MAX_INDEXED_LENGTH + 1), None);
}

/// Returns whether a turn is proper by its definition (docs/THEORY.md): a stone on the side ahead, a
/// jump turn of at least three squares in either direction, or a turn that wins at once. A turn off
/// the own end of the strip moves the ball to no square.
fn is_proper_by_the_book(strip: &Strip, turn: Turn) -> bool {
    if let After::Over { winner, .. } = strip.play(turn).unwrap()
        && winner == strip.side()
    {
        return true;
    }
    let ball = strip.ball();
    match turn {
        Turn::Place(square) if strip.side() == Side::Left => square > ball,
        Turn::Place(square) => square < ball,
        Turn::Jump(square) if square > ball => (ball + 1..=square).count() >= 3,
        Turn::Jump(square) => (square..ball).count() >= 3,
        Turn::Off(_) => false,
    }
}

#[test]
fn turns_are_proper_by_the_definition_on_every_board_up_to_12_squares() {
    for rules in Rules::ALL {
        for strip in (3..=12).flat_map(|length| both_sides_under(rules, length)) {
            strip.for_each_turn(|turn| {
                let expected = is_proper_by_the_book(&strip, turn);
                assert_eq!(turn.is_proper(&strip), expected, "'{strip}' {turn}");
            });
        }
    }
}

/// A turn goes to the right if its stone is to the right of the ball, or if it moves the ball there.
#[test]
fn turns_are_forward_by_the_squares_that_they_touch() {
    for strip in (3..=10).flat_map(|length| both_sides_under(Rules::Ordinary, length)) {
        strip.for_each_turn(|turn| {
            let is_rightward = match (turn, strip.play(turn).unwrap()) {
                (Turn::Place(square), _) => square > strip.ball(),
                (_, After::Position(next)) => next.ball() > strip.ball(),
                (_, After::Over { winner, .. }) => winner == Side::Left,
            };
            let is_ahead = is_rightward == (strip.side() == Side::Left);
            assert_eq!(turn.is_forward(&strip), is_ahead, "'{strip}' {turn}");
        });
    }
}

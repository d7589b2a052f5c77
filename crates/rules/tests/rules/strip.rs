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

/// Returns whether a turn is proper by its definition, read off the squares of the ball before and
/// after it: a stone on the side ahead, a turn that wins at once, a jump turn over at least three
/// squares in either direction.
fn is_proper_by_the_book(strip: &Strip, turn: Turn) -> bool {
    let ball = strip.ball();
    let is_ahead = |square: usize| match strip.side() {
        Side::Left => square > ball,
        Side::Right => square < ball,
    };
    match (turn, strip.play(turn).unwrap()) {
        (Turn::Place(square), _) => is_ahead(square),
        (_, After::Over { winner, .. }) => winner == strip.side(),
        (_, After::Position(next)) => {
            let (low, high) = (ball.min(next.ball()), ball.max(next.ball()));
            (low + 1..=high).count() >= 3
        }
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
            assert_eq!(turn.is_rightward(&strip), is_rightward, "'{strip}' {turn}");
            let is_ahead = is_rightward == (strip.side() == Side::Left);
            assert_eq!(turn.is_forward(&strip), is_ahead, "'{strip}' {turn}");
        });
    }
}

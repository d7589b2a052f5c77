//! Values: their order, encoding, and change by a turn.

use phutbase_testing::prelude::*;

#[test]
fn preference_runs_from_short_wins_to_short_losses() {
    let best_first = [
        Value::Win(Depth(1)),
        Value::Win(Depth(3)),
        Value::Draw,
        Value::Loss(Depth(8)),
        Value::Loss(Depth(2)),
        Value::Loss(Depth(1)),
    ];
    assert!(best_first.windows(2).all(|pair| pair[0] > pair[1]));
}

#[test]
fn verdicts_are_preferred_as_values_are() {
    let values = [
        Value::Win(Depth(1)),
        Value::Win(Depth(9)),
        Value::Draw,
        Value::Loss(Depth(8)),
        Value::Loss(Depth(2)),
    ];
    for a in values {
        for b in values {
            let (va, vb) = (Verdict::from(a).preference(), Verdict::from(b).preference());
            assert_eq!(a.cmp(&b), va.cmp(&vb), "{a} and {b}");
        }
    }
}

#[test]
fn depth_bytes_follow_the_parity_convention() {
    assert_eq!(Value::from_depth_byte(0), Value::Draw);
    assert_eq!(Value::from_depth_byte(7), Value::Win(Depth(7)));
    assert_eq!(Value::from_depth_byte(12), Value::Loss(Depth(12)));
}

#[test]
fn a_turn_is_worth_the_opposite_one_ply_later() {
    assert_eq!(Value::Loss(Depth(4)).before(), Value::Win(Depth(5)));
    assert_eq!(Value::Win(Depth(5)).before(), Value::Loss(Depth(6)));
    assert_eq!(Value::Draw.before(), Value::Draw);
}

#[test]
fn an_outcome_names_the_winner() {
    for mover in [Side::Left, Side::Right] {
        assert_eq!(Wdl::Win.winner(mover), Some(mover));
        assert_eq!(Wdl::Loss.winner(mover), Some(mover.opponent()));
        assert_eq!(Wdl::Draw.winner(mover), None);
        for winner in [Side::Left, Side::Right] {
            assert_eq!(Wdl::won_by(winner, mover).winner(mover), Some(winner));
        }
    }
}

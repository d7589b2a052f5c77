//! Half strips and the potentials of the papers.

use phutbase_fixtures::prelude::*;
use phutbase_rules::half::MAX_HALF;
use phutbase_rules::potentials::{generalized, oddish};

#[test]
fn both_halves_are_read_from_the_ball() {
    let strip: Strip = "oo.@o...o".parse().unwrap();
    let (pattern, ball) = (strip.pattern(), strip.ball());
    assert_eq!(Half::right_of(pattern, ball, 8).to_string(), "@o...o");
    assert_eq!(Half::left_of(pattern, ball).to_string(), "@.oo");
    let mirror = strip.mirror();
    assert_eq!(
        Half::left_of(mirror.pattern(), mirror.ball()),
        Half::right_of(pattern, ball, 8)
    );
}

#[test]
fn halves_have_squares_and_no_stones_past_them() {
    assert_eq!(Half::new(0, 0u64), None);
    assert_eq!(Half::new(3, 8u64), None);
    assert_eq!(Half::new(MAX_HALF + 1, 0u64), None);
    assert!(Half::new(3, 7u64).is_some());
}

fn half(text: &str) -> Half {
    let stones = text.chars().enumerate();
    let stones = stones.fold(0, |stones, (square, symbol)| {
        stones | u128::from(symbol == 'o') << square
    });
    Half::new(text.len(), stones).unwrap()
}

#[test]
fn the_papers_oddish_example_has_potentials_0_and_1() {
    // §2: 'In calculating Right's potential … psum = bsum = 0 therefore p_R = 0. For Left, psum = 2
    // and bsum = 1 therefore p_L = 1.' Its diagram reads ..ooo^ooo...o..
    assert_eq!(oddish(half("ooo..")), 0);
    assert_eq!(oddish(half("ooo...o..")), 1);
}

#[test]
fn stones_alone_cost_nothing_and_an_empty_neighbour_costs_a_stone() {
    assert_eq!(oddish(half("ooo")), 0);
    assert_eq!(oddish(half(".")), 1);
    assert_eq!(oddish(half(".o")), 1);
    assert_eq!(oddish(half("....")), 3);
    assert_eq!(oddish(half("o.")), 1, "bsum 0, psum 1");
}

#[test]
fn the_generalized_potential_transforms_in_the_order_of_the_paper() {
    // '.' at the ball makes the group '..', even, which stays: bsum 2, psum 1.
    assert_eq!(generalized(half(".")), 1);
    // 'o' at the ball: stones only.
    assert_eq!(generalized(half("o")), 0);
    // '..' with the ball's square is a group of three; its outermost becomes a stone: sums 0, 1, 2.
    assert_eq!(generalized(half("..")), 1);
    // Ball, seven empty squares: a group of eight, bsum 8.
    assert_eq!(generalized(half(".......")), 3);
    // The group '.' before the far stone is odd and becomes a stone.
    assert_eq!(generalized(half("oo.o")), 0);
}

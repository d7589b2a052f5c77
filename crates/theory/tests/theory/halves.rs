//! The potentials of the papers.

use phutbase_rules::half::HalfAutomaton;
use phutbase_rules::potentials::{Generalized, OddishSum};

/// Reads a half that is written from the ball on.
fn squares(text: &str) -> impl Iterator<Item = bool> {
    text.bytes().rev().map(|symbol| symbol == b'o')
}

fn oddish(half: &str) -> u32 {
    OddishSum::value_of(squares(half))
}

fn generalized(half: &str) -> u32 {
    Generalized::value_of(squares(half))
}

#[test]
fn the_papers_oddish_example_has_potentials_0_and_1() {
    // §2: 'In calculating Right's potential … psum = bsum = 0 therefore p_R = 0. For Left, psum = 2
    // and bsum = 1 therefore p_L = 1.' Its diagram reads ..ooo^ooo...o..
    assert_eq!(oddish("ooo.."), 0);
    assert_eq!(oddish("ooo...o.."), 1);
}

#[test]
fn stones_alone_cost_nothing_and_an_empty_neighbour_costs_a_stone() {
    assert_eq!(oddish("ooo"), 0);
    assert_eq!(oddish("."), 1);
    assert_eq!(oddish(".o"), 1);
    assert_eq!(oddish("...."), 3);
    assert_eq!(oddish("o."), 1, "bsum 0, psum 1");
}

#[test]
fn the_generalized_potential_transforms_in_the_order_of_the_paper() {
    // '.' at the ball makes the group '..', even, which stays: bsum 2, psum 1.
    assert_eq!(generalized("."), 1);
    // 'o' at the ball: stones only.
    assert_eq!(generalized("o"), 0);
    // '..' with the ball's square is a group of three; its outermost becomes a stone: sums 0, 1, 2.
    assert_eq!(generalized(".."), 1);
    // Ball, seven empty squares: a group of eight, bsum 8.
    assert_eq!(generalized("......."), 3);
    // The group '.' before the far stone is odd and becomes a stone.
    assert_eq!(generalized("oo.o"), 0);
}

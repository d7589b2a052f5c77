//! Counts that exceed 256 bits.

use phutbase_sets::count::{count, count_by_ball, size};
use phutbase_testing::prelude::*;

/// The longest strip has 253 · 2^254 boards.
#[test]
fn counts_pass_256_bits() {
    let mut graph = Graph::new(255);
    let mut everything = Ref::BOTTOM;
    for square in (0..=253).rev() {
        let ball = if square == 0 { Ref::BOTTOM } else { Ref::TOP };
        everything = graph.ternary(square, everything, everything, ball).unwrap();
    }
    assert_eq!(count(&graph, everything), BigUint::from(253u8) << 254);
    assert_eq!(count_by_ball(&graph, everything)[1], U256::ONE << 254);
    assert_eq!(size(&graph, &[everything]), 254);
}

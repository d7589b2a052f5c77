//! Counts that exceed 128 bits.

use crate::prelude::*;
use phutbase::diagram::count::{count, count_by_ball, size};

/// The longest strip has 126 · 2^127 boards.
#[test]
fn counts_pass_128_bits() {
    let mut graph = Graph::new(128);
    let mut everything = Ref::BOTTOM;
    for square in (0..=126).rev() {
        let ball = if square == 0 { Ref::BOTTOM } else { Ref::TOP };
        everything = graph.ternary(square, everything, everything, ball).unwrap();
    }
    assert_eq!(count(&graph, everything), BigUint::from(126u8) << 127);
    assert_eq!(count_by_ball(&graph, everything)[1], 1 << 127);
    assert_eq!(size(&graph, &[everything]), 127);
}

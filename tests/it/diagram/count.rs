//! Counting past every machine word.

use num_bigint::BigUint;
use phutbase::diagram::count::{count, count_by_ball, size};
use phutbase::diagram::graph::{Graph, Ref};

/// Every board of the longest strip: 126 · 2^127 of them, more than 128 bits hold.
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

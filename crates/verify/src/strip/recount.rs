//! The number of boards of a set, counted from the first square on by the ways that lead to each node.

use hashbrown::HashMap;
use num_bigint::BigUint;
use phutbase_sets::{Diagram, View};
use std::mem::take;

pub fn count<D: Diagram>(sets: &D, set: D::Ref) -> BigUint {
    let length = sets.length();
    // By square, the nodes there and the number of contents of the squares before them; ⊤ stands
    // behind the last square.
    let mut ways: Vec<HashMap<D::Ref, BigUint>> = vec![HashMap::new(); length + 1];
    ways[0].insert(set, BigUint::from(1u8));
    for square in 0..length {
        for (at, number) in take(&mut ways[square]) {
            for &child in sets.view(at).children() {
                let own = match sets.view(child) {
                    View::Bottom => continue,
                    View::Top => length,
                    View::Ternary(own, _) | View::Binary(own, _) => own,
                };
                // Each skipped square may be empty or hold a stone.
                *ways[own].entry(child).or_default() += &number << (own - square - 1);
            }
        }
    }
    take(&mut ways[length]).into_values().sum()
}

//! Canonical forms of small graphs.

use phutbase_nimbers::canonical;
use std::collections::HashSet;

/// Builds the graph of a set of pairs, bit `a(a−1)/2 + b`.
fn graph(vertices: usize, pairs: u32) -> Vec<u16> {
    let mut near = vec![0; vertices];
    for a in 1..vertices {
        for b in (0..a).filter(|b| pairs >> (a * (a - 1) / 2 + b) & 1 == 1) {
            near[a] |= 1 << b;
            near[b] |= 1 << a;
        }
    }
    near
}

/// OEIS A000088: graphs on n unlabelled vertices.
#[test]
fn there_are_as_many_forms_as_graphs() {
    for (vertices, graphs) in [(1, 1), (2, 2), (3, 4), (4, 11), (5, 34), (6, 156)] {
        let pairs = vertices * (vertices - 1) / 2;
        let all = (0..1u32 << pairs).map(|set| {
            let near = graph(vertices, set);
            canonical::form(&near).expect("few vertices have few orders")
        });
        assert_eq!(all.collect::<HashSet<_>>().len(), graphs, "{vertices} vertices");
    }
}

#[test]
fn too_much_symmetry_has_no_form() {
    // Five paths of three vertices with a common end: 5! orders.
    let mut near = vec![0u16; 16];
    for vertex in 1..16usize {
        let inner = vertex.saturating_sub(5);
        near[vertex] |= 1 << inner;
        near[inner] |= 1 << vertex;
    }
    assert_eq!(canonical::form(&near), None);
}

//! A canonical form of small graphs: graphs with equal forms are isomorphic.
//!
//! Vertices are coloured by their degrees, then by the colours of their neighbours, until nothing
//! changes. If vertices still share a colour, each member of one such class is singled out in turn.
//! Of all vertex orders found in this way, the one with the smallest edge set, read as a number,
//! gives the form. The form consists of these edge bits, so equal forms imply isomorphic graphs, no
//! matter how well the colours distinguish vertices; poor colours only cost time.

use phutbase_base::bits::bits;

/// Most vertices of a graph with a form: the pairs and the number of vertices fit into 128 bits.
pub const MAX_VERTICES: usize = 16;

/// Number of orders tried before a graph is left without a form.
const MAX_ORDERS: u32 = 48;

type Colours = [u8; MAX_VERTICES];

/// Computes the form of a graph of up to [`MAX_VERTICES`] vertices without loops, given as the open
/// neighbourhood of each vertex, as bits; `None` if it has too much symmetry to find one in
/// reasonable time.
pub fn form(near: &[u16]) -> Option<u128> {
    let mut colours = [0; MAX_VERTICES];
    let classes = refine(near, &mut colours, 1);
    let mut orders = MAX_ORDERS;
    let edges = least(near, &colours, classes, &mut orders)?;
    Some((near.len() as u128) << 120 | edges)
}

/// Splits colour classes by the colours of neighbours until nothing changes; returns the number
/// of classes. Colours are 0, 1, …, in an order that does not depend on the numbering of the
/// vertices.
fn refine(near: &[u16], colours: &mut Colours, classes: usize) -> usize {
    let count = near.len();
    let mut classes = classes;
    loop {
        let mut signatures = [(0u64, 0u8); MAX_VERTICES];
        for (vertex, &neighbours) in near.iter().enumerate() {
            let mixed = bits(neighbours).map(|other| MIXED[usize::from(colours[other])]);
            let sum = mixed.fold(0, u64::wrapping_add);
            // The old colour leads, so classes are split and never merged.
            signatures[vertex] = (u64::from(colours[vertex]) << 56 | sum >> 8, vertex as u8);
        }
        signatures[..count].sort_unstable();
        let mut colour = 0;
        for place in 0..count {
            if place > 0 && signatures[place].0 != signatures[place - 1].0 {
                colour += 1;
            }
            colours[usize::from(signatures[place].1)] = colour;
        }
        let found = usize::from(colour) + 1;
        if found == classes || found == count {
            return found;
        }
        classes = found;
    }
}

/// Returns the smallest edge set of all orders that refine the colours.
fn least(near: &[u16], colours: &Colours, classes: usize, orders: &mut u32) -> Option<u128> {
    let count = near.len();
    if classes == count {
        *orders = orders.checked_sub(1)?;
        return Some(edges(near, colours));
    }
    let mut sizes = [0u8; MAX_VERTICES];
    for &colour in &colours[..count] {
        sizes[usize::from(colour)] += 1;
    }
    let split = (0..classes)
        .filter(|&class| sizes[class] > 1)
        .min_by_key(|&class| sizes[class])?;
    let members = (0..count).filter(|&vertex| usize::from(colours[vertex]) == split);
    let mut smallest: Option<u128> = None;
    let mut first = None;
    for vertex in members {
        // Swapping vertices with the same neighbours changes nothing: one represents the
        // others.
        if first.is_some_and(|first| alike(near, first, vertex)) {
            continue;
        }
        first = first.or(Some(vertex));
        let mut singled = *colours;
        for (other, colour) in singled[..count].iter_mut().enumerate() {
            if usize::from(*colour) > split || usize::from(*colour) == split && other != vertex {
                *colour += 1;
            }
        }
        let found = refine(near, &mut singled, classes + 1);
        let edges = least(near, &singled, found, orders)?;
        smallest = Some(smallest.map_or(edges, |known| known.min(edges)));
    }
    smallest
}

/// Returns whether two vertices have the same neighbours apart from each other.
fn alike(near: &[u16], one: usize, other: usize) -> bool {
    let both = 1 << one | 1 << other;
    near[one] & !both == near[other] & !both
}

/// Returns the edges under an order: the edge between positions a > b is bit a(a−1)/2 + b.
fn edges(near: &[u16], order: &Colours) -> u128 {
    let mut edges = 0;
    for (vertex, &neighbours) in near.iter().enumerate() {
        let a = usize::from(order[vertex]);
        for b in bits(neighbours).map(|other| usize::from(order[other])) {
            if b < a {
                edges |= 1u128 << (a * a.wrapping_sub(1) / 2 + b);
            }
        }
    }
    edges
}

/// Hash values of the colours, so that different multisets of colours have different sums.
const MIXED: [u64; MAX_VERTICES] = {
    let mut mixed = [0; MAX_VERTICES];
    let mut colour = 0;
    while colour < MAX_VERTICES {
        let mut number = (colour as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        number = (number ^ number >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        number = (number ^ number >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed[colour] = number ^ number >> 31;
        colour += 1;
    }
    mixed
};

//! Nimbers and misère outcomes by plain recursion, on graphs built from the wording of the rules.

use phutbase_rules::obstruction::bits;
use phutbase_rules::obstruction::graph::Graph;
use phutbase_testing::prelude::*;

/// A graph as lists of neighbours.
pub(super) type Lists = Vec<BTreeSet<usize>>;

/// Lists the neighbours of every cell by the wording of the rules, independently of the library:
/// compares all pairs of cells over the periodic images of the board in the plane.
pub(super) fn neighbours(form: Form, [layers, rows, columns]: [i32; 3]) -> Lists {
    let cells: Vec<[i32; 3]> = (0..layers * rows * columns)
        .map(|cell| [cell / columns / rows, cell / columns % rows, cell % columns])
        .collect();
    let near = |a: [i32; 3], b: [i32; 3]| {
        let [layer, row, column] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
        let king = layer.abs() <= 1 && row.abs() <= 1 && column.abs() <= 1;
        match form {
            Form::Regio => row.abs() + column.abs() == 1,
            Form::Hex => king && row != column,
            _ => king,
        }
    };
    let copies = |[layer, row, column]: [i32; 3]| -> Vec<[i32; 3]> {
        let right = [column - columns, column, column + columns];
        match form {
            Form::Torus => [row - rows, row, row + rows]
                .into_iter()
                .flat_map(|row| right.map(|column| [layer, row, column]))
                .collect(),
            Form::Cylinder => right.map(|column| [layer, row, column]).to_vec(),
            Form::Moebius => {
                let rows = [rows - 1 - row, row, rows - 1 - row];
                rows.into_iter()
                    .zip(right)
                    .map(|(row, column)| [layer, row, column])
                    .collect()
            }
            _ => vec![[layer, row, column]],
        }
    };
    let of = |one: usize| {
        let joined = |&other: &usize| {
            other != one
                && copies(cells[other])
                    .into_iter()
                    .any(|copy| near(cells[one], copy))
        };
        (0..cells.len()).filter(joined).collect()
    };
    (0..cells.len()).map(of).collect()
}

pub(super) fn sides(grid: Grid) -> [i32; 3] {
    grid.sides().map(|side| side as i32)
}

/// Lists the boards of all shapes with at most this many cells.
pub(super) fn grids(cells: usize) -> impl Iterator<Item = Grid> {
    let sides = (1..=cells)
        .flat_map(move |a| (1..=cells / a).flat_map(move |b| (1..=cells / a / b).map(move |c| [a, b, c])));
    sides.flat_map(|sides| {
        let flat = move |form| Grid::new(form, &[sides[1], sides[2]]).filter(|_| sides[0] == 1);
        let solid = Grid::of_sides(Form::Box, sides).filter(|grid| grid.form() == Form::Box);
        Form::ALL.into_iter().filter_map(flat).chain(solid)
    })
}

/// Computes the nimber of a set of free vertices and whether the player to move wins under misère
/// play, by trying every turn, without splitting, symmetry or twins.
fn plain(near: &[u32], free: u32, known: &mut HashMap<u32, (u8, bool)>) -> (u8, bool) {
    if let Some(&found) = known.get(&free) {
        return found;
    }
    let (mut nimbers, mut wins) = (0u64, free == 0);
    for vertex in (0..near.len()).filter(|vertex| free >> vertex & 1 == 1) {
        let (nimber, next_wins) = plain(near, free & !near[vertex] & !(1 << vertex), known);
        nimbers |= 1 << nimber;
        wins |= !next_wins;
    }
    let found = (nimbers.trailing_ones() as u8, wins);
    known.insert(free, found);
    found
}

pub(super) fn plain_of(lists: &Lists) -> (u8, bool) {
    let near: Vec<u32> = lists
        .iter()
        .map(|list| list.iter().map(|other| 1 << other).sum())
        .collect();
    plain(&near, (1 << lists.len()) - 1, &mut HashMap::new())
}

/// Builds the graph of a set of pairs, bit `b(b−1)/2 + a` for a < b.
pub(super) fn graph(vertices: usize, pairs: u64) -> Graph {
    let all = (1..vertices).flat_map(|b| (0..b).map(move |a| (a, b)));
    let edges = all.filter(|(a, b)| pairs >> (b * (b - 1) / 2 + a) & 1 == 1);
    with_edges(vertices, edges)
}

pub(super) fn with_edges(vertices: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> Graph {
    let mut graph = Graph::without_edges(vertices).unwrap();
    edges.into_iter().for_each(|(one, other)| graph.join(one, other));
    graph
}

pub(super) fn lists(graph: &Graph) -> Lists {
    let of = |vertex: usize| {
        bits(graph.near(vertex))
            .filter(|&other| other != vertex)
            .collect()
    };
    (0..graph.vertices()).map(of).collect()
}

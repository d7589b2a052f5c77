//! Graphs: vertices to mark, none next to a marked one. This is *node Kayles* (Schaefer 1978), and Silverman's *Monochrome*; every
//! other board of Obstruction is a case of it.
//!
//! Notation, after `graph:`, is a list: `0-1` an edge, `4` a vertex, `x4` a marked one. The vertices are those from 0 to the greatest
//! number in the list: `graph:0-1,1-2,4` has five, of which 3 and 4 have no neighbours.

use super::{MAX_SQUARES, bits};
use crate::outcome::ParseError;
use std::fmt;

/// Vertices and edges.
///
/// Invariants: 1 to [`MAX_SQUARES`] vertices; every vertex is in its own closed neighbourhood, and u in that of v if v is in that of u.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Graph {
    /// The closed neighbourhoods: a vertex and its neighbours, as bits.
    near: Vec<u128>,
}

impl Graph {
    /// Vertices without edges; `None` unless there are 1 to [`MAX_SQUARES`].
    pub fn without_edges(vertices: usize) -> Option<Graph> {
        (1..=MAX_SQUARES).contains(&vertices).then(|| Graph {
            near: (0..vertices).map(|vertex| 1 << vertex).collect(),
        })
    }

    /// Adds an edge between two different vertices.
    pub(crate) fn join(&mut self, one: usize, other: usize) {
        self.near[one] |= 1 << other;
        self.near[other] |= 1 << one;
    }

    /// A graph from its edges.
    ///
    /// # Errors
    /// [`ParseError`] if a number is out of range, or an edge leads from a vertex to itself.
    pub fn new(
        vertices: usize,
        edges: impl IntoIterator<Item = (usize, usize)>,
    ) -> Result<Graph, ParseError> {
        let mut graph = Graph::of_vertices(vertices)?;
        for (one, other) in edges {
            let number = one.max(other);
            if number >= vertices {
                return Err(too_large(number));
            }
            if one == other {
                return Err(a_loop(one));
            }
            graph.join(one, other);
        }
        Ok(graph)
    }

    /// So many vertices, without edges.
    pub(super) fn of_vertices(vertices: usize) -> Result<Graph, ParseError> {
        let last = vertices.checked_sub(1).ok_or_else(no_vertices)?;
        Graph::without_edges(vertices).ok_or_else(|| too_large(last))
    }

    /// The number of vertices.
    pub fn vertices(&self) -> usize {
        self.near.len()
    }

    /// All vertices, as bits.
    pub fn all(&self) -> u128 {
        u128::MAX >> (MAX_SQUARES - self.vertices())
    }

    /// A vertex and its neighbours, as bits.
    #[inline(always)]
    pub fn near(&self, vertex: usize) -> u128 {
        self.near[vertex]
    }

    /// Some vertices and all their neighbours.
    pub fn with_neighbours(&self, vertices: u128) -> u128 {
        bits(vertices).fold(0, |near, vertex| near | self.near[vertex])
    }

    /// Whether an order of the vertices keeps neighbours neighbours.
    pub(super) fn is_kept_by(&self, images: &[u8]) -> bool {
        let image = |set: u128| bits(set).fold(0u128, |image, vertex| image | 1 << images[vertex]);
        (0..self.vertices()).all(|vertex| image(self.near[vertex]) == self.near[usize::from(images[vertex])])
    }
}

pub(super) fn no_vertices() -> ParseError {
    ParseError("a graph without vertices: write edges such as 0-1,1-2".to_string())
}

pub(super) fn too_large(number: usize) -> ParseError {
    let last = MAX_SQUARES - 1;
    ParseError(format!(
        "vertex {number}: graphs of up to {MAX_SQUARES} vertices are possible, with numbers from 0 to {last}"
    ))
}

fn a_loop(vertex: usize) -> ParseError {
    ParseError(format!(
        "an edge from vertex {vertex} to itself: no vertex is its own neighbour"
    ))
}

/// The error where no file is read.
pub(super) fn refused(name: &str) -> ParseError {
    let name: String = name.chars().take(100).collect();
    ParseError(format!(
        "'{name}' is no list of edges such as 0-1,1-2, and files are read only where 'phutbase probe' is given one position"
    ))
}

/// An item of a list.
pub(super) enum Item {
    Edge(usize, usize),
    Vertex(usize),
    Mark(usize),
}

/// Reads `0-1`, `4` or `x4`.
pub(super) fn item(text: &str) -> Result<Item, ParseError> {
    let number = |text: &str| crate::games::number(text);
    let read = match (text.split_once('-'), text.strip_prefix(['x', 'X', '×'])) {
        (Some((one, other)), _) => number(one)
            .zip(number(other))
            .map(|(one, other)| Item::Edge(one, other)),
        (None, Some(mark)) => number(mark).map(Item::Mark),
        (None, None) => number(text).map(Item::Vertex),
    };
    let item = read.ok_or_else(|| {
        let item: String = text.chars().take(40).collect();
        ParseError(format!(
            "'{item}' is no edge: write 0-1, or a vertex by itself as in 4, or x4 for a marked one, with commas between them"
        ))
    })?;
    match item {
        Item::Edge(one, other) if one.max(other) >= MAX_SQUARES => Err(too_large(one.max(other))),
        Item::Vertex(number) | Item::Mark(number) if number >= MAX_SQUARES => Err(too_large(number)),
        Item::Edge(one, other) if one == other => Err(a_loop(one)),
        item => Ok(item),
    }
}

/// The graph of a list, and its marks.
pub(super) fn gather(items: &[Item]) -> Result<(Graph, u128), ParseError> {
    let greatest = items.iter().map(|item| match item {
        Item::Edge(one, other) => *one.max(other),
        Item::Vertex(number) | Item::Mark(number) => *number,
    });
    let mut graph = Graph::of_vertices(greatest.max().map_or(0, |greatest| greatest + 1))?;
    let mut marks = 0u128;
    for item in items {
        match *item {
            Item::Edge(one, other) => graph.join(one, other),
            Item::Mark(number) => marks |= 1 << number,
            Item::Vertex(_) => {}
        }
    }
    for first in bits(marks) {
        let near = graph.near(first) & marks & !(1 << first);
        if let Some(second) = bits(near).next() {
            return Err(ParseError(format!(
                "the marks on {first} and {second} touch: a vertex next to a mark cannot be marked"
            )));
        }
    }
    Ok((graph, marks))
}

/// Whether a text is a list, and not the name of a file.
pub(super) fn is_list(text: &str) -> bool {
    text.chars()
        .all(|symbol| symbol.is_ascii_digit() || matches!(symbol, '-' | ',' | 'x' | 'X' | '×'))
}

/// Reads a list.
pub(super) fn parse(text: &str) -> Result<(Graph, u128), ParseError> {
    if !is_list(text) {
        return Err(refused(text));
    }
    if text.is_empty() {
        return Err(no_vertices());
    }
    let items: Vec<Item> = text.split(',').map(item).collect::<Result<_, _>>()?;
    gather(&items)
}

/// Writes a graph with its marks as a list: edges, then the greatest vertex if no edge says that it is there, then marks.
pub(super) fn write(graph: &Graph, marks: u128, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut comma = "";
    for one in 0..graph.vertices() {
        for other in bits(graph.near(one)).filter(|&other| other > one) {
            write!(f, "{comma}{one}-{other}")?;
            comma = ",";
        }
    }
    let last = graph.vertices() - 1;
    if graph.near(last) == 1 << last && marks >> last & 1 == 0 {
        write!(f, "{comma}{last}")?;
        comma = ",";
    }
    for mark in bits(marks) {
        write!(f, "{comma}x{mark}")?;
        comma = ",";
    }
    Ok(())
}

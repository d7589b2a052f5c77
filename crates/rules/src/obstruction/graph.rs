//! Graphs: mark a vertex without a marked neighbour. This is *node Kayles* (Schaefer 1978) and
//! Silverman's *Monochrome*; every other board of Obstruction is a special case.
//!
//! Notation, after `graph:`, is a list: `0-1` an edge, `4` a vertex, `x4` a marked one. The
//! vertices are numbered from 0 to the largest number in the list: `graph:0-1,1-2,4` has five, of
//! which 3 and 4 have no neighbours.

use super::{MAX_SQUARES, bits};
use phutbase_base::outcome::ParseError;
use std::fmt;

/// A graph as closed neighbourhoods.
///
/// Invariants: 1 to [`MAX_SQUARES`] vertices; the relation `u ∈ near[v]` is reflexive and
/// symmetric.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Graph {
    /// The closed neighbourhoods: a vertex and its neighbours, as bits.
    near: Vec<u128>,
}

impl Graph {
    /// Creates a graph without edges, of 1 to [`MAX_SQUARES`] vertices.
    pub fn without_edges(vertices: usize) -> Result<Graph, ParseError> {
        match vertices.checked_sub(1) {
            None => Err(no_vertices()),
            Some(last) if last >= MAX_SQUARES => Err(too_large(last)),
            Some(_) => Ok(Graph {
                near: (0..vertices).map(|vertex| 1 << vertex).collect(),
            }),
        }
    }

    /// Adds an edge between two different vertices.
    pub fn join(&mut self, one: usize, other: usize) {
        self.near[one] |= 1 << other;
        self.near[other] |= 1 << one;
    }

    pub fn vertices(&self) -> usize {
        self.near.len()
    }

    /// Returns all vertices, as bits.
    pub fn all(&self) -> u128 {
        u128::MAX >> (MAX_SQUARES - self.vertices())
    }

    /// Returns the closed neighbourhood of a vertex, as bits.
    #[inline(always)]
    pub fn near(&self, vertex: usize) -> u128 {
        self.near[vertex]
    }

    /// Returns the union of the closed neighbourhoods of some vertices.
    pub fn with_neighbours(&self, vertices: u128) -> u128 {
        bits(vertices).fold(0, |near, vertex| near | self.near[vertex])
    }

    pub(super) fn has_automorphism(&self, images: &[u8]) -> bool {
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
        "vertex {number}: graphs have up to {MAX_SQUARES} vertices, numbered from 0 to {last}"
    ))
}

pub(super) fn a_loop(vertex: usize) -> ParseError {
    ParseError(format!(
        "an edge from vertex {vertex} to itself: no vertex is its own neighbour"
    ))
}

/// Creates the error for a file name in a text that may not read files.
pub(super) fn refused(name: &str) -> ParseError {
    let name: String = name.chars().take(100).collect();
    ParseError(format!(
        "'{name}' is not a list of edges such as 0-1,1-2, and no file is read here"
    ))
}

pub(super) enum Item {
    Edge(usize, usize),
    Vertex(usize),
    Mark(usize),
}

/// Parses `0-1`, `4` or `x4`.
pub(super) fn item(text: &str) -> Result<Item, ParseError> {
    let number = |text: &str| crate::number(text);
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
            "'{item}' is not an edge: write 0-1, or a single vertex as in 4, or x4 for a marked one, separated by commas"
        ))
    })?;
    match item {
        Item::Edge(one, other) if one.max(other) >= MAX_SQUARES => Err(too_large(one.max(other))),
        Item::Vertex(number) | Item::Mark(number) if number >= MAX_SQUARES => Err(too_large(number)),
        Item::Edge(one, other) if one == other => Err(a_loop(one)),
        item => Ok(item),
    }
}

pub(super) fn gather(items: &[Item]) -> Result<(Graph, u128), ParseError> {
    let greatest = items.iter().map(|item| match item {
        Item::Edge(one, other) => *one.max(other),
        Item::Vertex(number) | Item::Mark(number) => *number,
    });
    let mut graph = Graph::without_edges(greatest.max().map_or(0, |greatest| greatest + 1))?;
    let mut marks = 0u128;
    for item in items {
        match *item {
            Item::Edge(one, other) => graph.join(one, other),
            Item::Mark(number) => marks |= 1 << number,
            Item::Vertex(_) => {}
        }
    }
    Ok((graph, marks))
}

/// Returns whether a text is a list rather than a file name.
pub(super) fn is_list(text: &str) -> bool {
    text.chars()
        .all(|symbol| symbol.is_ascii_digit() || matches!(symbol, '-' | ',' | 'x' | 'X' | '×'))
}

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

/// Writes a graph with its marks as a list: edges, the last vertex if it has no edge and no mark,
/// marks.
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

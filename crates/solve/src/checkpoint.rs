//! Checkpoints: the sets of a solver between two steps, as a list of numbered nodes in a file.
//!
//! A node has a number greater than those of its children; 0 is ⊥ and 1 is ⊤. It takes 13 bytes: its
//! square, and the numbers of its children for an empty square, for a stone and for the ball, or
//! 2^32 − 1 past the ball.

use super::CheckpointError;
use bincode::{Decode, Encode};
use hashbrown::HashMap;
use phutbase_files::container::FileKind;
use phutbase_files::container::read::Container;
use phutbase_files::container::write::write_file;
use phutbase_files::error::{FileError, expect_same};
use phutbase_rules::rules::Rules;
use phutbase_sets::{Diagram, Graph, Ref, TooLarge, View};
use std::fmt::{self, Display, Formatter};
use std::path::Path;

/// The solver that a checkpoint belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Solver {
    Plies,
    Levels,
}

impl Display for Solver {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Solver::Plies => "depths",
            Solver::Levels => "levels",
        })
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
struct CheckpointMetadata {
    work: Solver,
    /// The number of squares.
    length: u16,
}

/// Bytes of a node.
const NODE_BYTES: usize = 13;
/// In place of the child for the ball.
const NO_BALL: u32 = u32::MAX;

/// The sets of a solver.
pub struct Saved {
    metadata: CheckpointMetadata,
    nodes: Vec<u8>,
    roots: Vec<u8>,
}

impl Saved {
    /// Copies some sets.
    pub fn new(work: Solver, graph: &Graph, sets: &[Ref]) -> Saved {
        let mut list = List {
            graph,
            nodes: Vec::new(),
            numbers: HashMap::from([(Ref::BOTTOM, 0), (Ref::TOP, 1)]),
        };
        let roots = sets
            .iter()
            .flat_map(|&set| list.number(set).to_le_bytes())
            .collect();
        Saved {
            metadata: CheckpointMetadata {
                work,
                length: graph.length() as u16,
            },
            nodes: list.nodes,
            roots,
        }
    }

    /// Writes the sets, replacing `file`.
    pub fn write(&self, file: &Path) -> Result<(), FileError> {
        write_file(file, (FileKind::StripCheckpoint, Rules::Ordinary), |out| {
            out.section("nodes", &self.nodes)?;
            out.section("roots", &self.roots)?;
            Ok(self.metadata.clone())
        })
    }

    /// Reads a checkpoint of some work on a length.
    pub fn read(file: &Path, work: Solver, length: usize) -> Result<Saved, FileError> {
        let container = Container::open(file)?;
        let metadata: CheckpointMetadata = container.metadata(FileKind::StripCheckpoint)?;
        let words = |work: Solver, length: usize| format!("{work} of length {length}");
        let found = words(metadata.work, metadata.length.into());
        expect_same(file, "the work", found, words(work, length))?;
        let [nodes, roots] = container.sections(["nodes", "roots"])?;
        Ok(Saved {
            metadata,
            nodes: container.section(nodes)?,
            roots: container.section(roots)?,
        })
    }

    /// Returns the sets, which were read from `file`.
    pub fn restore(&self, file: &Path) -> Result<(Graph, Vec<Ref>), CheckpointError> {
        let mut graph = Graph::new(self.metadata.length.into());
        let mut numbered = vec![Ref::BOTTOM, Ref::TOP];
        let corrupt = || FileError::corrupt(file, "a node has an invalid position");
        let (nodes, no_node) = self.nodes.as_chunks::<NODE_BYTES>();
        let (roots, no_root) = self.roots.as_chunks::<4>();
        if !no_node.is_empty() || !no_root.is_empty() {
            return Err(corrupt().into());
        }
        for node in nodes {
            let view = view(node, |number| numbered.get(number as usize).copied());
            let view = view.filter(|view| fits(&graph, view)).ok_or_else(corrupt)?;
            numbered.push(graph.make(view).map_err(|TooLarge| corrupt())?);
        }
        let is_set = |set: &Ref| *set == Ref::BOTTOM || graph.is_ternary(*set) && graph.level(*set) == 0;
        let root = |root: &[u8; 4]| numbered.get(u32::from_le_bytes(*root) as usize).copied();
        let sets = roots
            .iter()
            .map(|bytes| root(bytes).filter(is_set))
            .collect::<Option<_>>();
        Ok((graph, sets.ok_or_else(corrupt)?))
    }
}

/// Returns the node that some bytes describe, if it has children.
fn view(node: &[u8; NODE_BYTES], child: impl Fn(u32) -> Option<Ref>) -> Option<View<Ref>> {
    let square = usize::from(node[0]);
    let [empty, stone, ball] =
        [1, 5, 9].map(|at| u32::from_le_bytes(node[at..at + 4].try_into().expect("a number has four bytes")));
    Some(match ball {
        NO_BALL => View::Binary(square, [child(empty)?, child(stone)?]),
        _ => View::Ternary(square, [child(empty)?, child(stone)?, child(ball)?]),
    })
}

/// True if a node may have its children on its square.
fn fits(graph: &Graph, view: &View<Ref>) -> bool {
    let length = graph.length();
    match *view {
        View::Bottom | View::Top => false,
        View::Ternary(square, [empty, stone, ball]) => {
            let goal = square == 0 || square + 1 == length;
            let before = |child: Ref| {
                child == Ref::BOTTOM || graph.is_ternary(child) && graph.level(child) == square + 1
            };
            let is_after = !graph.is_ternary(ball) && graph.level(ball) > square;
            square < length && before(empty) && before(stone) && is_after && !(goal && ball != Ref::BOTTOM)
        }
        View::Binary(square, children) => {
            let mut below = children.into_iter();
            square < length && below.all(|child| !graph.is_ternary(child) && graph.level(child) > square)
        }
    }
}

/// The nodes of a list in progress.
struct List<'a> {
    graph: &'a Graph,
    nodes: Vec<u8>,
    numbers: HashMap<Ref, u32>,
}

impl List<'_> {
    fn number(&mut self, at: Ref) -> u32 {
        if let Some(&number) = self.numbers.get(&at) {
            return number;
        }
        let (square, [empty, stone, ball]) = match self.graph.view(at) {
            View::Bottom | View::Top => unreachable!("leaves have their numbers"),
            View::Ternary(square, children) => (square, children.map(|child| self.number(child))),
            View::Binary(square, [empty, stone]) => {
                (square, [self.number(empty), self.number(stone), NO_BALL])
            }
        };
        let number = self.numbers.len() as u32;
        self.nodes.push(square as u8);
        for child in [empty, stone, ball] {
            self.nodes.extend(child.to_le_bytes());
        }
        self.numbers.insert(at, number);
        number
    }
}

//! Checkpoints: the work on one length in a file, between two steps.
//!
//! What a solver needs to go on is a few sets and a few numbers. The nodes of the sets are written children first, so that
//! reading them is making them again. In a [container](crate::table::container), all numbers little-endian:
//!
//! ```text
//!     nodes      square (1 byte), empty, stone, ball (4 bytes each; ball all ones where there is none)
//!     roots      4 bytes each
//! ```

use super::SymbolicError;
use super::algebra::Algebra;
use super::store::{Full, Id, Limits};
use super::{begin, stopped};
use crate::diagram::{Diagram, View};
use crate::table::container::Kind;
use crate::table::container::read::Container;
use crate::table::container::write::write_file;
use crate::table::error::{ResumeError, TableError};
use bincode::{Decode, Encode};
use hashbrown::HashMap;
use std::path::Path;

/// Numbers of the leaves; nodes are numbered after them.
const LEAVES: usize = 2;
/// Bytes of a node.
const NODE_BYTES: usize = 13;
/// The ball child of a node without one.
const NO_BALL: u32 = u32::MAX;

/// Why work cannot go on from a checkpoint.
pub type CheckpointError = ResumeError<SymbolicError>;

/// What is said of the sets.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
struct Metadata {
    /// Which solver.
    solver: String,
    /// The number of squares.
    length: u16,
    /// What the solver counts.
    numbers: Vec<u64>,
}

/// A solver between two steps.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Saved {
    metadata: Metadata,
    /// The nodes, as they stand in the file.
    nodes: Vec<[u8; NODE_BYTES]>,
    /// The sets.
    roots: Vec<u32>,
}

impl Saved {
    /// The state of a solver with these numbers and sets.
    pub fn new(solver: &str, algebra: &Algebra, numbers: Vec<u64>, roots: &[Id]) -> Saved {
        let mut saved = Saved {
            metadata: Metadata {
                solver: solver.to_string(),
                length: algebra.length() as u16,
                numbers,
            },
            nodes: Vec::new(),
            roots: Vec::new(),
        };
        let mut known = HashMap::new();
        saved.roots = (roots.iter())
            .map(|&root| saved.number(algebra, root, &mut known))
            .collect();
        saved
    }

    /// What the solver counts.
    pub fn numbers(&self) -> &[u64] {
        &self.metadata.numbers
    }

    fn number(&mut self, algebra: &Algebra, at: Id, known: &mut HashMap<Id, u32>) -> u32 {
        if let Some(&number) = known.get(&at) {
            return number;
        }
        let mut below = |at| self.number(algebra, at, known);
        let (level, children) = match algebra.store().view(at) {
            View::Bottom => return 0,
            View::Top => return 1,
            View::Ternary {
                level,
                empty,
                stone,
                ball,
            } => (level, [below(empty), below(stone), below(ball)]),
            View::Binary { level, empty, stone } => (level, [below(empty), below(stone), NO_BALL]),
        };
        let mut node = [level as u8; NODE_BYTES];
        node[1..].copy_from_slice(children.map(u32::to_le_bytes).as_flattened());
        self.nodes.push(node);
        let number = (LEAVES + self.nodes.len() - 1) as u32;
        known.insert(at, number);
        number
    }

    /// Writes it in place of what `file` names.
    ///
    /// # Errors
    /// [`TableError::Io`]; what was there before is then still there.
    pub fn write(&self, file: &Path) -> Result<(), CheckpointError> {
        let roots: Vec<[u8; 4]> = self.roots.iter().map(|root| root.to_le_bytes()).collect();
        write_file(file, Kind::SymbolicCheckpoint, |out| {
            out.section("nodes", self.nodes.as_flattened())?;
            out.section("roots", roots.as_flattened())?;
            Ok(self.metadata.clone())
        })?;
        Ok(())
    }

    /// Reads one of the given solver and length.
    ///
    /// # Errors
    /// [`CheckpointError`].
    pub fn read(file: &Path, solver: &str, length: usize) -> Result<Saved, CheckpointError> {
        let container = Container::open(file)?;
        let metadata: Metadata = container.metadata(Kind::SymbolicCheckpoint)?;
        let words = |solver: &str, length: usize| format!("{solver} of length {length}");
        let (found, expected) = (
            words(&metadata.solver, metadata.length.into()),
            words(solver, length),
        );
        if found != expected {
            return Err(container.foreign("the work", found, expected).into());
        }
        let [nodes, roots] = container.sections(["nodes", "roots"])?;
        let (node_bytes, root_bytes) = (container.read(nodes)?, container.read(roots)?);
        let (all, rest) = node_bytes.as_chunks::<NODE_BYTES>();
        let (sets, more) = root_bytes.as_chunks::<4>();
        if !rest.is_empty() || !more.is_empty() {
            return Err(container.wrong_length(nodes).into());
        }
        Ok(Saved {
            metadata,
            nodes: all.to_vec(),
            roots: sets.iter().map(|&root| u32::from_le_bytes(root)).collect(),
        })
    }

    /// Makes the nodes again, and returns the sets.
    ///
    /// # Errors
    /// [`CheckpointError`].
    pub fn restore(&self, limits: Limits, file: &Path) -> Result<(Algebra, Vec<Id>), CheckpointError> {
        let mut algebra = begin(self.metadata.length.into(), limits).map_err(ResumeError::Engine)?;
        let wrong = || unusable(file, "a node stands where it cannot");
        let mut made = vec![Id::BOTTOM, Id::TOP];
        for &[level, a, b, c, d, e, f, g, h, i, j, k, l] in &self.nodes {
            let level = usize::from(level);
            let child = |bytes| match u32::from_le_bytes(bytes) {
                NO_BALL => Ok(None),
                number => made.get(number as usize).copied().map(Some).ok_or_else(wrong),
            };
            let children = (child([a, b, c, d])?, child([e, f, g, h])?, child([i, j, k, l])?);
            let (Some(empty), Some(stone), ball) = children else {
                return Err(wrong());
            };
            if !fits(&algebra, level, empty, stone, ball) {
                return Err(wrong());
            }
            let node = match ball {
                Some(ball) => algebra.store.ternary(level, empty, stone, ball),
                None => algebra.store.binary(level, empty, stone),
            };
            made.push(node.map_err(|Full| ResumeError::Engine(stopped(&algebra)))?);
        }
        let is_set = |&root: &Id| match algebra.store().view(root) {
            View::Bottom => true,
            View::Ternary { level, .. } => level == 0,
            View::Top | View::Binary { .. } => false,
        };
        let roots = (self.roots.iter())
            .map(|&root| made.get(root as usize).copied().filter(is_set).ok_or_else(wrong))
            .collect::<Result<_, _>>()?;
        Ok((algebra, roots))
    }
}

/// The error of a checkpoint whose contents cannot be.
pub(super) fn unusable(file: &Path, field: &str) -> CheckpointError {
    ResumeError::File(TableError::Corrupt {
        file: file.to_path_buf(),
        field: field.to_string(),
    })
}

/// Whether children may stand below a node on a square.
fn fits(algebra: &Algebra, level: usize, empty: Id, stone: Id, ball: Option<Id>) -> bool {
    let further_right = |at: Id| match algebra.store().view(at) {
        View::Bottom | View::Top => true,
        View::Binary { level: below, .. } => below > level,
        View::Ternary { .. } => false,
    };
    let next_square = |at: Id| match algebra.store().view(at) {
        View::Bottom => true,
        View::Ternary { level: below, .. } => below == level + 1,
        View::Top | View::Binary { .. } => false,
    };
    level < algebra.length()
        && match ball {
            Some(ball) => next_square(empty) && next_square(stone) && further_right(ball),
            None => further_right(empty) && further_right(stone),
        }
}

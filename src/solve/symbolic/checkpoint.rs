//! Checkpoints: the work on one length in a file, between two steps.
//!
//! What a solver needs to go on is a few sets and a few numbers. The nodes of the sets are written children first, so that
//! reading them is making them again. The file is replaced as a whole or not at all:
//!
//! ```text
//!     magic      8 bytes
//!     version    u32, little-endian
//!     CRC-32     u32, of all that follows
//!     state      bincode, see `Saved`
//! ```

use super::SymbolicError;
use super::algebra::Algebra;
use super::store::{Full, Id, Limits};
use super::{begin, stopped};
use crate::diagram::{Diagram, View};
use crate::disk::replace_file;
use bincode::{Decode, Encode};
use hashbrown::HashMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const MAGIC: [u8; 8] = *b"phut\x00dia";
/// The version of the format that is written, and the only one that is read: a checkpoint outlives no release.
const VERSION: u32 = 1;
const HEADER_BYTES: usize = 16;
/// Numbers of the leaves; nodes are numbered after them.
const LEAVES: usize = 2;

/// Why a checkpoint could not be written or resumed.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The system refused.
    #[error("checkpoint '{}': cannot {doing}: {source}", file.display())]
    Io {
        /// The checkpoint.
        file: PathBuf,
        /// What was tried.
        doing: &'static str,
        /// The system's error.
        source: io::Error,
    },
    /// The file is something else, of another version, of another length, or damaged.
    #[error("checkpoint '{}': {reason}: delete it to start this length anew", file.display())]
    Unusable {
        /// The checkpoint.
        file: PathBuf,
        /// What is wrong.
        reason: &'static str,
    },
    /// Its diagrams do not fit.
    #[error(transparent)]
    Symbolic(#[from] SymbolicError),
}

/// A solver between two steps.
#[derive(Debug, PartialEq, Eq, Encode, Decode)]
pub(super) struct Saved {
    /// Which solver.
    pub solver: String,
    /// The number of squares.
    pub length: u64,
    /// What the solver counts.
    pub numbers: Vec<u64>,
    /// Square, empty, stone, and ball where there is one; children before parents.
    nodes: Vec<(u8, u32, u32, Option<u32>)>,
    /// The sets.
    roots: Vec<u32>,
}

impl Saved {
    /// The state of a solver with these numbers and sets.
    pub fn new(solver: &str, algebra: &Algebra, numbers: Vec<u64>, roots: &[Id]) -> Saved {
        let mut saved = Saved {
            solver: solver.to_string(),
            length: algebra.length() as u64,
            numbers,
            nodes: Vec::new(),
            roots: Vec::new(),
        };
        let mut known = HashMap::new();
        saved.roots = (roots.iter())
            .map(|&root| saved.number(algebra, root, &mut known))
            .collect();
        saved
    }

    fn number(&mut self, algebra: &Algebra, at: Id, known: &mut HashMap<Id, u32>) -> u32 {
        if let Some(&number) = known.get(&at) {
            return number;
        }
        let node = match algebra.store().view(at) {
            View::Bottom => return 0,
            View::Top => return 1,
            View::Ternary {
                level,
                empty,
                stone,
                ball,
            } => {
                let (empty, stone) = (
                    self.number(algebra, empty, known),
                    self.number(algebra, stone, known),
                );
                (level as u8, empty, stone, Some(self.number(algebra, ball, known)))
            }
            View::Binary { level, empty, stone } => {
                let (empty, stone) = (
                    self.number(algebra, empty, known),
                    self.number(algebra, stone, known),
                );
                (level as u8, empty, stone, None)
            }
        };
        self.nodes.push(node);
        let number = (LEAVES + self.nodes.len() - 1) as u32;
        known.insert(at, number);
        number
    }

    /// Writes it in place of what `file` names.
    ///
    /// # Errors
    /// [`CheckpointError::Io`]; what was there before is then still there.
    pub fn write(&self, file: &Path) -> Result<(), CheckpointError> {
        let state = bincode::encode_to_vec(self, bincode::config::standard()).expect("numbers always encode");
        let whole = [
            &MAGIC[..],
            &VERSION.to_le_bytes(),
            &crc32fast::hash(&state).to_le_bytes(),
            &state,
        ]
        .concat();
        replace_file(file, ".checkpoint-", |out| out.write_all(&whole))
            .map_err(|error| io_error(file, error.doing)(error.source))
    }

    /// Reads one of the given solver and length.
    ///
    /// # Errors
    /// [`CheckpointError`].
    pub fn read(file: &Path, solver: &str, length: usize) -> Result<Saved, CheckpointError> {
        let whole = std::fs::read(file).map_err(io_error(file, "read it"))?;
        let unusable = |reason| CheckpointError::Unusable {
            file: file.to_path_buf(),
            reason,
        };
        let (header, state) = whole
            .split_first_chunk::<HEADER_BYTES>()
            .filter(|(header, _)| header.starts_with(&MAGIC))
            .ok_or_else(|| unusable("it does not begin as a checkpoint does"))?;
        if header[8..12] != VERSION.to_le_bytes() {
            return Err(unusable("another version of phutbase wrote it"));
        }
        if header[12..] != crc32fast::hash(state).to_le_bytes() {
            return Err(unusable("damaged, its checksum is wrong"));
        }
        // The bytes are those that were written, so a length in them is no larger than the file.
        let (saved, used): (Saved, usize) = bincode::decode_from_slice(state, bincode::config::standard())
            .map_err(|_| unusable("it cannot be read"))?;
        if used != state.len() {
            return Err(unusable("it cannot be read"));
        }
        if saved.solver != solver || saved.length != length as u64 {
            return Err(unusable("it is of another length or metric"));
        }
        Ok(saved)
    }

    /// Makes the nodes again, and returns the sets.
    ///
    /// # Errors
    /// [`CheckpointError`].
    pub fn restore(&self, limits: Limits, file: &Path) -> Result<(Algebra, Vec<Id>), CheckpointError> {
        let mut algebra = begin(self.length as usize, limits)?;
        let unusable = || CheckpointError::Unusable {
            file: file.to_path_buf(),
            reason: "its diagrams are none",
        };
        let mut made = vec![Id::BOTTOM, Id::TOP];
        for &(level, empty, stone, ball) in &self.nodes {
            let child = |number: u32| made.get(number as usize).copied().ok_or_else(unusable);
            let (empty, stone) = (child(empty)?, child(stone)?);
            let ball = ball.map(child).transpose()?;
            if !fits(&algebra, level.into(), empty, stone, ball) {
                return Err(unusable());
            }
            let node = match ball {
                Some(ball) => algebra.store.ternary(level.into(), empty, stone, ball),
                None => algebra.store.binary(level.into(), empty, stone),
            };
            made.push(node.map_err(|Full| stopped(&algebra))?);
        }
        let roots = (self.roots.iter())
            .map(|&root| made.get(root as usize).copied().ok_or_else(unusable))
            .collect::<Result<_, _>>()?;
        Ok((algebra, roots))
    }
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

/// The error of a deed on a file.
fn io_error(file: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> CheckpointError {
    move |source| CheckpointError::Io {
        file: file.to_path_buf(),
        doing,
        source,
    }
}

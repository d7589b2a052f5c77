//! Checkpoints: the work on one length in a file, between two steps.
//!
//! What a solver needs to go on is a few sets. The nodes of the sets are written children first, so that
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
use super::portable::{Malformed, Portable};
use super::store::{Id, Limits, Store};
use super::{begin, stopped};
use crate::disk::replace_file;
use bincode::{Decode, Encode};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const MAGIC: [u8; 8] = *b"phut\x00dia";
/// The version of the format that is written, and the only one that is read: a checkpoint outlives no release.
const VERSION: u32 = 2;
const HEADER_BYTES: usize = 16;

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
    solver: String,
    /// The number of squares.
    length: u64,
    /// The sets.
    sets: Portable,
}

impl Saved {
    /// The state of a solver that is these sets.
    pub fn new(solver: &str, store: &Store, roots: &[Id]) -> Saved {
        Saved {
            solver: solver.to_string(),
            length: store.length() as u64,
            sets: Portable::of(store, roots),
        }
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
        let whole = saved.sets.check(length);
        whole.map_err(|Malformed| unusable("its diagrams are not sets of boards"))?;
        Ok(saved)
    }

    /// Makes the nodes again, and returns the sets.
    ///
    /// # Errors
    /// [`SymbolicError`].
    pub fn restore(&self, limits: Limits) -> Result<(Algebra, Vec<Id>), SymbolicError> {
        let mut algebra = begin(self.length as usize, limits)?;
        let sets = self
            .sets
            .make(&mut algebra.store, 0)
            .map_err(|_| stopped(&algebra))?;
        Ok((algebra, sets))
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

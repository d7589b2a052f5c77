//! Checkpoints: the work on one length in a file, between two plies.
//!
//! A long length takes days, and machines stop. [`Solver::save`] writes everything that the next ply needs into one
//! file, and a solver resumed from it goes on as if nothing had happened. The file is made under a temporary name,
//! flushed to the disk and then renamed, so whenever the process dies, the name leads to the checkpoint before or to
//! the new one, never to half of one.
//!
//! All numbers are little-endian:
//!
//! ```text
//!     magic                     8 bytes
//!     version, length, slice bits, plies                       u32 each
//!     sets, states of the one plane; sets, states of the other u32 each
//!     new positions of each ply                                u64 each
//!     for each plane, Left to move first:
//!         sets                  64 × u64 each
//!         states                before, set, ply: u32 each
//!         changed               a u64 for each block number
//!         states of the blocks  a u32 each, slice by slice
//!     CRC-32 of all the above   u32
//! ```
//!
//! What every pool begins with (the empty and the full set, the state 'nothing decided') is neither written nor
//! counted; what follows from a set (what placing a stone leads to) is computed again.
//!
//! The header says how long the file must be, and nothing is allocated before its length is found right. No number
//! is used as an index before it is known to be in range, and no solver is handed out before the checksum holds.

mod resume;

use super::block::Block;
use super::layout::Layout;
use super::planes::PlaneStore;
use super::pool::Pool;
use super::{DenseError, Solver};
use crate::disk::replace_file;
use std::fs::File;
use std::io::{self, BufWriter, IntoInnerError, Read, Write};
use std::path::{Path, PathBuf};

/// The first bytes of every checkpoint.
const MAGIC: [u8; 8] = *b"phut\x00ckp";
/// The version of the format that is written, and the only one that is read: a checkpoint outlives no release.
const VERSION: u32 = 1;
/// The magic and eight numbers.
const HEADER_BYTES: u64 = 8 + 8 * 4;
/// The checksum at the end.
const SUM_BYTES: u64 = 4;
/// Three numbers.
const LIFE_BYTES: u64 = 3 * 4;
/// Bytes that are read, written and summed at a time.
const BUFFER_BYTES: usize = 1 << 18;

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
    /// The file is something else.
    #[error(
        "'{}' does not begin as a checkpoint does: name another, or delete it to start this length anew",
        file.display()
    )]
    NotACheckpoint {
        /// The file.
        file: PathBuf,
    },
    /// Another version of the format.
    #[error(
        "checkpoint '{}': format version {found}, but this program reads {VERSION}: resume with the phutbase that \
         wrote it, or delete it to start this length anew",
        file.display()
    )]
    Version {
        /// The checkpoint.
        file: PathBuf,
        /// Its version.
        found: u32,
    },
    /// Bytes are missing or too many.
    #[error(
        "checkpoint '{}': {found} bytes long, but its header asks for {expected}: delete it to start this length \
         anew",
        file.display()
    )]
    WrongSize {
        /// The checkpoint.
        file: PathBuf,
        /// Its size in bytes.
        found: u64,
        /// The size that its header implies.
        expected: u64,
    },
    /// The bytes are not those that were written.
    #[error(
        "checkpoint '{}': damaged, its checksum is {found:08x} where {expected:08x} was written: delete it to start \
         this length anew",
        file.display()
    )]
    Checksum {
        /// The checkpoint.
        file: PathBuf,
        /// The CRC-32 of what was read.
        found: u32,
        /// The CRC-32 that the file ends with.
        expected: u32,
    },
    /// A number that cannot be.
    #[error(
        "checkpoint '{}': {field} is {found}, which must be {allowed}: delete it to start this length anew",
        file.display()
    )]
    Field {
        /// The checkpoint.
        file: PathBuf,
        /// What the number means.
        field: &'static str,
        /// The number.
        found: String,
        /// What it may be.
        allowed: String,
    },
    /// The memory or the disk space for the planes was refused.
    #[error(transparent)]
    Dense(#[from] DenseError),
}

/// How much of a pool is in a checkpoint: what it holds beyond a new pool.
#[derive(Clone, Copy)]
struct PoolSize {
    sets: u32,
    states: u32,
}

/// What the first bytes say.
struct Header {
    layout: Layout,
    plies: u32,
    /// Left to move, Right to move.
    pools: [PoolSize; 2],
}

impl Header {
    /// The numbers after the magic, in the order of the file.
    fn numbers(&self) -> [u32; 8] {
        let [left, right] = self.pools;
        [
            VERSION,
            self.layout.length() as u32,
            self.layout.slice_bits() as u32,
            self.plies,
            left.sets,
            left.states,
            right.sets,
            right.states,
        ]
    }

    /// The size of the whole file.
    fn file_bytes(&self) -> u64 {
        let plane = (8 << self.layout.high_bits()) + self.layout.plane_bytes();
        let pool = |size: PoolSize| {
            u64::from(size.sets) * size_of::<Block>() as u64 + u64::from(size.states) * LIFE_BYTES
        };
        let planes: u64 = self.pools.iter().map(|&size| pool(size) + plane).sum();
        HEADER_BYTES + u64::from(self.plies) * 8 + planes + SUM_BYTES
    }
}

/// A file and the checksum of what has passed to or from it.
struct Summed<F> {
    file: F,
    sum: crc32fast::Hasher,
}

impl<F> Summed<F> {
    fn new(file: F) -> Summed<F> {
        Summed {
            file,
            sum: crc32fast::Hasher::new(),
        }
    }
}

impl<F: Write> Write for Summed<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.sum.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl<F: Read> Read for Summed<F> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(bytes)?;
        self.sum.update(&bytes[..read]);
        Ok(read)
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

impl<S: PlaneStore> Solver<S> {
    /// Writes a checkpoint, in place of the one that `path` names if there is one.
    ///
    /// It is written beside `path`, so the disk must hold both. A process that is killed meanwhile leaves a file
    /// `.checkpoint-….partial` there, which nothing needs.
    ///
    /// # Errors
    /// [`CheckpointError::Io`]; what `path` named before is then still there.
    pub fn save(&self, path: &Path) -> Result<(), CheckpointError> {
        replace_file(path, ".checkpoint-", |file| self.write_to(file))
            .map_err(|error| io_error(path, error.doing)(error.source))
    }

    fn header(&self) -> Header {
        let [left, right] = &self.sides;
        let size = |pool: &Pool| PoolSize {
            sets: (pool.sets() - Pool::FIRST_SETS) as u32,
            states: (pool.states() - Pool::FIRST_STATES) as u32,
        };
        Header {
            layout: self.layout,
            plies: self.counts.len() as u32,
            pools: [size(&left.pool), size(&right.pool)],
        }
    }

    fn write_to(&self, file: &mut File) -> io::Result<()> {
        let mut out = BufWriter::with_capacity(BUFFER_BYTES, Summed::new(file));
        out.write_all(&MAGIC)?;
        for number in self.header().numbers() {
            out.write_all(&number.to_le_bytes())?;
        }
        for count in &self.counts {
            out.write_all(&count.to_le_bytes())?;
        }
        for side in &self.sides {
            write_pool(&side.pool, &mut out)?;
            for balls in &side.changed {
                out.write_all(&balls.to_le_bytes())?;
            }
            for slice in 0..self.layout.slices() {
                for state in side.plane.slice(slice) {
                    out.write_all(&state.0.to_le_bytes())?;
                }
            }
        }
        let Summed { file, sum } = out.into_inner().map_err(IntoInnerError::into_error)?;
        file.write_all(&sum.finalize().to_le_bytes())
    }
}

fn write_pool(pool: &Pool, out: &mut impl Write) -> io::Result<()> {
    for set in &pool.all_sets()[Pool::FIRST_SETS..] {
        for word in set.0 {
            out.write_all(&word.to_le_bytes())?;
        }
    }
    for life in &pool.lives()[Pool::FIRST_STATES..] {
        for number in [life.before.0, life.set.0, life.ply.into()] {
            out.write_all(&number.to_le_bytes())?;
        }
    }
    Ok(())
}

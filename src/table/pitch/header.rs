//! The fixed header of a pitch table, the description and the index at its end; `docs/PITCH.md` has them byte by byte.

use super::super::error::TableError;
use crate::games::pitch::{Shape, positions};
use bincode::{Decode, Encode};
use std::path::Path;

/// The first bytes of every pitch table.
pub const MAGIC: [u8; 8] = *b"PHUTPTCH";
/// The only format version so far.
pub const VERSION: u16 = 1;
/// Game number of the pitch.
const GAME_PITCH: u8 = 2;
/// Metric number of depth to win.
const METRIC_DTW: u8 = 1;
/// Bytes in the header.
pub const HEADER_BYTES: usize = 64;
/// The bytes that the header's own checksum covers.
const CHECKED_BYTES: usize = 60;
/// Bytes of an entry of the index: where the block ends in the payload, CRC-32 of its compressed bytes.
pub const INDEX_ENTRY: usize = 12;
/// log2 of the depth bytes in a block, at most.
const MAX_BLOCK_BITS: usize = 16;

/// The fixed header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The size of the pitch.
    pub shape: Shape,
    /// Positions with Alfred to move that he wins.
    pub wins: u64,
    /// Positions with Alfred to move that he loses.
    pub losses: u64,
    /// Positions with Alfred to move that are draws.
    pub draws: u64,
    /// The longest win with Alfred to move, in plies; 0 if there is none.
    pub longest_win: u16,
    /// The longest loss with Alfred to move, in plies; 0 if there is none.
    pub longest_loss: u16,
    /// Bytes of the description.
    pub description_bytes: u32,
    /// Bytes of the whole file.
    pub file_bytes: u64,
    /// CRC-32 of the index and the description.
    pub tail_crc: u32,
}

/// What made the table, and what it says in short.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Description {
    /// Program and version.
    pub generator: String,
    /// The engine that found the values.
    pub engine: String,
    /// The point of each bit of a pattern; points are numbered row by row from the bottom.
    pub order: Vec<u16>,
    /// How many positions with Alfred to move are decided in 1, 2, 3 … plies.
    pub depths: Vec<u64>,
    /// A position won in the most plies, in notation; empty if none is won.
    pub longest_win: String,
}

/// log2 of the depth bytes in a block.
pub fn block_bits(shape: Shape) -> usize {
    (shape.points() - 1).min(MAX_BLOCK_BITS)
}

/// The interior points in the left half, the middle column included, row by row from the bottom: the balls that a
/// table stores, the mirror having the others.
pub fn stored_balls(shape: Shape) -> Vec<usize> {
    let half = shape.columns().div_ceil(2);
    let interior = shape.interior();
    interior.filter(|&ball| shape.column(ball) < half).collect()
}

/// The number of blocks.
pub fn blocks(shape: Shape) -> u64 {
    (stored_balls(shape).len() as u64) << (shape.points() - 1 - block_bits(shape))
}

impl Description {
    /// The bytes in the file: bincode 2, its standard configuration.
    pub(super) fn encode(&self) -> Vec<u8> {
        bincode::encode_to_vec(self, bincode::config::standard()).expect("strings and numbers always encode")
    }

    /// Reads the bytes of [`encode`](Description::encode); `None` if they are not that.
    pub(super) fn decode(bytes: &[u8]) -> Option<Description> {
        const LIMIT: usize = 1 << 20;
        let config = bincode::config::standard().with_limit::<LIMIT>();
        let (description, used) = bincode::decode_from_slice(bytes, config).ok()?;
        (used == bytes.len()).then_some(description)
    }

    /// Whether every point of the pitch has exactly one bit.
    pub(super) fn order_is_whole(&self, shape: Shape) -> bool {
        let mut points: Vec<usize> = self.order.iter().map(|&point| point.into()).collect();
        points.sort_unstable();
        points.into_iter().eq(0..shape.points())
    }
}

impl Header {
    /// The header as it stands at the start of the file.
    pub(super) fn encode(&self) -> [u8; HEADER_BYTES] {
        let mut bytes = Vec::with_capacity(HEADER_BYTES);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([GAME_PITCH, METRIC_DTW]);
        bytes.extend([self.shape.rows() as u8, self.shape.columns() as u8]);
        bytes.extend([block_bits(self.shape) as u8, 0]);
        for count in [self.wins, self.losses, self.draws] {
            bytes.extend(count.to_le_bytes());
        }
        bytes.extend(self.longest_win.to_le_bytes());
        bytes.extend(self.longest_loss.to_le_bytes());
        bytes.extend(self.description_bytes.to_le_bytes());
        bytes.extend(self.file_bytes.to_le_bytes());
        bytes.extend(self.tail_crc.to_le_bytes());
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        let mut header = [0; HEADER_BYTES];
        header.copy_from_slice(&bytes);
        header
    }

    /// Reads and checks the header of a file's bytes, its size included.
    ///
    /// # Errors
    /// [`TableError`] if the file is no pitch table, is newer, of another size, or damaged.
    pub(super) fn decode(file_bytes: &[u8], file: &Path) -> Result<Header, TableError> {
        let corrupt = |field: &str| TableError::Corrupt {
            file: file.to_path_buf(),
            field: field.to_string(),
        };
        if file_bytes.is_empty() || !file_bytes.starts_with(&MAGIC[..file_bytes.len().min(MAGIC.len())]) {
            return Err(TableError::NotATable {
                file: file.to_path_buf(),
            });
        }
        let wrong_size = |expected: u64| TableError::WrongSize {
            file: file.to_path_buf(),
            found: file_bytes.len() as u64,
            expected,
        };
        let Some(bytes) = file_bytes.first_chunk::<HEADER_BYTES>() else {
            return Err(wrong_size(HEADER_BYTES as u64));
        };
        // The version comes before all else: a newer format may have another shape.
        let version = u16::from_le_bytes([bytes[8], bytes[9]]);
        if version > VERSION {
            return Err(TableError::NewerVersion {
                file: file.to_path_buf(),
                found: version,
                supported: VERSION,
            });
        }
        if crc32fast::hash(&bytes[..CHECKED_BYTES]) != number::<4>(bytes, CHECKED_BYTES) as u32 {
            return Err(corrupt("the header's checksum is wrong"));
        }
        let shape =
            Shape::new(bytes[12].into(), bytes[13].into()).ok_or_else(|| corrupt("its size is no pitch"))?;
        let known = (version, bytes[10], bytes[11], bytes[15]) == (VERSION, GAME_PITCH, METRIC_DTW, 0);
        if !known || usize::from(bytes[14]) != block_bits(shape) {
            return Err(corrupt("unknown version, game, metric or block size"));
        }
        let header = Header {
            shape,
            wins: number::<8>(bytes, 16),
            losses: number::<8>(bytes, 24),
            draws: number::<8>(bytes, 32),
            longest_win: number::<2>(bytes, 40) as u16,
            longest_loss: number::<2>(bytes, 42) as u16,
            description_bytes: number::<4>(bytes, 44) as u32,
            file_bytes: number::<8>(bytes, 48),
            tail_crc: number::<4>(bytes, 56) as u32,
        };
        if header.file_bytes != file_bytes.len() as u64 {
            return Err(wrong_size(header.file_bytes));
        }
        let counted = u128::from(header.wins) + u128::from(header.losses) + u128::from(header.draws);
        // Sixty-odd points are more than any file has, and more than a block number holds.
        if shape.points() > 60 || positions(shape) != Some(counted) {
            return Err(corrupt("its counts do not add up to the positions of its size"));
        }
        Ok(header)
    }
}

/// A little-endian number of `N` bytes.
pub(super) fn number<const N: usize>(bytes: &[u8], at: usize) -> u64 {
    bytes[at..at + N]
        .iter()
        .rev()
        .fold(0, |number, &byte| number << 8 | u64::from(byte))
}

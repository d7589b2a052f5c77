//! One container for every file: tables and checkpoints.
//!
//! ```text
//!     header (32 bytes) | section | section | … | directory | metadata
//! ```
//!
//! The header says what kind of file it is, by which rules its game is played, and where the directory begins; the directory names the sections, which
//! stand one after the other without gaps, each with its CRC-32; the metadata says what the sections mean. So every byte
//! is under a checksum, and whatever a file claims is held against its own size before anything is allocated for it.
//! `docs/FORMAT.md` has it byte by byte.
//!
//! * [`write`](mod@write) — making a file: whole or not at all;
//! * [`read`] — opening one, from a disk or from memory;
//! * [`blocks`] — a long section in frames of zstd, read frame by frame;
//! * [`cache`] — unpacked frames in memory.

pub mod blocks;
pub mod cache;
pub mod read;
#[cfg(feature = "cli")]
pub mod write;

use bincode::{Decode, Encode};

/// The first bytes of every file.
pub const MAGIC: [u8; 8] = *b"PHUTBASE";
/// The format version that is written, and the only one that is read.
pub const VERSION: u16 = 4;
/// Bytes in the header.
pub const HEADER_BYTES: usize = 32;
/// The most bytes of directory and metadata together.
pub const MAX_TAIL_BYTES: usize = 1 << 24;
/// What writes the files, for their metadata.
pub const GENERATOR: &str = concat!("phutbase ", env!("CARGO_PKG_VERSION"));

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// The values of strips.
    Strip = 1,
    /// The values of a pitch.
    Pitch = 2,
    /// Nimbers of Obstruction.
    Nimbers = 3,
    /// Unfinished work of the pitch engine.
    PitchCheckpoint = 4,
    /// Unfinished work of the symbolic engine.
    SymbolicCheckpoint = 5,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 5] = [
        Kind::Strip,
        Kind::Pitch,
        Kind::Nimbers,
        Kind::PitchCheckpoint,
        Kind::SymbolicCheckpoint,
    ];

    fn from_number(number: u8) -> Option<Kind> {
        Kind::ALL.into_iter().find(|&kind| kind as u8 == number)
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Kind::Strip => "a table of strips",
            Kind::Pitch => "a table of a pitch",
            Kind::Nimbers => "a table of nimbers",
            Kind::PitchCheckpoint => "a checkpoint of the pitch engine",
            Kind::SymbolicCheckpoint => "a checkpoint of the symbolic engine",
        })
    }
}

/// A part of the file with its checksum.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Section {
    /// What it holds.
    pub name: String,
    /// Bytes from the start of the file.
    pub offset: u64,
    /// Length in bytes.
    pub bytes: u64,
    /// CRC-32 of those bytes.
    pub crc: u32,
}

/// The bytes of a value in the file: bincode 2, its standard configuration.
fn encode(value: &impl Encode) -> Vec<u8> {
    bincode::encode_to_vec(value, bincode::config::standard()).expect("strings and numbers always encode")
}

/// Reads a value from the front of some bytes: the value, and the bytes that follow it. `None` if they do not begin with
/// what [`encode`] makes of a value.
fn decode<T: Encode + Decode<()>>(bytes: &[u8]) -> Option<(T, &[u8])> {
    // A length in the bytes allocates no more than this.
    let config = bincode::config::standard().with_limit::<MAX_TAIL_BYTES>();
    let (value, used) = bincode::decode_from_slice(bytes, config).ok()?;
    let (read, rest) = bytes.split_at(used);
    (encode(&value) == read).then_some((value, rest))
}

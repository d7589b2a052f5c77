//! The container format of all files: tables and checkpoints.
//!
//! ```text
//!     header (32 bytes) | section | section | … | directory | metadata
//! ```
//!
//! The header has the kind of file, the rules of its game and the position of the directory. The
//! directory lists the sections, which are contiguous, each with its CRC-32; the metadata describe
//! their contents. Every byte is covered by a checksum, and every claimed size is checked against
//! the file's size before memory is allocated. `docs/FORMAT.md` gives the layout byte by byte.

pub mod blocks;
pub mod read;
pub mod write;

use bincode::{Decode, Encode};

/// The first bytes of every file.
pub const MAGIC: [u8; 8] = *b"PHUTBASE";
/// The format version that is written, and the only one that is read.
pub const VERSION: u16 = 4;
/// Size of the header.
pub const HEADER_BYTES: usize = 32;
/// Maximum size of directory and metadata together.
pub const MAX_TAIL_BYTES: usize = 1 << 24;
/// The program name and version for the metadata.
pub const GENERATOR: &str = concat!("phutbase ", env!("CARGO_PKG_VERSION"));

/// The contents of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum FileKind {
    /// A table of strips.
    Strip = 1,
    /// A table of a pitch.
    Pitch = 2,
    /// A table of nimbers.
    Nimbers = 3,
    /// Unfinished work of the pitch engine.
    PitchCheckpoint = 4,
    /// Unfinished depths or levels of strips.
    StripCheckpoint = 5,
}

impl FileKind {
    /// Returns whether files of this kind exist for all rules, not only the ordinary ones.
    fn has_rules(self) -> bool {
        matches!(self, FileKind::Pitch | FileKind::PitchCheckpoint)
    }

    fn from_number(number: u8) -> Option<FileKind> {
        use FileKind::*;
        let all = [Strip, Pitch, Nimbers, PitchCheckpoint, StripCheckpoint];
        all.into_iter().find(|&kind| kind as u8 == number)
    }
}

phutbase_base::outcome::words!(FileKind: Strip = "a table of strips", Pitch = "a table of a pitch",
    Nimbers = "a table of nimbers", PitchCheckpoint = "a checkpoint of the pitch engine",
    StripCheckpoint = "a checkpoint of strips");

/// A part of the file with its checksum.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Section {
    /// Its name, which the kind of file fixes.
    pub name: String,
    /// Bytes from the start of the file.
    pub offset: u64,
    /// Its size.
    pub bytes: u64,
    /// Its CRC-32.
    pub crc: u32,
}

/// Returns true if these bytes have this CRC-32. Under a fuzzer every checksum holds, so that changed
/// bytes reach the code behind it.
fn has_crc(bytes: &[u8], crc: u32) -> bool {
    cfg!(fuzzing) || crc32fast::hash(bytes) == crc
}

/// Encodes a value with bincode 2, standard configuration.
fn encode(value: &impl Encode) -> Vec<u8> {
    bincode::encode_to_vec(value, bincode::config::standard()).expect("strings and numbers always encode")
}

/// Decodes a value from the front of some bytes. Returns it with the remaining bytes, or `None` if
/// they are invalid.
fn decode<T: Encode + Decode<()>>(bytes: &[u8]) -> Option<(T, &[u8])> {
    // Limits the allocation for a length in the bytes.
    let config = bincode::config::standard().with_limit::<MAX_TAIL_BYTES>();
    let (value, used) = bincode::decode_from_slice(bytes, config).ok()?;
    let (read, rest) = bytes.split_at(used);
    (encode(&value) == read).then_some((value, rest))
}

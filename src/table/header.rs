//! The fixed header and the description, as `docs/FORMAT.md` lays them out byte by byte.

use super::Metric;
use super::error::TableError;
use bincode::{Decode, Encode};
use std::collections::BTreeMap;
use std::path::Path;

/// The first bytes of every table.
pub const MAGIC: [u8; 8] = *b"PHUTBASE";
/// The newest format version, and the only one so far.
pub const VERSION: u16 = 1;
/// Bytes in the header.
pub const HEADER_BYTES: usize = 192;
/// The bytes that the header's own checksum covers.
const CHECKED_BYTES: usize = HEADER_BYTES - 4;

/// Game number of the strip.
const GAME_STRIP: u8 = 1;
/// Layout number of the dense payload.
const LAYOUT_DENSE: u8 = 1;

/// A part of the file with its checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Section {
    /// Bytes from the start of the file.
    pub offset: u64,
    /// Length in bytes.
    pub bytes: u64,
    /// CRC-32 of those bytes.
    pub crc: u32,
}

/// Everything that is fixed in size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// What the values say.
    pub metric: Metric,
    /// The number of squares.
    pub length: usize,
    /// Positions with Left to move that Left wins.
    pub wins: u128,
    /// Positions with Left to move that Right wins.
    pub losses: u128,
    /// Positions with Left to move that nobody can force.
    pub draws: u128,
    /// Plies of the longest win; 0 where depths are not stored.
    pub longest_win: u16,
    /// Plies of the longest loss; 0 where depths are not stored.
    pub longest_loss: u16,
    /// The whole file in bytes.
    pub file_bytes: u64,
    /// The description.
    pub description: Section,
    /// The trie of block numbers.
    pub trie: Section,
    /// The frame index.
    pub index: Section,
    /// Different blocks.
    pub blocks: u32,
    /// Bytes in a block.
    pub block_bytes: u32,
    /// Blocks in a frame; the last frame may hold fewer.
    pub frame_blocks: u32,
}

/// What is told about a table beyond its header: where it comes from, and its statistics.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Description {
    /// Program and version that wrote the file.
    pub generator: String,
    /// The engine that found the values.
    pub engine: String,
    /// Parameters of the writing that a reader may want to know, by name.
    pub parameters: BTreeMap<String, String>,
    /// Positions with Left to move by plies to the end; empty where depths are not stored.
    pub depths: BTreeMap<u16, u128>,
    /// A longest win, in notation; empty where depths are not stored or there is none.
    pub longest_win: String,
}

impl Description {
    /// The bytes in the file: bincode 2, its standard configuration.
    pub(super) fn encode(&self) -> Vec<u8> {
        bincode::encode_to_vec(self, bincode::config::standard()).expect("strings and numbers always encode")
    }

    /// Reads the bytes of [`encode`](Description::encode); `None` if they are not that.
    pub(super) fn decode(bytes: &[u8]) -> Option<Description> {
        const LIMIT: usize = 1 << 24;
        let config = bincode::config::standard().with_limit::<LIMIT>();
        let (description, used) = bincode::decode_from_slice(bytes, config).ok()?;
        (used == bytes.len()).then_some(description)
    }
}

impl Header {
    /// The header as it stands at the start of the file.
    pub(super) fn encode(&self) -> [u8; HEADER_BYTES] {
        let mut bytes = Vec::with_capacity(HEADER_BYTES);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([GAME_STRIP, self.metric.code(), LAYOUT_DENSE, 0]);
        bytes.extend((self.length as u16).to_le_bytes());
        for count in [self.wins, self.losses, self.draws] {
            bytes.extend(count.to_le_bytes());
        }
        bytes.extend(self.longest_win.to_le_bytes());
        bytes.extend(self.longest_loss.to_le_bytes());
        for number in [self.blocks, self.block_bytes, self.frame_blocks] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(self.file_bytes.to_le_bytes());
        for section in [self.description, self.trie, self.index] {
            bytes.extend(section.offset.to_le_bytes());
            bytes.extend(section.bytes.to_le_bytes());
            bytes.extend(section.crc.to_le_bytes());
            bytes.extend([0; 4]);
        }
        bytes.resize(CHECKED_BYTES, 0);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes.try_into().expect("the fields fill the header")
    }

    /// Reads and checks the header of a file of `found` bytes.
    ///
    /// # Errors
    /// [`TableError`]: not a table, a newer version, a wrong checksum, a wrong size, sections out of place.
    pub(super) fn decode(bytes: &[u8], file: &Path) -> Result<Header, TableError> {
        let corrupt = |field: &str| TableError::Corrupt {
            file: file.to_path_buf(),
            field: field.to_string(),
        };
        let found = bytes.len() as u64;
        if !bytes.starts_with(&MAGIC[..bytes.len().min(MAGIC.len())]) || bytes.is_empty() {
            return Err(TableError::NotATable {
                file: file.to_path_buf(),
            });
        }
        let Some((head, _)) = bytes.split_first_chunk::<HEADER_BYTES>() else {
            return Err(TableError::WrongSize {
                file: file.to_path_buf(),
                found,
                expected: HEADER_BYTES as u64,
            });
        };
        let mut fields = Fields { rest: &head[8..] };
        // The version comes before the checksum: a newer format may keep its checksum elsewhere.
        let version = u16::from_le_bytes(fields.take());
        if version > VERSION {
            return Err(TableError::NewerVersion {
                file: file.to_path_buf(),
                found: version,
                supported: VERSION,
            });
        }
        let crc = u32::from_le_bytes(head[CHECKED_BYTES..].try_into().expect("four bytes"));
        if crc32fast::hash(&head[..CHECKED_BYTES]) != crc {
            return Err(corrupt("the header's checksum is wrong"));
        }
        if version != VERSION {
            return Err(corrupt("there is no format version 0"));
        }
        let [game, metric, layout, _] = fields.take();
        if game != GAME_STRIP || layout != LAYOUT_DENSE {
            return Err(corrupt("unknown game or layout number"));
        }
        let metric = Metric::from_code(metric).ok_or_else(|| corrupt("unknown metric number"))?;
        let header = fields.header(metric);
        if header.file_bytes != found {
            return Err(TableError::WrongSize {
                file: file.to_path_buf(),
                found,
                expected: header.file_bytes,
            });
        }
        for section in [header.description, header.trie, header.index] {
            let end = section.offset.checked_add(section.bytes);
            if end.is_none_or(|end| end > found) {
                return Err(corrupt("a section lies outside the file"));
            }
        }
        Ok(header)
    }
}

/// The header's fields, read in order. The header is longer than its fields, so there is always a rest.
struct Fields<'a> {
    rest: &'a [u8],
}

impl Fields<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (field, rest) = self
            .rest
            .split_first_chunk()
            .expect("the header is longer than its fields");
        self.rest = rest;
        *field
    }

    fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }

    fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.take())
    }

    fn section(&mut self) -> Section {
        let section = Section {
            offset: self.u64(),
            bytes: self.u64(),
            crc: self.u32(),
        };
        self.take::<4>();
        section
    }

    /// The fields after the metric and layout numbers.
    fn header(&mut self, metric: Metric) -> Header {
        Header {
            metric,
            length: u16::from_le_bytes(self.take()).into(),
            wins: u128::from_le_bytes(self.take()),
            losses: u128::from_le_bytes(self.take()),
            draws: u128::from_le_bytes(self.take()),
            longest_win: u16::from_le_bytes(self.take()),
            longest_loss: u16::from_le_bytes(self.take()),
            blocks: self.u32(),
            block_bytes: self.u32(),
            frame_blocks: self.u32(),
            file_bytes: self.u64(),
            description: self.section(),
            trie: self.section(),
            index: self.section(),
        }
    }
}

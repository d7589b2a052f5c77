//! The fixed header and the description, as `docs/FORMAT.md` lays them out byte by byte.

use super::error::TableError;
use super::{Layout, Metric};
use bincode::{Decode, Encode};
use num_bigint::BigUint;
use num_traits::CheckedSub;
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
/// Bytes of a count: the lower 16 stand together with the others' lower bytes, the upper 8 further on.
const COUNT_BYTES: usize = 24;

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

impl Section {
    /// The section's bytes in a file whose header has been checked.
    pub(super) fn of(self, file: &[u8]) -> &[u8] {
        &file[self.offset as usize..][..self.bytes as usize]
    }
}

/// Everything that is fixed in size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// What the values say.
    pub metric: Metric,
    /// The number of squares.
    pub length: usize,
    /// Positions with Left to move that Left wins.
    pub wins: BigUint,
    /// Positions with Left to move that Right wins.
    pub losses: BigUint,
    /// Positions with Left to move that nobody can force.
    pub draws: BigUint,
    /// Plies of the longest win; 0 where depths are not stored.
    pub longest_win: u16,
    /// Plies of the longest loss; 0 where depths are not stored.
    pub longest_loss: u16,
    /// The whole file in bytes.
    pub file_bytes: u64,
    /// The description.
    pub description: Section,
    /// Where the values are.
    pub payload: Payload,
}

/// The parts of a file that hold the values, by layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payload {
    /// Every position in a block.
    Dense(DensePayload),
    /// Sets as diagrams.
    Diagram(DiagramPayload),
}

/// The payload of the dense layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct DensePayload {
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

/// The payload of the diagram layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct DiagramPayload {
    /// The roots, one for each set.
    pub roots: Section,
    /// The nodes: first the ternary, then the binary ones.
    pub nodes: Section,
    /// Nodes with three children.
    pub ternary: u32,
    /// Nodes with two children.
    pub binary: u32,
    /// Bytes of a node's number.
    pub width: u32,
}

impl Payload {
    /// The layout.
    pub fn layout(&self) -> Layout {
        match self {
            Payload::Dense(_) => Layout::Dense,
            Payload::Diagram(_) => Layout::Diagram,
        }
    }

    /// The three numbers and two sections that stand in the header.
    fn fields(&self) -> ([u32; 3], [Section; 2]) {
        match self {
            Payload::Dense(dense) => (
                [dense.blocks, dense.block_bytes, dense.frame_blocks],
                [dense.trie, dense.index],
            ),
            Payload::Diagram(diagram) => (
                [diagram.ternary, diagram.binary, diagram.width],
                [diagram.roots, diagram.nodes],
            ),
        }
    }

    /// The inverse of [`fields`](Payload::fields).
    fn from_fields(layout: Layout, numbers: [u32; 3], sections: [Section; 2]) -> Payload {
        match layout {
            Layout::Dense => Payload::Dense(DensePayload {
                trie: sections[0],
                index: sections[1],
                blocks: numbers[0],
                block_bytes: numbers[1],
                frame_blocks: numbers[2],
            }),
            Layout::Diagram => Payload::Diagram(DiagramPayload {
                roots: sections[0],
                nodes: sections[1],
                ternary: numbers[0],
                binary: numbers[1],
                width: numbers[2],
            }),
        }
    }
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
    /// The number of positions, with Left to move.
    pub fn positions(&self) -> BigUint {
        all_positions(self.length)
    }

    /// The header as it stands at the start of the file.
    pub(super) fn encode(&self) -> [u8; HEADER_BYTES] {
        let mut bytes = Vec::with_capacity(HEADER_BYTES);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        let layout = self.payload.layout();
        bytes.extend([GAME_STRIP, self.metric.code(), layout.code(), 0]);
        bytes.extend((self.length as u16).to_le_bytes());
        let counts = [&self.wins, &self.losses, &self.draws].map(count_bytes);
        for count in &counts {
            bytes.extend(&count[..16]);
        }
        bytes.extend(self.longest_win.to_le_bytes());
        bytes.extend(self.longest_loss.to_le_bytes());
        let (numbers, [first, second]) = self.payload.fields();
        for number in numbers {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(self.file_bytes.to_le_bytes());
        for section in [self.description, first, second] {
            bytes.extend(section.offset.to_le_bytes());
            bytes.extend(section.bytes.to_le_bytes());
            bytes.extend(section.crc.to_le_bytes());
            bytes.extend([0; 4]);
        }
        for count in &counts {
            bytes.extend(&count[16..]);
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
        let layout = Layout::from_code(layout)
            .filter(|_| game == GAME_STRIP)
            .ok_or_else(|| corrupt("unknown game or layout number"))?;
        let metric = Metric::from_code(metric).ok_or_else(|| corrupt("unknown metric number"))?;
        let header = fields.header(metric, layout);
        if header.file_bytes != found {
            return Err(TableError::WrongSize {
                file: file.to_path_buf(),
                found,
                expected: header.file_bytes,
            });
        }
        let (_, [first, second]) = header.payload.fields();
        for section in [header.description, first, second] {
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
    fn header(&mut self, metric: Metric, layout: Layout) -> Header {
        let length = u16::from_le_bytes(self.take()).into();
        let lower: [[u8; 16]; 3] = [self.take(), self.take(), self.take()];
        let longest_win = u16::from_le_bytes(self.take());
        let longest_loss = u16::from_le_bytes(self.take());
        let numbers = [self.u32(), self.u32(), self.u32()];
        let file_bytes = self.u64();
        let description = self.section();
        let sections = [self.section(), self.section()];
        let [wins, losses, draws] = lower.map(|lower| {
            let upper: [u8; 8] = self.take();
            BigUint::from_bytes_le(&[&lower[..], &upper].concat())
        });
        Header {
            metric,
            length,
            wins,
            losses,
            draws,
            longest_win,
            longest_loss,
            file_bytes,
            description,
            payload: Payload::from_fields(layout, numbers, sections),
        }
    }
}

/// Whether wins, losses and draws are all positions.
pub(super) fn check_counts(header: &Header) -> Result<(), String> {
    if &header.wins + &header.losses + &header.draws != all_positions(header.length) {
        return Err("wins, losses and draws do not add up to the positions".to_string());
    }
    Ok(())
}

/// The number of positions of a length with Left to move: (n − 2) · 2^(n−1).
pub fn all_positions(length: usize) -> BigUint {
    BigUint::from(length.saturating_sub(2)) << length.saturating_sub(1)
}

/// The positions of a length that are neither won nor lost; 0 if a source claims more than there are, which the check of the
/// finished file then refuses.
pub(super) fn neither(length: usize, wins: &BigUint, losses: &BigUint) -> BigUint {
    all_positions(length)
        .checked_sub(&(wins + losses))
        .unwrap_or_default()
}

/// A count as it stands in the header, lower and upper bytes together. The longest strip has fewer than 2^135 positions.
fn count_bytes(count: &BigUint) -> [u8; COUNT_BYTES] {
    let mut bytes = count.to_bytes_le();
    bytes.resize(COUNT_BYTES, 0);
    bytes.try_into().expect("resized to its length")
}

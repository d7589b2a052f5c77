//! Files taken apart and put together again with every checksum made anew, by docs/FORMAT.md and not by the crate: so that only what
//! the bytes say can give an edit away.

use bincode::{Decode, Encode};
use std::collections::BTreeMap;
use std::ops::Range;

/// A file without its checksums.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    pub version: u16,
    pub kind: u16,
    pub sections: Vec<(String, Vec<u8>)>,
    pub metadata: Vec<u8>,
}

/// Name, offset, bytes, CRC-32.
pub type Entry = (String, u64, u64, u32);

fn number(bytes: &[u8]) -> u64 {
    (bytes.iter().rev()).fold(0, |number, &byte| number << 8 | u64::from(byte))
}

pub fn encoded(value: &impl Encode) -> Vec<u8> {
    bincode::encode_to_vec(value, bincode::config::standard()).unwrap()
}

/// The directory of a file.
pub fn directory(bytes: &[u8]) -> (Vec<Entry>, usize) {
    let tail = number(&bytes[16..24]) as usize;
    let (entries, used) = bincode::decode_from_slice(&bytes[tail..], bincode::config::standard()).unwrap();
    (entries, tail + used)
}

impl Parts {
    /// Takes a good file apart.
    pub fn of(bytes: &[u8]) -> Parts {
        let (entries, metadata) = directory(bytes);
        let sections = (entries.into_iter())
            .map(|(name, offset, size, _)| (name, bytes[offset as usize..][..size as usize].to_vec()))
            .collect();
        Parts {
            version: number(&bytes[8..10]) as u16,
            kind: number(&bytes[10..12]) as u16,
            sections,
            metadata: bytes[metadata..].to_vec(),
        }
    }

    /// The file.
    pub fn sealed(&self) -> Vec<u8> {
        let mut end = 32;
        let entries = self.sections.iter().map(|(name, bytes)| {
            let offset = end;
            end += bytes.len() as u64;
            (name.clone(), offset, bytes.len() as u64, crc32fast::hash(bytes))
        });
        let entries: Vec<Entry> = entries.collect();
        self.sealed_with(&entries, end)
    }

    /// The file with any directory.
    pub fn sealed_with(&self, entries: &[Entry], end: u64) -> Vec<u8> {
        let tail = [encoded(&entries.to_vec()), self.metadata.clone()].concat();
        let mut bytes = b"PHUTBASE".to_vec();
        bytes.extend(self.version.to_le_bytes());
        bytes.extend(self.kind.to_le_bytes());
        bytes.extend(crc32fast::hash(&tail).to_le_bytes());
        bytes.extend(end.to_le_bytes());
        bytes.extend((tail.len() as u32).to_le_bytes());
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        (self.sections.iter()).for_each(|(_, section)| bytes.extend(section));
        bytes.extend(tail);
        bytes
    }

    /// A section.
    pub fn section(&mut self, name: &str) -> &mut Vec<u8> {
        let found = self.sections.iter_mut().find(|(known, _)| known == name);
        &mut found.unwrap_or_else(|| panic!("no section '{name}'")).1
    }

    /// Changes what is packed in a section, such as the nodes of a diagram table.
    pub fn edit_packed(&mut self, name: &str, edit: impl FnOnce(&mut Vec<u8>)) {
        let section = self.section(name);
        let mut bytes = zstd::decode_all(&section[..]).unwrap();
        edit(&mut bytes);
        *section = zstd::bulk::compress(&bytes, 1).unwrap();
    }

    /// The metadata as a value.
    pub fn metadata<M: Decode<()>>(&self) -> M {
        let (metadata, used) =
            bincode::decode_from_slice(&self.metadata, bincode::config::standard()).unwrap();
        assert_eq!(used, self.metadata.len());
        metadata
    }

    /// Changes the metadata.
    pub fn edit<M: Encode + Decode<()>>(&mut self, edit: impl FnOnce(&mut M)) {
        let mut metadata = self.metadata();
        edit(&mut metadata);
        self.metadata = encoded(&metadata);
    }

    /// Where the frames of a store of blocks lie in their section.
    pub fn frames(&mut self) -> Vec<Range<usize>> {
        let mut begin = 0;
        let ends = self
            .section("index")
            .chunks_exact(12)
            .map(|entry| number(&entry[..8]) as usize);
        ends.map(|end| std::mem::replace(&mut begin, end)..end).collect()
    }

    /// Puts other frames in the place of those that are there.
    pub fn set_frames(&mut self, frames: &[Vec<u8>]) {
        let mut end = 0u64;
        let entries = frames.iter().flat_map(|frame| {
            end += frame.len() as u64;
            [&end.to_le_bytes()[..], &crc32fast::hash(frame).to_le_bytes()].concat()
        });
        let index = entries.collect();
        *self.section("index") = index;
        *self.section("blocks") = frames.concat();
    }
}

/// A copy of a file, edited, with all checksums made anew.
pub fn resealed(bytes: &[u8], edit: impl FnOnce(&mut Parts)) -> Vec<u8> {
    let mut parts = Parts::of(bytes);
    edit(&mut parts);
    parts.sealed()
}

/// The metadata of a strip's table; the payload is one number in the dense layout, two in the diagram layout.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct StripMetadata<P> {
    pub metric: u8,
    pub length: u16,
    pub wins: Vec<u8>,
    pub losses: Vec<u8>,
    pub draws: Vec<u8>,
    pub longest_win: u16,
    pub longest_loss: u16,
    pub payload: P,
    pub generator: String,
    pub engine: String,
    pub parameters: BTreeMap<String, String>,
    pub depths: BTreeMap<u16, u128>,
    pub example: String,
}

/// Of the dense layout.
pub type DenseMetadata = StripMetadata<u32>;
/// Of the diagram layout.
pub type DiagramMetadata = StripMetadata<(u32, u32)>;

/// The metadata of a pitch's table.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct PitchMetadata {
    pub rows: u8,
    pub columns: u8,
    pub counts: [u64; 3],
    pub longest_win: u16,
    pub longest_loss: u16,
    pub generator: String,
    pub engine: String,
    pub order: Vec<u16>,
    pub depths: Vec<u64>,
    pub example: String,
}

/// The metadata of a checkpoint of the dense engine.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct DenseCheckpointMetadata {
    pub length: u16,
    pub slice_bits: u8,
    pub counts: Vec<u64>,
    pub pools: [(u32, u32); 2],
}

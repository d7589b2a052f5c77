//! Disassembles files and reassembles them with valid checksums, following docs/FORMAT.md instead
//! of the crate, so that only its contents can reveal an edited file.

use bincode::{Decode, Encode};
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

/// Returns the directory of a file, and where it ends.
pub fn directory(bytes: &[u8]) -> (Vec<Entry>, usize) {
    let tail = number(&bytes[16..24]) as usize;
    let (entries, used) = bincode::decode_from_slice(&bytes[tail..], bincode::config::standard()).unwrap();
    (entries, tail + used)
}

impl Parts {
    /// Disassembles a valid file.
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

    /// Returns the file.
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

    /// Returns the file with another directory.
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

    /// Returns a section.
    pub fn section(&mut self, name: &str) -> &mut Vec<u8> {
        let found = self.sections.iter_mut().find(|(known, _)| known == name);
        &mut found.unwrap_or_else(|| panic!("no section '{name}'")).1
    }

    /// Decodes the metadata.
    pub fn metadata<M: Decode<()>>(&self) -> M {
        let (metadata, used) =
            bincode::decode_from_slice(&self.metadata, bincode::config::standard()).unwrap();
        assert_eq!(used, self.metadata.len());
        metadata
    }

    /// Edits the metadata.
    pub fn edit<M: Encode + Decode<()>>(&mut self, edit: impl FnOnce(&mut M)) {
        let mut metadata = self.metadata();
        edit(&mut metadata);
        self.metadata = encoded(&metadata);
    }

    /// Returns the ranges of the frames within their section.
    pub fn frames(&mut self) -> Vec<Range<usize>> {
        let mut begin = 0;
        let ends = self
            .section("index")
            .chunks_exact(12)
            .map(|entry| number(&entry[..8]) as usize);
        ends.map(|end| std::mem::replace(&mut begin, end)..end).collect()
    }

    /// Replaces all frames.
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

    /// Returns the nodes of a table of strips by number, from 2 on; each has the fields ball,
    /// empty, stone.
    pub fn nodes(&mut self) -> Vec<[u32; 3]> {
        let (frames, packed) = (self.frames(), self.section("blocks").clone());
        let mut nodes = Vec::new();
        for frame in frames {
            let raw = zstd::bulk::decompress(&packed[frame], NODE_BYTES * FRAME_NODES).unwrap();
            let count = raw.len() / NODE_BYTES;
            let mut node = [0u32; 3];
            for place in 0..count {
                for (field, number) in node.iter_mut().enumerate() {
                    let byte = |byte: usize| raw[(4 * field + byte) * count + place];
                    let folded = u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)]);
                    let difference = (folded >> 1) ^ 0u32.wrapping_sub(folded & 1);
                    *number = number.wrapping_add(difference);
                }
                nodes.push(node);
            }
        }
        nodes
    }

    /// Replaces all nodes of a table of strips; the metadata keep the old number.
    pub fn set_nodes(&mut self, nodes: &[[u32; 3]]) {
        let frames = nodes.chunks(FRAME_NODES).map(|nodes| {
            let mut raw = vec![0; NODE_BYTES * nodes.len()];
            let mut before = [0u32; 3];
            for (place, node) in nodes.iter().enumerate() {
                for (field, (now, before)) in node.iter().zip(before).enumerate() {
                    let difference = now.wrapping_sub(before) as i32;
                    let folded = (difference << 1) ^ (difference >> 31);
                    for (byte, value) in folded.to_le_bytes().into_iter().enumerate() {
                        raw[(4 * field + byte) * nodes.len() + place] = value;
                    }
                }
                before = *node;
            }
            zstd::bulk::compress(&raw, 1).unwrap()
        });
        let frames: Vec<Vec<u8>> = frames.collect();
        self.set_frames(&frames);
    }
}

/// Nodes per frame of a table of strips, and bytes per node.
const FRAME_NODES: usize = 1024;
const NODE_BYTES: usize = 12;

/// Returns an edited copy of a file with valid checksums.
pub fn resealed(bytes: &[u8], edit: impl FnOnce(&mut Parts)) -> Vec<u8> {
    let mut parts = Parts::of(bytes);
    edit(&mut parts);
    parts.sealed()
}

/// The metadata of a table of strips.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct StripMetadata {
    pub metric: u8,
    pub length: u16,
    pub generator: String,
    pub binary: Vec<u32>,
    pub ternary: Vec<u32>,
    pub lengths: Vec<LengthCounts>,
}

/// The counts of one length.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct LengthCounts {
    pub wins: Vec<u8>,
    pub losses: Vec<u8>,
    pub longest_win: u16,
    pub longest_loss: u16,
    pub levels: u16,
}

/// The metadata of a pitch's table.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct PitchMetadata {
    pub rows: u8,
    pub columns: u8,
    pub generator: String,
    pub order: Vec<u16>,
    pub draws: u64,
    pub depths: Vec<u64>,
    pub longest_win: String,
}

//! A long byte array in zstd frames, stored in two sections of a container.
//!
//! ```text
//!     'blocks'   frame | frame | …          zstd frames of equal unpacked size; the last may be shorter
//!     'index'    end in 'blocks' (8 bytes), CRC-32 (4 bytes)          for each frame
//! ```
//!
//! The kind of file fixes the number of bytes and the frame size. A frame takes more than twelve
//! bytes, so a file cannot claim more frames than fit in it, and no frame unpacks to more than
//! [`MAX_FRAME_BYTES`].

use super::read::Container;
use super::{Section, has_crc};
use crate::error::FileError;
use rayon::prelude::*;
use std::cell::RefCell;
use std::io;
use zstd::bulk::Decompressor;

/// Bytes of an entry of the index.
const INDEX_ENTRY: usize = 12;
/// Maximum size of an unpacked frame.
pub const MAX_FRAME_BYTES: u64 = 1 << 16;
/// The names of the two sections.
pub const SECTIONS: [&str; 2] = ["blocks", "index"];

/// The size of the array and of its frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Bytes in the array.
    pub bytes: u64,
    /// Bytes in a frame; the last may have fewer. At most [`MAX_FRAME_BYTES`].
    pub frame_bytes: u64,
}

impl Cut {
    /// Returns the number of frames.
    pub fn frames(self) -> u64 {
        self.bytes.div_ceil(self.frame_bytes)
    }

    pub(super) fn size(self, frame: u64) -> usize {
        (self.bytes - frame * self.frame_bytes).min(self.frame_bytes) as usize
    }
}

/// The end of a frame in its section, and its CRC-32.
type Entry = (u64, u32);

/// Access to both sections, frame by frame.
pub struct Blocks {
    /// The file.
    pub container: Container,
    section: Section,
    index: Vec<Entry>,
    cut: Cut,
}

impl Blocks {
    /// Checks the index; frames are checked when they are unpacked.
    pub fn open(container: Container, [blocks, index]: [&Section; 2], cut: Cut) -> Result<Blocks, FileError> {
        assert!(
            (1..=MAX_FRAME_BYTES).contains(&cut.frame_bytes),
            "the kind of file fixes the size"
        );
        if index.bytes as u128 != u128::from(cut.frames()) * INDEX_ENTRY as u128 {
            return Err(container.corrupt("the index has the wrong size"));
        }
        let section = blocks.clone();
        let entries = container.section(index)?;
        let (entries, _) = entries.as_chunks::<INDEX_ENTRY>();
        let index: Vec<Entry> = (entries.iter())
            .map(|&[a, b, c, d, e, f, g, h, i, j, k, l]| {
                (
                    u64::from_le_bytes([a, b, c, d, e, f, g, h]),
                    u32::from_le_bytes([i, j, k, l]),
                )
            })
            .collect();
        let ascends = index.is_sorted_by(|(end, _), (next, _)| end < next);
        if !ascends || index.last().map_or(0, |&(end, _)| end) != section.bytes {
            return Err(container.corrupt("the index does not fit the blocks"));
        }
        Ok(Blocks {
            container,
            section,
            index,
            cut,
        })
    }

    /// Returns the number of frames.
    pub fn frames(&self) -> usize {
        self.index.len()
    }

    /// Checks a frame's bytes and unpacks them.
    pub fn unpack(&self, frame: usize) -> Result<Vec<u8>, FileError> {
        let begin = frame.checked_sub(1).map_or(0, |before| self.index[before].0);
        let (end, crc) = self.index[frame];
        // The ends ascend up to the end of the section, which lies within the file.
        let place = |at: u64| (self.section.offset + at) as usize;
        // A copy, because another process may change the file between the check and its use.
        let packed = self.container.bytes(place(begin)..place(end))?.to_vec();
        if !has_crc(&packed, crc) {
            return Err(self
                .container
                .corrupt(format!("checksum mismatch in frame {frame}")));
        }
        let size = self.cut.size(frame as u64);
        let reason = match decompressed(&packed, size) {
            Ok(raw) if raw.len() == size => return Ok(raw),
            Ok(raw) => format!("{} bytes, not {size}", raw.len()),
            Err(error) => error.to_string(),
        };
        let field = format!("frame {frame} does not unpack to its size: {reason}");
        Err(self.container.corrupt(field))
    }

    /// Unpacks every frame, and checks the section.
    pub fn check(&self) -> Result<(), FileError> {
        let damage = (0..self.frames())
            .into_par_iter()
            .find_map_first(|frame| self.unpack(frame).err());
        damage.map_or(Ok(()), Err)?;
        self.check_section()
    }

    /// Checks the bytes of all frames together.
    pub fn check_section(&self) -> Result<(), FileError> {
        self.container.check_section(&self.section)
    }

    /// Fills `into` with the bytes from a position on.
    pub fn read(&self, mut place: u64, mut into: &mut [u8]) -> Result<(), FileError> {
        while !into.is_empty() {
            let frame = self.unpack((place / self.cut.frame_bytes) as usize)?;
            let from = &frame[(place % self.cut.frame_bytes) as usize..];
            let (now, later) = into.split_at_mut(from.len().min(into.len()));
            now.copy_from_slice(&from[..now.len()]);
            place += now.len() as u64;
            into = later;
        }
        Ok(())
    }
}

/// Unpacks a zstd frame of at most `size` bytes.
fn decompressed(packed: &[u8], size: usize) -> io::Result<Vec<u8>> {
    thread_local! {
        // Allocating a context takes longer than unpacking a small frame.
        static CONTEXT: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
    }
    CONTEXT.with_borrow_mut(|context| match context {
        Some(context) => context.decompress(packed, size),
        None => context.insert(Decompressor::new()?).decompress(packed, size),
    })
}

//! A long row of bytes in frames of zstd: two sections of a container.
//!
//! ```text
//!     'blocks'   frame | frame | …          each a frame of zstd that unpacks to as many bytes as any other, the last to fewer
//!     'index'    end in 'blocks' (8 bytes), CRC-32 (4 bytes)          for each frame
//! ```
//!
//! The kind of file fixes how many bytes there are, and how many in a frame. A frame takes more than twelve bytes of the file, so no file
//! claims more frames than it can hold, and none is unpacked to more than [`MAX_FRAME_BYTES`].

use super::super::error::TableError;
use super::Section;
use super::read::Container;
use rayon::prelude::*;
use std::cell::RefCell;
use std::io;
use zstd::bulk::Decompressor;

/// Bytes of an entry of the index.
const INDEX_ENTRY: usize = 12;
/// The most bytes that a frame may unpack to.
pub const MAX_FRAME_BYTES: u64 = 1 << 16;
/// The names of the two sections.
pub const SECTIONS: [&str; 2] = ["blocks", "index"];

/// How many bytes there are, and how they are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// All bytes.
    pub bytes: u64,
    /// Bytes in a frame; the last may have fewer. At most [`MAX_FRAME_BYTES`].
    pub frame_bytes: u64,
}

impl Cut {
    /// The number of frames.
    pub fn frames(self) -> u64 {
        self.bytes.div_ceil(self.frame_bytes)
    }

    /// The bytes in a frame.
    pub(super) fn size(self, frame: u64) -> usize {
        (self.bytes - frame * self.frame_bytes).min(self.frame_bytes) as usize
    }
}

/// Where a frame ends in its section, and its CRC-32.
type Entry = (u64, u32);

/// The bytes of both sections, to be read frame by frame.
pub struct Blocks {
    container: Container,
    /// The frames, one after the other.
    section: Section,
    index: Vec<Entry>,
    cut: Cut,
}

impl Blocks {
    /// Checks the index; frames are checked when they are unpacked.
    ///
    /// # Errors
    /// [`TableError::Corrupt`], [`TableError::Io`].
    pub fn open(
        container: Container,
        [blocks, index]: [&Section; 2],
        cut: Cut,
    ) -> Result<Blocks, TableError> {
        assert!(
            (1..=MAX_FRAME_BYTES).contains(&cut.frame_bytes),
            "the kind of file fixes the size"
        );
        if index.bytes as u128 != u128::from(cut.frames()) * INDEX_ENTRY as u128 {
            return Err(container.corrupt("the index has the wrong size"));
        }
        let section = blocks.clone();
        let (entries, _) = container.section(index)?.as_chunks::<INDEX_ENTRY>();
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

    /// The number of frames.
    pub fn frames(&self) -> usize {
        self.index.len()
    }

    /// The file.
    pub fn container(&self) -> &Container {
        &self.container
    }

    /// Checks a frame's bytes and unpacks them.
    ///
    /// # Errors
    /// [`TableError::Corrupt`] if it is damaged, [`TableError::Io`].
    ///
    /// # Panics
    /// If there is no such frame.
    pub fn unpack(&self, frame: usize) -> Result<Vec<u8>, TableError> {
        let begin = frame.checked_sub(1).map_or(0, |before| self.index[before].0);
        let (end, crc) = self.index[frame];
        // The ends ascend up to the section's, which lies in the file.
        let place = |at: u64| (self.section.offset + at) as usize;
        let packed = self.container.bytes(place(begin)..place(end))?;
        if crc32fast::hash(packed) != crc {
            return Err(self
                .container
                .corrupt(format!("checksum mismatch in frame {frame}")));
        }
        let size = self.cut.size(frame as u64);
        (decompressed(packed, size).ok())
            .filter(|raw| raw.len() == size)
            .ok_or_else(|| (self.container).corrupt(format!("frame {frame} does not unpack to its size")))
    }

    /// Unpacks every frame, so that any damage shows.
    ///
    /// # Errors
    /// [`TableError::Corrupt`] for the first damaged frame.
    pub fn check(&self) -> Result<(), TableError> {
        let damage = (0..self.frames())
            .into_par_iter()
            .find_map_first(|frame| self.unpack(frame).err());
        damage.map_or(Ok(()), Err)?;
        self.container.section(&self.section).map(drop)
    }

    /// All bytes from a place on.
    ///
    /// # Panics
    /// If there is no byte at the place.
    pub fn reader_at(&self, place: u64) -> Result<BlocksReader<'_>, TableError> {
        let frame = (place / self.cut.frame_bytes) as usize;
        Ok(BlocksReader {
            blocks: self,
            next: frame + 1,
            frame: self.unpack(frame)?,
            given: (place % self.cut.frame_bytes) as usize,
        })
    }
}

/// The bytes of a frame of zstd, which may be at most `size`.
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

/// The bytes of all frames, one frame after the other.
pub struct BlocksReader<'b> {
    blocks: &'b Blocks,
    /// The next frame to unpack.
    next: usize,
    /// The last unpacked frame.
    frame: Vec<u8>,
    /// Bytes of it that were read.
    given: usize,
}

impl BlocksReader<'_> {
    /// Fills `bytes` with what comes next.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn fill(&mut self, mut bytes: &mut [u8]) -> Result<(), TableError> {
        while !bytes.is_empty() {
            if self.given == self.frame.len() {
                self.frame = self.blocks.unpack(self.next)?;
                self.next += 1;
                self.given = 0;
            }
            let count = bytes.len().min(self.frame.len() - self.given);
            let (now, later) = bytes.split_at_mut(count);
            now.copy_from_slice(&self.frame[self.given..self.given + count]);
            self.given += count;
            bytes = later;
        }
        Ok(())
    }
}

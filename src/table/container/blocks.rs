//! A long row of bytes in frames of zstd: two sections of a container, and unpacked frames in memory.
//!
//! ```text
//!     'blocks'   frame | frame | …          each a frame of zstd that unpacks to as many bytes as any other, the last to fewer
//!     'index'    end in 'blocks' (8 bytes), CRC-32 (4 bytes)          for each frame
//! ```
//!
//! How many bytes there are, and how many in a frame, is said by whoever knows the kind of file. A frame takes more than twelve
//! bytes of the file, so no file claims more frames than it can hold, and none is unpacked to more than [`MAX_FRAME_BYTES`].

use super::super::error::TableError;
use super::Section;
use super::cache::FrameCache;
use super::read::{Container, Piece};
use rayon::prelude::*;

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
    /// Where the frames begin in the file.
    start: u64,
    index: Vec<Entry>,
    cut: Cut,
    cache: FrameCache,
}

impl Blocks {
    /// Checks the index; frames are checked when they are unpacked. `cache` is the number of unpacked bytes to keep.
    ///
    /// # Errors
    /// [`TableError::Corrupt`], [`TableError::Io`].
    pub fn open(
        container: Container,
        [blocks, index]: [&Section; 2],
        cut: Cut,
        cache: usize,
    ) -> Result<Blocks, TableError> {
        assert!(
            (1..=MAX_FRAME_BYTES).contains(&cut.frame_bytes),
            "the kind of file says so"
        );
        if index.bytes as u128 != u128::from(cut.frames()) * INDEX_ENTRY as u128 {
            return Err(container.corrupt("the index has the wrong size"));
        }
        let (start, bytes, checksum) = (blocks.offset, blocks.bytes, blocks.crc);
        let index = container.read(index)?;
        let (entries, _) = index.as_chunks::<INDEX_ENTRY>();
        let index: Vec<Entry> = (entries.iter())
            .map(|&[a, b, c, d, e, f, g, h, i, j, k, l]| {
                (
                    u64::from_le_bytes([a, b, c, d, e, f, g, h]),
                    u32::from_le_bytes([i, j, k, l]),
                )
            })
            .collect();
        let ascends = index.is_sorted_by(|(end, _), (next, _)| end < next);
        if !ascends || index.last().map_or(0, |&(end, _)| end) != bytes {
            return Err(container.corrupt("the index does not fit the blocks"));
        }
        // The checksums of the parts make that of the whole, without a look at a frame.
        let mut begin = 0;
        let mut whole = crc32fast::Hasher::new();
        for &(end, crc) in &index {
            whole.combine(&crc32fast::Hasher::new_with_initial_len(crc, end - begin));
            begin = end;
        }
        if whole.finalize() != checksum {
            return Err(container.corrupt("the checksums of the frames do not make that of their section"));
        }
        Ok(Blocks {
            container,
            start,
            cache: FrameCache::new(index.len(), cache),
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

    /// Hands an unpacked frame to `read`.
    ///
    /// # Errors
    /// As [`unpack`](Blocks::unpack).
    ///
    /// # Panics
    /// If there is no such frame.
    #[inline]
    pub fn with<T>(&self, frame: usize, read: impl FnOnce(&[u8]) -> T) -> Result<T, TableError> {
        self.cache.with(frame, || self.unpack(frame), read)
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
        let mut packed = vec![0; (end - begin) as usize];
        self.container.read_at(self.start + begin, &mut packed)?;
        let corrupt = |what| self.container.corrupt(&format!("frame {frame} {what}"));
        if crc32fast::hash(&packed) != crc {
            return Err(corrupt("has a wrong checksum"));
        }
        let size = self.cut.size(frame as u64);
        (zstd::bulk::decompress(&packed, size).ok())
            .filter(|raw| raw.len() == size)
            .ok_or_else(|| corrupt("does not unpack to its size"))
    }

    /// Unpacks every frame, so that any damage shows.
    ///
    /// # Errors
    /// [`TableError::Corrupt`] for the first damaged frame.
    pub fn check(&self) -> Result<(), TableError> {
        let damage = (0..self.frames())
            .into_par_iter()
            .find_map_first(|frame| self.unpack(frame).err());
        damage.map_or(Ok(()), Err)
    }

    /// All bytes from a place on.
    ///
    /// # Errors
    /// As [`unpack`](Blocks::unpack).
    ///
    /// # Panics
    /// If there is no byte at the place.
    pub fn reader_at(&self, place: u64) -> Result<BlocksReader<'_>, TableError> {
        let frame = (place / self.cut.frame_bytes) as usize;
        Ok(BlocksReader {
            blocks: self,
            next: frame + 1,
            frame: Piece {
                bytes: self.unpack(frame)?,
                given: (place % self.cut.frame_bytes) as usize,
            },
        })
    }
}

/// The bytes of all frames, one frame after the other.
pub struct BlocksReader<'b> {
    blocks: &'b Blocks,
    /// The next frame to unpack.
    next: usize,
    /// The last one.
    frame: Piece,
}

impl BlocksReader<'_> {
    /// Fills `bytes` with what comes next.
    ///
    /// # Errors
    /// As [`Blocks::unpack`].
    ///
    /// # Panics
    /// If there are not so many.
    pub fn fill(&mut self, bytes: &mut [u8]) -> Result<(), TableError> {
        self.frame.fill(bytes, |frame| {
            *frame = self.blocks.unpack(self.next)?;
            self.next += 1;
            Ok(())
        })
    }
}

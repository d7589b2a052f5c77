//! Atomic writing of files.
//!
//! A file is written under a temporary name in the same directory, flushed to disk, and renamed
//! when complete.

use super::blocks::{Cut, SECTIONS};
use super::{FileKind, HEADER_BYTES, MAGIC, MAX_TAIL_BYTES, Section, VERSION, encode};
use crate::error::{FileError, io_error};
use bincode::Encode;
use phutbase_base::disk::replace_file;
use phutbase_rules::rules::Rules;
use rayon::prelude::*;
use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::Path;

const BUFFER_BYTES: usize = 1 << 20;
/// Frames packed at a time: enough for many threads, few enough for memory.
const FRAMES_AT_A_TIME: usize = 1024;

/// A file being written: sections first, metadata last.
pub struct Writer<'a> {
    out: BufWriter<&'a mut File>,
    sections: Vec<Section>,
    crc: crc32fast::Hasher,
    end: u64,
}

impl Writer<'_> {
    /// Leaves room for the header.
    fn new(out: &mut File) -> io::Result<Writer<'_>> {
        let mut out = BufWriter::with_capacity(BUFFER_BYTES, out);
        out.write_all(&[0; HEADER_BYTES])?;
        Ok(Writer {
            out,
            sections: Vec::new(),
            crc: crc32fast::Hasher::new(),
            end: HEADER_BYTES as u64,
        })
    }

    /// Ends the current section, if any, and begins another; subsequent [writes](Write) go to it.
    pub fn begin(&mut self, name: &str) {
        self.close();
        self.sections.push(Section {
            name: name.to_string(),
            offset: self.end,
            bytes: 0,
            crc: 0,
        });
    }

    /// Writes a section.
    pub fn section(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.begin(name);
        self.write_all(bytes)
    }

    fn close(&mut self) {
        if let Some(section) = self.sections.last_mut() {
            section.bytes = self.end - section.offset;
            section.crc = std::mem::take(&mut self.crc).finalize();
        }
    }

    /// Writes the directory, the metadata and finally the header.
    fn finish(mut self, (kind, rules): (FileKind, Rules), metadata: &impl Encode) -> io::Result<()> {
        self.close();
        let mut tail = encode(&self.sections);
        tail.extend(encode(metadata));
        assert!(tail.len() <= MAX_TAIL_BYTES, "the metadata is small");
        self.out.write_all(&tail)?;
        self.out.seek(SeekFrom::Start(0))?;
        let mut header = MAGIC.to_vec();
        header.extend(VERSION.to_le_bytes());
        header.extend([kind as u8, rules as u8]);
        header.extend(crc32fast::hash(&tail).to_le_bytes());
        header.extend(self.end.to_le_bytes());
        header.extend((tail.len() as u32).to_le_bytes());
        header.extend(crc32fast::hash(&header).to_le_bytes());
        self.out.write_all(&header)?;
        self.out.flush()
    }
}

impl Write for Writer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        debug_assert!(!self.sections.is_empty(), "a section is open");
        let written = self.out.write(bytes)?;
        self.crc.update(&bytes[..written]);
        self.end += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Writes a file for a game under some rules, replacing `path` and creating its directory if
/// needed. `sections` writes the sections and returns the metadata.
/// On errors the previous file at `path` is unchanged, or replaced by the complete new one if only
/// flushing the directory failed.
pub fn write_file<M: Encode>(
    path: &Path,
    kind: (FileKind, Rules),
    sections: impl FnOnce(&mut Writer<'_>) -> io::Result<M>,
) -> Result<(), FileError> {
    if let Some(directory) = path.parent() {
        std::fs::create_dir_all(directory).map_err(io_error(path, "create its directory"))?;
    }
    replace_file(path, |file| {
        let mut writer = Writer::new(file)?;
        let metadata = sections(&mut writer)?;
        writer.finish(kind, &metadata)
    })
    .map_err(|error| io_error(path, error.doing)(error.source))
}

/// Writes the two sections of [`Blocks`](super::blocks::Blocks) from its frames in order.
pub fn write_blocks(
    out: &mut Writer<'_>,
    frames: impl Iterator<Item = io::Result<Vec<u8>>>,
) -> io::Result<()> {
    let mut index = Vec::new();
    let mut end = 0;
    out.begin(SECTIONS[0]);
    for frame in frames {
        let frame = frame?;
        out.write_all(&frame)?;
        end += frame.len() as u64;
        index.extend(end.to_le_bytes());
        index.extend(crc32fast::hash(&frame).to_le_bytes());
    }
    out.section(SECTIONS[1], &index)
}

/// Packs frames lazily, many at a time in parallel. `fill` gets the position of a frame's first
/// byte, fills in all its bytes, and returns a value that accompanies the packed frame. A frame is
/// an error if memory runs out.
pub fn pack<T: Send>(
    cut: Cut,
    level: i32,
    mut frames: impl Iterator<Item = u64>,
    fill: impl Fn(u64, &mut [u8]) -> T + Sync,
) -> impl Iterator<Item = io::Result<(Vec<u8>, T)>> {
    // Reuse the compressor: allocating its context costs as much as packing several frames.
    let tools = move || {
        let compressor = zstd::bulk::Compressor::new(level);
        let packed = Vec::with_capacity(zstd::zstd_safe::compress_bound(cut.frame_bytes as usize));
        (compressor, Vec::new(), packed)
    };
    let group = move || {
        let frames: Vec<u64> = frames.by_ref().take(FRAMES_AT_A_TIME).collect();
        let packed = frames
            .par_iter()
            .map_init(tools, |(compressor, raw, packed), &frame| {
                raw.resize(cut.size(frame), 0);
                let noted = fill(frame * cut.frame_bytes, raw);
                let compressed = match compressor {
                    Ok(compressor) => compressor.compress_to_buffer(raw, packed),
                    Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
                };
                compressed.map(|_| (packed.clone(), noted))
            });
        (!frames.is_empty()).then(|| packed.collect::<Vec<_>>())
    };
    std::iter::from_fn(group).flatten()
}

/// Packs all frames, without accompanying values.
pub fn packed(
    cut: Cut,
    level: i32,
    fill: impl Fn(u64, &mut [u8]) + Sync,
) -> impl Iterator<Item = io::Result<Vec<u8>>> {
    pack(cut, level, 0..cut.frames(), fill).map(|packed| Ok(packed?.0))
}

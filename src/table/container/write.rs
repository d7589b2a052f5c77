//! Making a file: whole or not at all.
//!
//! It is written beside its name under a temporary one, flushed to the disk, and takes its name when it is complete, so a
//! file that has its name is whole.

use super::super::error::{TableError, io_error};
use super::blocks::{Cut, SECTIONS};
use super::{GENERATOR, HEADER_BYTES, Kind, MAGIC, MAX_TAIL_BYTES, Section, VERSION, encode};
use crate::disk::replace_file;
use crate::games::rules::Rules;
use bincode::Encode;
use rayon::prelude::*;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::Path;

/// Bytes that are gathered before they go to the disk.
const BUFFER_BYTES: usize = 1 << 20;
/// Frames packed at a time: enough to keep many threads busy, few enough to hold.
const FRAMES_AT_A_TIME: usize = 1024;

/// A file in the making: sections first, metadata last.
pub struct Writer<W: Write + Seek> {
    out: BufWriter<W>,
    sections: Vec<Section>,
    /// The checksum of the section that is open.
    crc: crc32fast::Hasher,
    end: u64,
}

impl<W: Write + Seek> Writer<W> {
    /// Leaves room for the header.
    fn new(out: W) -> io::Result<Writer<W>> {
        let mut out = BufWriter::with_capacity(BUFFER_BYTES, out);
        out.write_all(&[0; HEADER_BYTES])?;
        Ok(Writer {
            out,
            sections: Vec::new(),
            crc: crc32fast::Hasher::new(),
            end: HEADER_BYTES as u64,
        })
    }

    /// Ends the section that is open, if one is, and begins another; what is [written](Write) from now on is its contents.
    pub fn begin(&mut self, name: &str) {
        self.close();
        self.sections.push(Section {
            name: name.to_string(),
            offset: self.end,
            bytes: 0,
            crc: 0,
        });
    }

    /// A whole section.
    ///
    /// # Errors
    /// The system's error.
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

    /// Writes directory and metadata, and last the header.
    fn finish(mut self, (kind, rules): (Kind, Rules), metadata: &impl Encode) -> io::Result<()> {
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

/// Appends to the section that is open.
impl<W: Write + Seek> Write for Writer<W> {
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

/// Writes a file of a kind, for a game under some rules, in place of what `path` names, making its directory if need be. `sections` writes the sections and
/// returns the metadata.
///
/// # Errors
/// [`TableError::Io`] with the file and the deed; what `path` named before is then still there.
pub fn write_file<M: Encode>(
    path: &Path,
    kind: (Kind, Rules),
    sections: impl FnOnce(&mut Writer<&mut std::fs::File>) -> io::Result<M>,
) -> Result<(), TableError> {
    if let Some(directory) = path.parent() {
        std::fs::create_dir_all(directory).map_err(io_error(path, "make its directory"))?;
    }
    replace_file(path, |file| write_to(file, kind, sections))
        .map_err(|error| io_error(path, error.doing)(error.source))
}

/// Writes the two sections of a long row of bytes ([`Blocks`](super::blocks::Blocks)), of its frames in order.
///
/// # Errors
/// The system's error.
pub fn write_blocks<W: Write + Seek>(
    out: &mut Writer<W>,
    frames: impl Iterator<Item = Vec<u8>>,
) -> io::Result<()> {
    let mut index = Vec::new();
    let mut end = 0;
    out.begin(SECTIONS[0]);
    for frame in frames {
        out.write_all(&frame)?;
        end += frame.len() as u64;
        index.extend(end.to_le_bytes());
        index.extend(crc32fast::hash(&frame).to_le_bytes());
    }
    out.section(SECTIONS[1], &index)
}

/// Packs frames when they are asked for, many at a time in parallel: each with what `fill` returns, which gets the place of its first byte
/// and makes all its bytes.
///
/// # Panics
/// If there is no memory for it.
pub fn pack<T: Send>(
    cut: Cut,
    level: i32,
    mut frames: impl Iterator<Item = u64>,
    fill: impl Fn(u64, &mut [u8]) -> T + Sync,
) -> impl Iterator<Item = (Vec<u8>, T)> {
    const NO_MEMORY: &str = "zstd fails only for want of memory";
    // What a compressor works in is large: to make it anew for each frame takes as long as to pack some.
    let tools = move || {
        let compressor = zstd::bulk::Compressor::new(level).expect(NO_MEMORY);
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
                compressor.compress_to_buffer(raw, packed).expect(NO_MEMORY);
                (packed.clone(), noted)
            });
        (!frames.is_empty()).then(|| packed.collect::<Vec<_>>())
    };
    std::iter::from_fn(group).flatten()
}

/// The same of all frames, where nothing is returned.
pub fn packed(cut: Cut, level: i32, fill: impl Fn(u64, &mut [u8]) + Sync) -> impl Iterator<Item = Vec<u8>> {
    pack(cut, level, 0..cut.frames(), fill).map(|(frame, ())| frame)
}

/// The bytes of the file that [`write_file`] would make.
pub fn to_bytes<M: Encode>(
    kind: (Kind, Rules),
    sections: impl FnOnce(&mut Writer<&mut io::Cursor<Vec<u8>>>) -> io::Result<M>,
) -> Vec<u8> {
    let mut bytes = io::Cursor::new(Vec::new());
    write_to(&mut bytes, kind, sections).expect("memory takes whatever is written");
    bytes.into_inner()
}

fn write_to<W: Write + Seek, M: Encode>(
    out: W,
    kind: (Kind, Rules),
    sections: impl FnOnce(&mut Writer<W>) -> io::Result<M>,
) -> io::Result<()> {
    let mut writer = Writer::new(out)?;
    let metadata = sections(&mut writer)?;
    writer.finish(kind, &metadata)
}

/// The name and version of this program, as it stands in metadata.
pub fn generator() -> String {
    GENERATOR.to_string()
}

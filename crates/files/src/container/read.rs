//! Opening a file. Its contents are checked before they are used.
//!
//! Files are mapped. Opening reads the header, the directory and the metadata; sections are read on
//! first use, each against its checksum. This program never changes a published file in place: it
//! renames a new one over it. If another program shortens a mapped file, reading past the new end
//! raises SIGBUS, as with LMDB and SQLite. The size is checked before each read from the map, which
//! turns most such cases into an error.

use super::{FileKind, HEADER_BYTES, MAGIC, MAX_TAIL_BYTES, Section, VERSION, decode, has_crc};
use crate::error::{FileError, expect_same, io_error};
use bincode::{Decode, Encode};
use memmap2::Mmap;
use phutbase_base::disk::open_regular;
use phutbase_rules::rules::Rules;
use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

enum Bytes {
    Memory(Cow<'static, [u8]>),
    Mapped { map: Mmap, file: File },
}

impl Bytes {
    fn all(&self) -> &[u8] {
        match self {
            Bytes::Memory(bytes) => bytes,
            Bytes::Mapped { map, .. } => map,
        }
    }

    /// Returns whether the file still has its full mapped size.
    fn are_there(&self) -> io::Result<bool> {
        Ok(match self {
            Bytes::Memory(_) => true,
            Bytes::Mapped { map, file } => file.metadata()?.len() >= map.len() as u64,
        })
    }
}

#[allow(unsafe_code)]
fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the map is private to this module and read-only. This program never writes to a
    // published file. Another process may change or shorten the file while it is mapped. Everything
    // that is decoded is copied first, once, and the copy is checked, so that a change between the
    // check and the use has no effect; checksums alone are also computed in place. (By the rules of
    // the language the slice that is copied must not change, which only the other process can
    // ensure.) A shortened file raises SIGBUS when a lost page is read, which ends the process;
    // `Container::bytes` checks the size first.
    unsafe { Mmap::map(file) }
}

/// An open file with a checked header, directory and metadata.
pub struct Container {
    path: PathBuf,
    bytes: Bytes,
    kind: FileKind,
    rules: Rules,
    sections: Vec<Section>,
    metadata: Vec<u8>,
}

impl Container {
    /// Maps a file and checks its header, directory and metadata.
    pub fn open(path: &Path) -> Result<Container, FileError> {
        let not_a_table = || FileError::NotATable(path.to_path_buf());
        let (file, bytes) = open_regular(path)
            .map_err(io_error(path, "open it"))?
            .ok_or_else(not_a_table)?;
        if bytes < HEADER_BYTES as u64 {
            return Err(not_a_table());
        }
        let map = map(&file).map_err(io_error(path, "map it"))?;
        Container::new(Bytes::Mapped { map, file }, path)
    }

    /// Opens a file from memory. `name` stands for the path in errors.
    pub fn from_bytes(bytes: impl Into<Cow<'static, [u8]>>, name: &Path) -> Result<Container, FileError> {
        Container::new(Bytes::Memory(bytes.into()), name)
    }

    fn new(bytes: Bytes, path: &Path) -> Result<Container, FileError> {
        let corrupt = |field: &str| FileError::corrupt(path, field);
        let header = Header::read(bytes.all(), path)?;
        let kind = FileKind::from_number(header.kind)
            .ok_or_else(|| corrupt("the header has an unknown kind of file"))?;
        let rules = Rules::from_number(header.rules)
            .filter(|&rules| match rules {
                Rules::Ordinary => true,
                Rules::Directional => kind.has_rules(),
            })
            .ok_or_else(|| corrupt("unknown rules"))?;
        let tail = bytes.all()[header.tail..].to_vec();
        if !has_crc(&tail, header.tail_crc) {
            return Err(corrupt("checksum mismatch in the directory"));
        }
        let (sections, metadata): (Vec<Section>, _) =
            decode(&tail).ok_or_else(|| corrupt("the directory cannot be read"))?;
        let mut end = HEADER_BYTES as u64;
        for section in &sections {
            let follows = section.offset == end;
            end = (end.checked_add(section.bytes))
                .filter(|&end| follows && end <= header.tail as u64)
                .ok_or_else(|| corrupt("a section has the wrong position"))?;
        }
        if end != header.tail as u64 {
            return Err(corrupt("the sections do not fill the file"));
        }
        Ok(Container {
            path: path.to_path_buf(),
            metadata: metadata.to_vec(),
            bytes,
            kind,
            rules,
            sections,
        })
    }

    /// Returns the kind of file.
    pub fn kind(&self) -> FileKind {
        self.kind
    }

    /// Returns the rules of its game.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Returns an error if its game has other rules.
    pub fn check_rules(&self, rules: Rules) -> Result<(), FileError> {
        expect_same(&self.path, "the set of rules", self.rules, rules)
    }

    /// Returns the file, or the name that stands for it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the size of the file in bytes.
    pub fn file_bytes(&self) -> u64 {
        self.bytes.all().len() as u64
    }

    /// Decodes the metadata of a file that must be of this kind.
    pub fn metadata<M: Encode + Decode<()>>(&self, kind: FileKind) -> Result<M, FileError> {
        expect_same(&self.path, "the kind of file", self.kind, kind)?;
        match decode(&self.metadata) {
            Some((metadata, [])) => Ok(metadata),
            _ => Err(self.corrupt("the metadata cannot be decoded")),
        }
    }

    /// Returns the sections, whose names must be these in this order.
    pub fn sections<const N: usize>(&self, names: [&str; N]) -> Result<&[Section; N], FileError> {
        (<&[Section; N]>::try_from(&self.sections[..]).ok())
            .filter(|sections| sections.iter().map(|section| &section.name[..]).eq(names))
            .ok_or_else(|| self.corrupt("the sections are not those of this kind of file"))
    }

    /// Returns a copy of a section, after checking it.
    pub fn section(&self, section: &Section) -> Result<Vec<u8>, FileError> {
        // A copy, because another process may change the file between the check and its use.
        let bytes = self.mapped(section)?.to_vec();
        self.check_crc(section, &bytes)?;
        Ok(bytes)
    }

    /// Checks a section without copying it.
    pub fn check_section(&self, section: &Section) -> Result<(), FileError> {
        self.check_crc(section, self.mapped(section)?)
    }

    fn mapped(&self, section: &Section) -> Result<&[u8], FileError> {
        // Sections lie within the file: checked on opening.
        let start = section.offset as usize;
        self.bytes(start..start + section.bytes as usize)
    }

    fn check_crc(&self, section: &Section, bytes: &[u8]) -> Result<(), FileError> {
        if has_crc(bytes, section.crc) {
            return Ok(());
        }
        Err(self.corrupt(format!("checksum mismatch in section '{}'", section.name)))
    }

    /// Returns bytes of the file without checking a checksum.
    pub(super) fn bytes(&self, range: Range<usize>) -> Result<&[u8], FileError> {
        if !self.bytes.are_there().map_err(io_error(&self.path, "read it"))? {
            return Err(self.corrupt("the file was cut short while it was open"));
        }
        Ok(&self.bytes.all()[range])
    }

    /// Returns an error for a file with invalid contents.
    pub fn corrupt(&self, field: impl Into<String>) -> FileError {
        FileError::corrupt(&self.path, field)
    }
}

struct Header {
    kind: u8,
    rules: u8,
    tail: usize,
    tail_crc: u32,
}

impl Header {
    fn read(bytes: &[u8], path: &Path) -> Result<Header, FileError> {
        let Some(header) = bytes
            .first_chunk::<HEADER_BYTES>()
            .copied()
            .filter(|header| header.starts_with(&MAGIC))
        else {
            return Err(FileError::NotATable(path.to_path_buf()));
        };
        let number = |range: Range<usize>| {
            (header[range].iter().rev()).fold(0, |number, &byte| number << 8 | u64::from(byte))
        };
        // The version is checked before the checksum, which other formats may keep elsewhere.
        let found = number(8..10) as u16;
        if found != VERSION {
            let file = path.to_path_buf();
            return Err(FileError::Version { file, found });
        }
        if !has_crc(&header[..28], number(28..32) as u32) {
            return Err(FileError::corrupt(path, "checksum mismatch in the header"));
        }
        let (tail, tail_bytes) = (number(16..24), number(24..28));
        if tail_bytes > MAX_TAIL_BYTES as u64 {
            return Err(FileError::corrupt(path, "directory and metadata are too long"));
        }
        match tail.checked_add(tail_bytes) {
            Some(end) if end == bytes.len() as u64 && tail >= HEADER_BYTES as u64 => Ok(Header {
                kind: header[10],
                rules: header[11],
                tail: tail as usize,
                tail_crc: number(12..16) as u32,
            }),
            end => Err(FileError::corrupt(
                path,
                format!(
                    "{} bytes long, but its header says {}",
                    bytes.len(),
                    end.unwrap_or(u64::MAX)
                ),
            )),
        }
    }
}

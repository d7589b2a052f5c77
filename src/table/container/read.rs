//! Opening a file. Nothing in it is believed before it is checked.
//!
//! A small file is read at once, so that nothing that happens to it later can change an answer. Of a large one the parts are
//! read when they are wanted, each against its checksum: if the file is cut short or written over meanwhile, that is
//! an error and not an answer. Nothing is mapped.

use super::super::error::{TableError, io_error};
use super::{HEADER_BYTES, Kind, MAGIC, MAX_TAIL_BYTES, Section, VERSION, decode};
use crate::disk::open_regular;
use crate::games::rules::Rules;
use bincode::{Decode, Encode};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Files up to this size are read at once.
const SMALL_FILE: u64 = 4 << 20;

/// Where the bytes are.
enum Source {
    Memory(Cow<'static, [u8]>),
    File(File),
}

impl Source {
    /// Fills `bytes` from a place of the file on.
    fn read_at(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        match self {
            Source::Memory(all) => {
                let found = usize::try_from(offset)
                    .ok()
                    .and_then(|from| all.get(from..)?.get(..bytes.len()));
                bytes.copy_from_slice(found.ok_or(io::ErrorKind::UnexpectedEof)?);
                Ok(())
            }
            Source::File(file) => read_exact_at(file, bytes, offset),
        }
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, offset)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => (bytes, offset) = (&mut bytes[read..], offset + read as u64),
        }
    }
    Ok(())
}

/// An open file whose header, directory and metadata have been checked.
pub struct Container {
    path: PathBuf,
    source: Source,
    /// The size of the file.
    bytes: u64,
    kind: Kind,
    rules: Rules,
    sections: Vec<Section>,
    metadata: Vec<u8>,
}

impl Container {
    /// Opens a file.
    ///
    /// # Errors
    /// [`TableError::NotATable`], [`TableError::NewerVersion`], [`TableError::OlderVersion`], [`TableError::WrongSize`],
    /// [`TableError::Corrupt`], [`TableError::Io`].
    pub fn open(path: &Path) -> Result<Container, TableError> {
        let (mut file, bytes) = open_regular(path)
            .map_err(io_error(path, "open it"))?
            .ok_or_else(|| TableError::NotATable(path.to_path_buf()))?;
        if bytes > SMALL_FILE {
            return Container::new(Source::File(file), bytes, path);
        }
        let mut all = Vec::with_capacity(bytes as usize);
        // What is written behind it meanwhile is not waited for.
        (&mut file)
            .take(bytes)
            .read_to_end(&mut all)
            .map_err(io_error(path, "read it"))?;
        Container::from_bytes(all, path)
    }

    /// Opens a file whose bytes are at hand. `name` stands for the file in errors.
    ///
    /// # Errors
    /// As [`open`](Container::open).
    pub fn from_bytes(bytes: impl Into<Cow<'static, [u8]>>, name: &Path) -> Result<Container, TableError> {
        let bytes = bytes.into();
        let size = bytes.len() as u64;
        Container::new(Source::Memory(bytes), size, name)
    }

    fn new(source: Source, bytes: u64, path: &Path) -> Result<Container, TableError> {
        let mut container = Container {
            path: path.to_path_buf(),
            source,
            bytes,
            kind: Kind::Dense,
            rules: Rules::Ordinary,
            sections: Vec::new(),
            metadata: Vec::new(),
        };
        let header = container.read_header()?;
        container.kind =
            Kind::from_number(header.kind).ok_or_else(|| container.corrupt("unknown kind of file"))?;
        container.rules = Rules::from_number(header.rules)
            .filter(|&rules| rules == Rules::Ordinary || container.kind != Kind::Nimbers)
            .ok_or_else(|| container.corrupt("unknown rules"))?;
        let mut tail = vec![0; header.tail_bytes as usize];
        container.read_at(header.tail, &mut tail)?;
        if crc32fast::hash(&tail) != header.tail_crc {
            return Err(container.corrupt("the checksum of the directory is wrong"));
        }
        let (sections, metadata): (Vec<Section>, _) =
            decode(&tail).ok_or_else(|| container.corrupt("the directory cannot be read"))?;
        let mut end = HEADER_BYTES as u64;
        for section in &sections {
            let follows = section.offset == end;
            end = (end.checked_add(section.bytes))
                .filter(|&end| follows && end <= header.tail)
                .ok_or_else(|| container.corrupt("a section is not where it must be"))?;
        }
        if end != header.tail {
            return Err(container.corrupt("the sections do not fill the file"));
        }
        container.metadata = metadata.to_vec();
        container.sections = sections;
        Ok(container)
    }

    fn read_header(&self) -> Result<Header, TableError> {
        let mut bytes = [0; HEADER_BYTES];
        let there = self.bytes.min(HEADER_BYTES as u64) as usize;
        self.read_at(0, &mut bytes[..there])?;
        if there == 0 || !MAGIC.starts_with(&bytes[..there.min(MAGIC.len())]) {
            return Err(TableError::NotATable(self.path.clone()));
        }
        let wrong_size = |expected| TableError::WrongSize {
            file: self.path.clone(),
            found: self.bytes,
            expected,
        };
        if there < HEADER_BYTES {
            return Err(wrong_size(HEADER_BYTES as u64));
        }
        let number = |from: usize, to: usize| {
            (bytes[from..to].iter().rev()).fold(0, |number, &byte| number << 8 | u64::from(byte))
        };
        // The version comes before the checksum: another format may keep its checksum elsewhere.
        let (file, found) = (self.path.clone(), number(8, 10) as u16);
        match found.cmp(&VERSION) {
            Ordering::Equal => {}
            Ordering::Greater => return Err(TableError::NewerVersion { file, found }),
            Ordering::Less => return Err(TableError::OlderVersion { file, found }),
        }
        if u64::from(crc32fast::hash(&bytes[..28])) != number(28, 32) {
            return Err(self.corrupt("the header's checksum is wrong"));
        }
        let header = Header {
            kind: bytes[10],
            rules: bytes[11],
            tail_crc: number(12, 16) as u32,
            tail: number(16, 24),
            tail_bytes: number(24, 28),
        };
        if header.tail_bytes > MAX_TAIL_BYTES as u64 {
            return Err(self.corrupt("directory and metadata are too long"));
        }
        match header.tail.checked_add(header.tail_bytes) {
            Some(expected) if expected == self.bytes => Ok(header),
            expected => Err(wrong_size(expected.unwrap_or(u64::MAX))),
        }
    }

    /// The kind of file.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The rules that its game is played by.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Whether the game is played by these rules.
    ///
    /// # Errors
    /// [`TableError::Foreign`] if it is not.
    pub fn check_rules(&self, rules: Rules) -> Result<(), TableError> {
        TableError::unless_same(&self.path, "the set of rules", self.rules, rules)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The size of the file.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The metadata of a file that must be of this kind.
    ///
    /// # Errors
    /// [`TableError::Foreign`] for another kind, [`TableError::Corrupt`] if it cannot be read.
    pub fn metadata<M: Encode + Decode<()>>(&self, kind: Kind) -> Result<M, TableError> {
        TableError::unless_same(&self.path, "the kind of file", self.kind, kind)?;
        match decode(&self.metadata) {
            Some((metadata, [])) => Ok(metadata),
            _ => Err(self.corrupt("the metadata cannot be read")),
        }
    }

    /// The sections, which must be these in this order.
    ///
    /// # Errors
    /// [`TableError::Corrupt`].
    pub fn sections<const N: usize>(&self, names: [&str; N]) -> Result<&[Section; N], TableError> {
        (<&[Section; N]>::try_from(&self.sections[..]).ok())
            .filter(|sections| sections.iter().map(|section| &section.name[..]).eq(names))
            .ok_or_else(|| self.corrupt("the sections are not those of this kind of file"))
    }

    /// The bytes of a section, checked.
    ///
    /// # Errors
    /// [`TableError::Corrupt`], [`TableError::Io`].
    pub fn read(&self, section: &Section) -> Result<Vec<u8>, TableError> {
        // The directory was held against the size of the file, so these bytes are there.
        let mut bytes = vec![0; section.bytes as usize];
        self.read_at(section.offset, &mut bytes)?;
        match crc32fast::hash(&bytes) == section.crc {
            true => Ok(bytes),
            false => Err(self.wrong_checksum(section)),
        }
    }

    /// A section from its beginning, for one that memory need not hold at once.
    pub fn reader<'c>(&'c self, section: &'c Section) -> SectionReader<'c> {
        SectionReader {
            container: self,
            section,
            read: 0,
            crc: crc32fast::Hasher::new(),
            piece: Piece::default(),
        }
    }

    /// Fills `bytes` from a place of the file on; they are not checked.
    pub(super) fn read_at(&self, offset: u64, bytes: &mut [u8]) -> Result<(), TableError> {
        self.source
            .read_at(offset, bytes)
            .map_err(|error| match error.kind() {
                io::ErrorKind::UnexpectedEof => self.corrupt("the file was cut short while it was open"),
                _ => io_error(&self.path, "read it")(error),
            })
    }

    /// The error of a section that has not as many bytes as it must have.
    pub fn wrong_length(&self, section: &Section) -> TableError {
        self.corrupt(&format!("section '{}' has the wrong length", section.name))
    }

    fn wrong_checksum(&self, section: &Section) -> TableError {
        self.corrupt(&format!("the checksum of section '{}' is wrong", section.name))
    }

    /// The error that something in the file is not as it must be.
    pub fn corrupt(&self, field: &str) -> TableError {
        TableError::corrupt(&self.path, field)
    }

    /// Finds the file damaged unless something holds that must.
    ///
    /// # Errors
    /// [`TableError::Corrupt`].
    #[cfg(feature = "cli")]
    pub fn demand(&self, holds: bool, words: impl FnOnce() -> String) -> Result<(), TableError> {
        match holds {
            true => Ok(()),
            false => Err(self.corrupt(&words())),
        }
    }

    /// The error that the file is not what its name says.
    pub fn foreign(&self, field: &'static str, found: String, expected: String) -> TableError {
        TableError::Foreign {
            file: self.path.clone(),
            field,
            found,
            expected,
        }
    }
}

/// What the header says.
struct Header {
    kind: u8,
    rules: u8,
    tail: u64,
    tail_bytes: u64,
    tail_crc: u32,
}

/// Bytes of a section that are read at a time.
const PIECE_BYTES: u64 = 1 << 18;

/// A section being read; what it yields may be used only once [`finish`](SectionReader::finish) has found it right.
pub struct SectionReader<'c> {
    container: &'c Container,
    section: &'c Section,
    /// Bytes read from the file so far.
    read: u64,
    crc: crc32fast::Hasher,
    /// What was read last.
    piece: Piece,
}

/// Some of the bytes of a row, and how many of them have been given out.
#[derive(Default)]
pub(super) struct Piece {
    pub bytes: Vec<u8>,
    pub given: usize,
}

impl Piece {
    /// Fills `into` with what comes next; `next` reads the piece that follows when this one is at its end.
    pub fn fill(
        &mut self,
        mut into: &mut [u8],
        mut next: impl FnMut(&mut Vec<u8>) -> Result<(), TableError>,
    ) -> Result<(), TableError> {
        while !into.is_empty() {
            if self.given == self.bytes.len() {
                next(&mut self.bytes)?;
                self.given = 0;
            }
            let count = into.len().min(self.bytes.len() - self.given);
            let (now, later) = into.split_at_mut(count);
            now.copy_from_slice(&self.bytes[self.given..self.given + count]);
            self.given += count;
            into = later;
        }
        Ok(())
    }
}

impl SectionReader<'_> {
    /// Fills `bytes` with what comes next.
    ///
    /// # Errors
    /// [`TableError::Corrupt`] if the section has fewer, [`TableError::Io`].
    pub fn fill(&mut self, bytes: &mut [u8]) -> Result<(), TableError> {
        let SectionReader {
            container,
            section,
            read,
            crc,
            piece,
        } = self;
        piece.fill(bytes, |piece| {
            let left = section.bytes - *read;
            if left == 0 {
                return Err(container.wrong_length(section));
            }
            piece.resize(left.min(PIECE_BYTES) as usize, 0);
            container.read_at(section.offset + *read, piece)?;
            crc.update(piece);
            *read += piece.len() as u64;
            Ok(())
        })
    }

    /// The next bytes.
    ///
    /// # Errors
    /// As [`fill`](SectionReader::fill).
    pub fn take<const N: usize>(&mut self) -> Result<[u8; N], TableError> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    /// Finds the section read to its end, and its checksum right.
    ///
    /// # Errors
    /// [`TableError::Corrupt`].
    pub fn finish(self) -> Result<(), TableError> {
        if self.read != self.section.bytes || self.piece.given != self.piece.bytes.len() {
            return Err(self.container.wrong_length(self.section));
        }
        match self.crc.finalize() == self.section.crc {
            true => Ok(()),
            false => Err(self.container.wrong_checksum(self.section)),
        }
    }
}

//! The nimbers of empty Obstruction boards in a file; `docs/OBSTRUCTION.md` has the format byte by byte.
//!
//! A file is written under a temporary name and renamed when complete, and read as a whole: every byte is covered by its
//! checksum before a nimber is believed.

use super::error::{TableError, io_error};
#[cfg(feature = "cli")]
use crate::disk::replace_file;
use crate::games::obstruction::Board;
use crate::nimber::Nimber;
use std::collections::BTreeMap;
#[cfg(feature = "cli")]
use std::io::Write;
use std::path::{Path, PathBuf};

/// The first bytes of the file.
const MAGIC: [u8; 8] = *b"PHUTNIMB";
/// The only format version so far.
const VERSION: u16 = 1;
/// Game number of Obstruction.
const GAME_OBSTRUCTION: u8 = 1;
/// Bytes before the entries.
const HEADER_BYTES: usize = 16;
/// Bytes of an entry: rows, columns, nimber.
const ENTRY_BYTES: usize = 3;
/// Bytes of the checksum at the end.
const CRC_BYTES: usize = 4;

/// The file of a directory of tables.
pub fn nimbers_path(directory: &Path) -> PathBuf {
    directory.join("obstruction.phut")
}

/// Nimbers of empty boards, by size. A board and the same board lying down are one.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct NimberTable {
    nimbers: BTreeMap<(u8, u8), Nimber>,
}

impl NimberTable {
    /// The nimber of a board without marks, if it is there.
    pub fn get(&self, rows: usize, columns: usize) -> Option<Nimber> {
        self.nimbers.get(&key(rows, columns)?).copied()
    }

    /// Adds a board; `false`, and nothing done, if there is no such board.
    pub fn insert(&mut self, rows: usize, columns: usize, nimber: Nimber) -> bool {
        let key = key(rows, columns);
        key.map(|key| self.nimbers.insert(key, nimber)).is_some()
    }

    /// Rows, columns (no fewer than rows) and nimber of every board, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize, Nimber)> + '_ {
        (self.nimbers.iter()).map(|(&(rows, columns), &nimber)| (rows.into(), columns.into(), nimber))
    }

    /// The number of boards.
    pub fn len(&self) -> usize {
        self.nimbers.len()
    }

    /// Whether there is no board.
    pub fn is_empty(&self) -> bool {
        self.nimbers.is_empty()
    }

    /// Reads and checks a file; an empty table if there is none.
    ///
    /// # Errors
    /// [`TableError`] if it cannot be read, is damaged, or is something else.
    pub fn read(file: &Path) -> Result<NimberTable, TableError> {
        match std::fs::read(file) {
            Ok(bytes) => decode(&bytes, file),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(NimberTable::default()),
            Err(error) => Err(io_error(file, "read the table")(error)),
        }
    }

    /// Writes the file, making its directory if need be.
    ///
    /// # Errors
    /// [`TableError::Io`]; an older file stays as it was then.
    #[cfg(feature = "cli")]
    pub fn write(&self, file: &Path) -> Result<(), TableError> {
        let directory = (file.parent())
            .filter(|directory| !directory.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        std::fs::create_dir_all(directory).map_err(io_error(directory, "make the directory"))?;
        replace_file(file, ".obstruction-", |unfinished| {
            unfinished.write_all(&self.encode())
        })
        .map_err(|error| io_error(file, error.doing)(error.source))
    }

    fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER_BYTES + ENTRY_BYTES * self.len() + CRC_BYTES);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([GAME_OBSTRUCTION, 0]);
        bytes.extend((self.len() as u32).to_le_bytes());
        for (&(rows, columns), &nimber) in &self.nimbers {
            bytes.extend([rows, columns, nimber.0]);
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }
}

/// The shorter side first; `None` if there is no such board.
fn key(rows: usize, columns: usize) -> Option<(u8, u8)> {
    Board::empty(rows, columns)?;
    Some((rows.min(columns) as u8, rows.max(columns) as u8))
}

fn decode(bytes: &[u8], file: &Path) -> Result<NimberTable, TableError> {
    let corrupt = |field: &str| TableError::Corrupt {
        file: file.to_path_buf(),
        field: field.to_string(),
    };
    if bytes.is_empty() || !bytes.starts_with(&MAGIC[..bytes.len().min(MAGIC.len())]) {
        return Err(TableError::NotATable {
            file: file.to_path_buf(),
        });
    }
    let wrong_size = |expected: usize| TableError::WrongSize {
        file: file.to_path_buf(),
        found: bytes.len() as u64,
        expected: expected as u64,
    };
    let Some((header, rest)) = bytes.split_first_chunk::<HEADER_BYTES>() else {
        return Err(wrong_size(HEADER_BYTES + CRC_BYTES));
    };
    // The version comes before all else: a newer format may have another shape.
    let version = u16::from_le_bytes([header[8], header[9]]);
    if version > VERSION {
        return Err(TableError::NewerVersion {
            file: file.to_path_buf(),
            found: version,
            supported: VERSION,
        });
    }
    let entries = u32::from_le_bytes([header[12], header[13], header[14], header[15]]) as usize;
    let Some((body, crc)) = rest
        .split_last_chunk::<CRC_BYTES>()
        .filter(|(body, _)| body.len() == ENTRY_BYTES * entries)
    else {
        return Err(wrong_size(HEADER_BYTES + ENTRY_BYTES * entries + CRC_BYTES));
    };
    if crc32fast::hash(&bytes[..bytes.len() - CRC_BYTES]) != u32::from_le_bytes(*crc) {
        return Err(corrupt("the checksum is wrong"));
    }
    if version != VERSION || header[10] != GAME_OBSTRUCTION || header[11] != 0 {
        return Err(corrupt("unknown version or game number"));
    }
    entries_of(body).ok_or_else(|| corrupt("its boards are out of order or impossible"))
}

/// The entries, which must ascend and be boards; no nimber exceeds the number of turns.
fn entries_of(body: &[u8]) -> Option<NimberTable> {
    let mut table = NimberTable::default();
    for entry in body.chunks_exact(ENTRY_BYTES) {
        let (size, nimber) = ((entry[0], entry[1]), entry[2]);
        let in_order = (table.nimbers.last_key_value()).is_none_or(|(last, _)| *last < size);
        let possible = key(size.0.into(), size.1.into()) == Some(size)
            && usize::from(nimber) <= usize::from(size.0) * usize::from(size.1);
        if !in_order || !possible {
            return None;
        }
        table.nimbers.insert(size, Nimber(nimber));
    }
    Some(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> NimberTable {
        let mut table = NimberTable::default();
        for (rows, columns, nimber) in [(1, 1, 1), (7, 1, 1), (3, 3, 1), (2, 9, 3)] {
            assert!(table.insert(rows, columns, Nimber(nimber)));
        }
        table
    }

    fn read(bytes: &[u8]) -> Result<NimberTable, TableError> {
        decode(bytes, Path::new("t.phut"))
    }

    /// The bytes with the checksum made right again.
    fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
        bytes.truncate(bytes.len() - CRC_BYTES);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    #[test]
    fn what_is_written_is_read() {
        let directory = tempfile::tempdir().unwrap();
        let file = nimbers_path(&directory.path().join("deep/er"));
        assert_eq!(NimberTable::read(&file).unwrap(), NimberTable::default());
        table().write(&file).unwrap();
        let again = NimberTable::read(&file).unwrap();
        assert_eq!(again, table());
        assert_eq!(again.get(9, 2), Some(Nimber(3)));
        assert_eq!(again.get(2, 2), None);
        let files = std::fs::read_dir(file.parent().unwrap()).unwrap().count();
        assert_eq!(files, 1, "nothing but the table is left behind");
        assert!(!table().insert(12, 11, Nimber(0)));
    }

    #[test]
    fn every_flipped_bit_and_every_cut_is_refused() {
        let bytes = table().encode();
        assert_eq!(read(&bytes).unwrap(), table());
        for place in 0..bytes.len() {
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[place] ^= 1 << bit;
                assert!(read(&damaged).is_err(), "byte {place}, bit {bit}");
            }
            assert!(read(&bytes[..place]).is_err(), "{place} bytes");
        }
        assert!(read(&[&bytes[..], &[0]].concat()).is_err());
    }

    #[test]
    fn sealed_nonsense_is_refused() {
        let bytes = table().encode();
        let with = |place: usize, byte: u8| {
            let mut bytes = bytes.clone();
            bytes[place] = byte;
            read(&sealed(bytes))
        };
        assert_eq!(with(HEADER_BYTES + 2, 0).unwrap().get(1, 1), Some(Nimber(0)));
        assert!(
            matches!(with(HEADER_BYTES + 2, 2), Err(TableError::Corrupt { .. })),
            "a nimber"
        );
        assert!(
            matches!(with(HEADER_BYTES, 3), Err(TableError::Corrupt { .. })),
            "rows"
        );
        assert!(
            matches!(with(HEADER_BYTES + 1, 200), Err(TableError::Corrupt { .. })),
            "columns"
        );
        assert!(matches!(with(10, 2), Err(TableError::Corrupt { .. })), "game");
        assert!(matches!(with(8, 0), Err(TableError::Corrupt { .. })), "version 0");
        assert!(matches!(
            with(8, 2),
            Err(TableError::NewerVersion { found: 2, .. })
        ));
        assert!(matches!(with(0, b'X'), Err(TableError::NotATable { .. })));
        assert!(matches!(read(b""), Err(TableError::NotATable { .. })));
        let error = with(HEADER_BYTES, 3).unwrap_err().to_string();
        assert!(
            error.starts_with("t.phut: ") && error.contains("delete it"),
            "{error}"
        );
    }
}

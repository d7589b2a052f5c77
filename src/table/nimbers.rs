//! The nimbers of empty Obstruction boards in a file.

use super::container::Kind;
use super::container::read::Container;
#[cfg(feature = "cli")]
use super::container::write::{generator, write_file};
use super::error::TableError;
#[cfg(feature = "cli")]
use super::lock::TablesLock;
use crate::games::obstruction::Board;
use crate::nimber::Nimber;
use bincode::{Decode, Encode};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The file of a directory of tables.
pub fn nimbers_path(directory: &Path) -> PathBuf {
    directory.join("obstruction.phut")
}

/// What the file says of itself.
#[derive(Encode, Decode)]
struct Metadata {
    generator: String,
    /// The number of boards.
    boards: u32,
}

/// Bytes of an entry: rows, columns, nimber.
const ENTRY_BYTES: usize = 3;

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
        match Container::open(file) {
            Ok(container) => NimberTable::of(&container),
            Err(TableError::Io { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
                Ok(NimberTable::default())
            }
            Err(error) => Err(error),
        }
    }

    /// Reads and checks an open file.
    ///
    /// # Errors
    /// [`TableError`] if it is damaged, or something else.
    pub fn of(container: &Container) -> Result<NimberTable, TableError> {
        let metadata: Metadata = container.metadata(Kind::Nimbers)?;
        let [boards] = container.sections(["boards"])?;
        entries_of(&container.read(boards)?)
            .filter(|table| table.len() == metadata.boards as usize)
            .ok_or_else(|| container.corrupt("the boards are out of order or out of range"))
    }

    /// Adds the boards of another table.
    pub fn extend(&mut self, more: &NimberTable) {
        self.nimbers.extend(&more.nimbers);
    }

    /// Adds these boards to those in a file, and takes in what others have put there meanwhile. The directory is made if need be.
    ///
    /// # Errors
    /// [`TableError`] if the file there cannot be read or written; it stays as it was then.
    #[cfg(feature = "cli")]
    pub fn save(&mut self, file: &Path) -> Result<(), TableError> {
        let directory = (file.parent())
            .filter(|directory| !directory.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        // A lock of its own: whoever makes tables of other games holds the directory for hours.
        let _lock = TablesLock::wait(directory, ".obstruction.lock")?;
        let mut all = NimberTable::read(file)?;
        all.extend(self);
        *self = all;
        let entries: Vec<u8> = (self.nimbers.iter())
            .flat_map(|(&(rows, columns), &nimber)| [rows, columns, nimber.0])
            .collect();
        write_file(file, Kind::Nimbers, |out| {
            out.section("boards", &entries)?;
            Ok(Metadata {
                generator: generator(),
                boards: self.len() as u32,
            })
        })
    }
}

/// The shorter side first; `None` if there is no such board.
fn key(rows: usize, columns: usize) -> Option<(u8, u8)> {
    Board::empty(rows, columns)?;
    Some((rows.min(columns) as u8, rows.max(columns) as u8))
}

/// The entries, which must ascend and be boards; no nimber exceeds the number of turns.
fn entries_of(body: &[u8]) -> Option<NimberTable> {
    let mut table = NimberTable::default();
    let (entries, rest) = body.as_chunks::<ENTRY_BYTES>();
    for &[rows, columns, nimber] in entries {
        let size = (rows, columns);
        let in_order = (table.nimbers.last_key_value()).is_none_or(|(last, _)| *last < size);
        let possible = key(size.0.into(), size.1.into()) == Some(size)
            && usize::from(nimber) <= usize::from(size.0) * usize::from(size.1);
        if !in_order || !possible {
            return None;
        }
        table.nimbers.insert(size, Nimber(nimber));
    }
    rest.is_empty().then_some(table)
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

    #[test]
    fn what_is_saved_is_read_and_joins_what_is_there() {
        let directory = tempfile::tempdir().unwrap();
        let file = nimbers_path(&directory.path().join("deep/er"));
        assert_eq!(NimberTable::read(&file).unwrap(), NimberTable::default());
        table().save(&file).unwrap();
        let again = NimberTable::read(&file).unwrap();
        assert_eq!(again, table());
        assert_eq!(again.get(9, 2), Some(Nimber(3)));
        assert_eq!(again.get(2, 2), None);
        let mut more = NimberTable::default();
        assert!(more.insert(2, 2, Nimber(1)) && !more.insert(12, 11, Nimber(0)));
        more.save(&file).unwrap();
        assert_eq!(more.len(), table().len() + 1);
        assert_eq!(NimberTable::read(&file).unwrap(), more);
    }

    #[test]
    fn many_writers_at_once_lose_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let file = nimbers_path(directory.path());
        std::thread::scope(|scope| {
            for rows in 1..=8 {
                let file = &file;
                scope.spawn(move || {
                    for columns in rows..=10 {
                        let mut one = NimberTable::default();
                        assert!(one.insert(rows, columns, Nimber(1)));
                        one.save(file).unwrap();
                    }
                });
            }
        });
        let all: usize = (1..=8).map(|rows| 11 - rows).sum();
        assert_eq!(NimberTable::read(&file).unwrap().len(), all);
    }
}

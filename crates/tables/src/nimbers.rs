//! Files with the nimbers of empty Obstruction boards of all shapes.

#![allow(missing_docs)]

use super::error::TableError;
use super::lock::TablesLock;
use bincode::{Decode, Encode};
use phutbase_base::nimber::Nimber;
use phutbase_files::FileError;
use phutbase_files::container::FileKind;
use phutbase_files::container::read::Container;
use phutbase_files::container::{GENERATOR, write::write_file};
use phutbase_rules::obstruction::{Form, Grid};
use phutbase_rules::rules::Rules;
use std::collections::BTreeMap;
use std::path::Path;

#[derive(Encode, Decode)]
struct NimberMetadata {
    generator: String,
    boards: u32,
}

/// Bytes of an entry: form, layers, rows, columns, nimber (one byte each).
const ENTRY_BYTES: usize = 5;

/// Nimbers of empty boards. A board and its transpose share an entry.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct NimberTable {
    nimbers: BTreeMap<Grid, Nimber>,
}

impl NimberTable {
    /// Returns the nimber of an empty board, if it is known.
    pub fn get(&self, board: Grid) -> Option<Nimber> {
        self.nimbers.get(&board.upright()).copied()
    }

    /// Returns the nimber of an empty rectangle, if it is known.
    pub fn rectangle(&self, rows: usize, columns: usize) -> Option<Nimber> {
        self.get(Grid::new(Form::Rectangle, &[rows, columns])?)
    }

    pub fn insert(&mut self, board: Grid, nimber: Nimber) {
        self.nimbers.insert(board.upright(), nimber);
    }

    /// Iterates over every board with its nimber, by form and size.
    pub fn iter(&self) -> impl Iterator<Item = (Grid, Nimber)> + '_ {
        self.nimbers.iter().map(|(&board, &nimber)| (board, nimber))
    }

    /// Iterates over rows, columns (no fewer than rows) and nimber of every rectangle, ascending.
    pub fn rectangles(&self) -> impl Iterator<Item = (usize, usize, Nimber)> + '_ {
        let rectangles = self.iter().filter(|(board, _)| board.form() == Form::Rectangle);
        rectangles.map(|(board, nimber)| {
            let [_, rows, columns] = board.sides();
            (rows, columns, nimber)
        })
    }

    pub fn len(&self) -> usize {
        self.nimbers.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nimbers.is_empty()
    }

    /// Reads and checks a file; a missing file is an empty table.
    pub fn read(file: &Path) -> Result<NimberTable, TableError> {
        match Container::open(file) {
            Ok(container) => NimberTable::of(&container),
            Err(FileError::Io { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
                Ok(NimberTable::default())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Reads and checks an open file.
    pub fn of(container: &Container) -> Result<NimberTable, TableError> {
        let metadata: NimberMetadata = container.metadata(FileKind::Nimbers)?;
        let [boards] = container.sections(["grids"])?;
        let table =
            entries_of(&container.section(boards)?).filter(|table| table.len() == metadata.boards as usize);
        Ok(table.ok_or_else(|| container.corrupt("the boards are out of order or out of range"))?)
    }

    /// Adds the boards of another table.
    pub fn extend(&mut self, more: &NimberTable) {
        self.nimbers.extend(&more.nimbers);
    }

    /// Merges these boards with those in a file, which other processes may have extended. Creates
    /// the directory if needed.
    pub fn save(&mut self, file: &Path) -> Result<(), TableError> {
        let directory = (file.parent())
            .filter(|directory| !directory.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        // A separate lock: runs that generate other tables hold the directory's lock for hours.
        let _lock = TablesLock::wait(directory, ".obstruction.lock")?;
        let mut all = NimberTable::read(file)?;
        all.extend(self);
        *self = all;
        let entries: Vec<u8> = (self.iter())
            .flat_map(|(board, nimber)| {
                let [layers, rows, columns] = board.sides().map(|side| side as u8);
                [board.form() as u8, layers, rows, columns, nimber.0]
            })
            .collect();
        write_file(file, (FileKind::Nimbers, Rules::Ordinary), |out| {
            out.section("grids", &entries)?;
            Ok(NimberMetadata {
                generator: GENERATOR.to_string(),
                boards: self.len() as u32,
            })
        })?;
        Ok(())
    }
}

/// Decodes the entries. They must ascend and be valid boards; no nimber exceeds the number of
/// turns.
fn entries_of(body: &[u8]) -> Option<NimberTable> {
    let mut table = NimberTable::default();
    let (entries, rest) = body.as_chunks::<ENTRY_BYTES>();
    for &[form, layers, rows, columns, nimber] in entries {
        let sides = [layers, rows, columns].map(usize::from);
        let form = Form::ALL.into_iter().find(|known| *known as u8 == form)?;
        let board = Grid::of_sides(form, sides)?;
        let in_order = (table.nimbers.last_key_value()).is_none_or(|(last, _)| *last < board);
        let one_way = board.form() == form && board.sides() == sides && board.upright() == board;
        if !in_order || !one_way || usize::from(nimber) > board.cells() {
            return None;
        }
        table.nimbers.insert(board, Nimber(nimber));
    }
    rest.is_empty().then_some(table)
}

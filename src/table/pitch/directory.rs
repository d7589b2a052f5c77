//! The pitch tables of a directory, each opened once, when it is first needed.

use super::{CACHE_BYTES, PitchTable, PitchTableError, shapes};
use crate::games::pitch::Shape;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The pitch tables of a directory. Cheap to share between threads.
pub struct PitchTables {
    directory: PathBuf,
    tables: BTreeMap<Shape, OnceLock<PitchTable>>,
    /// One thread opens a table at a time.
    opening: Mutex<()>,
    cache: usize,
}

impl PitchTables {
    /// Looks which tables a directory has; one that cannot be listed has none.
    pub fn new(directory: &Path) -> PitchTables {
        let tables = shapes(directory)
            .into_iter()
            .map(|shape| (shape, OnceLock::new()));
        PitchTables {
            directory: directory.to_path_buf(),
            tables: tables.collect(),
            opening: Mutex::new(()),
            cache: CACHE_BYTES,
        }
    }

    /// The same, with tables that keep at most so many bytes of unpacked blocks each.
    pub fn with_cache(self, cache: usize) -> PitchTables {
        PitchTables { cache, ..self }
    }

    /// The shapes that have a table, ascending.
    pub fn shapes(&self) -> impl Iterator<Item = Shape> + '_ {
        self.tables.keys().copied()
    }

    /// The table of a shape, opened and checked.
    ///
    /// # Errors
    /// [`PitchTableError::Missing`] with the command that makes it, or what is wrong with the file.
    pub fn table(&self, shape: Shape) -> Result<&PitchTable, PitchTableError> {
        let missing = || PitchTableError::Missing {
            shape,
            directory: self.directory.clone(),
        };
        let slot = self.tables.get(&shape).ok_or_else(missing)?;
        if slot.get().is_none() {
            let _one_at_a_time = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
            if slot.get().is_none() {
                let table = PitchTable::open(&self.directory, shape)?.with_cache(self.cache);
                let _ = slot.set(table);
            }
        }
        slot.get().ok_or_else(missing)
    }
}

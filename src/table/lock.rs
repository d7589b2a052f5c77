//! A directory of tables held for writing.

use super::error::{TableError, io_error};
use crate::disk::{open_lock, remove_partials};
use std::fs::{File, TryLockError};
use std::path::Path;

/// A directory held for writing, so that two runs cannot meet in it.
pub struct TablesLock {
    lock: File,
}

impl Drop for TablesLock {
    fn drop(&mut self) {
        // Closing the file is not enough: a child process that is being born has a copy of it, and the lock with it. If
        // this fails, closing is what is left.
        let _ = self.lock.unlock();
    }
}

impl TablesLock {
    /// Makes the directory if need be, holds it, and removes what killed runs left there.
    ///
    /// # Errors
    /// [`TableError::Busy`] if another process holds it; [`TableError::Io`] if it cannot be used.
    pub fn hold(directory: &Path) -> Result<TablesLock, TableError> {
        let lock = lock_file(directory, ".lock")?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(TableError::Busy(directory.to_path_buf()));
            }
            Err(TryLockError::Error(error)) => {
                return Err(io_error(directory, "hold the lock file in it")(error));
            }
        }
        let lock = TablesLock { lock };
        remove_partials(directory).map_err(io_error(directory, "list it"))?;
        Ok(lock)
    }

    /// Waits until nobody else reads and writes the one file that `name` locks.
    pub(super) fn wait(directory: &Path, name: &str) -> Result<TablesLock, TableError> {
        let lock = lock_file(directory, name)?;
        lock.lock()
            .map_err(io_error(directory, "hold the lock file in it"))?;
        Ok(TablesLock { lock })
    }
}

fn lock_file(directory: &Path, name: &str) -> Result<File, TableError> {
    std::fs::create_dir_all(directory).map_err(io_error(directory, "make the directory"))?;
    let path = directory.join(name);
    let file = open_lock(&path).map_err(io_error(directory, "make a lock file in it"))?;
    file.ok_or(TableError::NotATable(path))
}

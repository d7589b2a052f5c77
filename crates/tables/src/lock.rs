//! Write locks on directories of tables.

use super::error::TableError;
use phutbase_base::disk::{open_lock, remove_partials};
use phutbase_files::error::io_error;
use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

/// An exclusive lock on a directory, held while a run writes to it.
pub struct TablesLock(File);

impl Drop for TablesLock {
    fn drop(&mut self) {
        // Unlock explicitly: a child process between fork and exec has a copy of the descriptor,
        // which would keep the lock.
        let _ = self.0.unlock();
    }
}

impl TablesLock {
    /// Creates the directory if needed, locks it, and removes temporary files of killed runs.
    pub fn hold(directory: &Path) -> Result<TablesLock, TableError> {
        let lock = lock_file(directory, ".lock")?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(TableError::Busy(directory.to_path_buf()));
            }
            Err(TryLockError::Error(error)) => {
                return Err(io_error(directory, "lock the directory")(error).into());
            }
        }
        let lock = TablesLock(lock);
        remove_partials(directory).map_err(io_error(directory, "list it"))?;
        Ok(lock)
    }

    /// Blocks until the lock file `name` is free.
    pub(super) fn wait(directory: &Path, name: &str) -> Result<TablesLock, TableError> {
        let lock = lock_file(directory, name)?;
        lock.lock().map_err(io_error(directory, "lock the directory"))?;
        Ok(TablesLock(lock))
    }
}

fn lock_file(directory: &Path, name: &str) -> Result<File, TableError> {
    std::fs::create_dir_all(directory).map_err(io_error(directory, "create the directory"))?;
    let path = directory.join(name);
    let file = open_lock(&path).map_err(io_error(directory, "create a lock file in the directory"))?;
    file.ok_or_else(|| io_error(&path, "lock it")(io::Error::other("it is no regular file")).into())
}

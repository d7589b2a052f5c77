//! Where a table's bytes come from: a mapped file, or memory.

use super::error::{TableError, io_error};
use memmap2::{Mmap, MmapOptions};
use std::fs::File;
use std::path::Path;

/// Where a table's bytes come from.
pub trait Storage: Send + Sync {
    /// All bytes.
    fn bytes(&self) -> &[u8];
}

impl Storage for Vec<u8> {
    fn bytes(&self) -> &[u8] {
        self
    }
}

impl Storage for Mmap {
    fn bytes(&self) -> &[u8] {
        self
    }
}

/// Files up to this size have their pages mapped all at once, which takes less time than one by one.
const MAPPED_AT_ONCE: u64 = 4 << 20;

/// Maps a table file of `bytes` bytes to read.
fn map(file: &File, bytes: u64) -> std::io::Result<Mmap> {
    let mut options = MmapOptions::new();
    if bytes <= MAPPED_AT_ONCE {
        options.populate();
    }
    // SAFETY: tables are made under another name and renamed when complete, and never changed in place; whoever cuts a
    // mapped file short from outside stops the program with a bus error, but cannot make it answer wrongly.
    unsafe { options.map(file) }
}

/// Opens a file and maps it.
///
/// # Errors
/// [`TableError::NotATable`] if it is no ordinary file, [`TableError::Io`].
pub(super) fn map_file(path: &Path) -> Result<Box<dyn Storage>, TableError> {
    // Asked before opening, which would wait for ever on a pipe.
    let metadata = std::fs::metadata(path).map_err(io_error(path, "open it"))?;
    if !metadata.is_file() {
        return Err(TableError::NotATable {
            file: path.to_path_buf(),
        });
    }
    let file = File::open(path).map_err(io_error(path, "open it"))?;
    Ok(Box::new(
        map(&file, metadata.len()).map_err(io_error(path, "map it"))?,
    ))
}

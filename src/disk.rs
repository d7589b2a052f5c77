//! What files need of a disk: space set aside before it is used, and names that last.

use std::fs::File;
use std::io;
use std::path::Path;

/// Gives `file` a length of `bytes` with the space really set aside, so that writing into a map of it cannot fail.
///
/// # Errors
/// The system's error if the disk has no room.
pub fn reserve(file: &File, bytes: u64) -> io::Result<()> {
    fs4::FileExt::allocate(file, bytes)
}

/// Makes a rename last: until its directory is flushed, a power failure may undo it.
///
/// # Errors
/// The system's error if the directory cannot be flushed.
pub fn sync_directory(directory: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(directory)?.sync_all()?;
    }
    Ok(())
}

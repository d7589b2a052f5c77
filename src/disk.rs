//! Disk space, asked for before it is used.

use std::fs::File;
use std::io;

/// Gives `file` a length of `bytes` with the space really set aside, so that writing into a map of it cannot fail.
///
/// # Errors
/// The system's error if the disk has no room.
pub fn reserve(file: &File, bytes: u64) -> io::Result<()> {
    fs4::FileExt::allocate(file, bytes)
}

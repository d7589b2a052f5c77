//! Files of a scratch directory, mapped: room for what memory cannot hold.
//!
//! The files have no names and go with the process.

use bytemuck::Pod;
use memmap2::{MmapMut, MmapRaw};
use std::io;
use std::path::Path;
use std::sync::atomic::AtomicU8;

/// Zeroed values in a mapped file.
pub struct ScratchFile {
    map: MmapMut,
}

impl ScratchFile {
    /// Room for `bytes` bytes in an unnamed file below `directory`, all 0.
    ///
    /// # Errors
    /// The system's error if the file cannot be made, is refused the disk space, or cannot be mapped.
    pub fn new(bytes: u64, directory: &Path) -> io::Result<ScratchFile> {
        let file = tempfile::tempfile_in(directory)?;
        crate::disk::reserve(&file, bytes)?;
        Ok(ScratchFile {
            map: map_private_file(&file)?,
        })
    }

    /// The file as values of a type whose size divides the file's.
    #[inline(always)]
    pub fn values<T: Pod>(&self) -> &[T] {
        bytemuck::cast_slice(&self.map)
    }

    /// The file as values, to write.
    #[inline(always)]
    pub fn values_mut<T: Pod>(&mut self) -> &mut [T] {
        bytemuck::cast_slice_mut(&mut self.map)
    }

    /// The file as bytes that all threads may write.
    pub fn into_shared_bytes(self) -> SharedBytes {
        SharedBytes { map: self.map.into() }
    }
}

/// Bytes of a mapped file that all threads may read and write.
pub struct SharedBytes {
    map: MmapRaw,
}

impl SharedBytes {
    /// The bytes.
    #[inline(always)]
    pub fn bytes(&self) -> &[AtomicU8] {
        // SAFETY: the map lives as long as the slice, nobody else can open the file, and nothing reads or writes it but through
        // these atomics, which have the size and alignment of bytes.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast::<AtomicU8>(), self.map.len()) }
    }
}

/// Maps a file that no other process can open.
fn map_private_file(file: &std::fs::File) -> io::Result<MmapMut> {
    // SAFETY: the file was just made without a name, so nothing else can shorten or change it while it is mapped,
    // and its blocks are reserved on the disk, so a store cannot fail for want of space.
    unsafe { MmapMut::map_mut(file) }
}

//! Memory of the engines: anonymous mappings, or files in a scratch directory.

use bytemuck::Zeroable;
#[cfg(target_os = "linux")]
use memmap2::Advice;
use memmap2::{MmapMut, MmapOptions, MmapRaw};
use std::fs::File;
use std::io;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};

/// The error of a failed allocation.
#[derive(Debug, thiserror::Error)]
pub enum MappingError {
    #[error("cannot allocate {0} bytes; name a directory with --scratch or choose smaller boards")]
    Memory(u64),
    #[error("scratch directory '{}': {source}; free space there or name another with --scratch", directory.display())]
    Scratch { directory: PathBuf, source: io::Error },
}

/// Values in an anonymous mapping, or in a mapped file without a name, which ends with the process.
pub struct Mapping<T> {
    map: MmapRaw,
    count: usize,
    values: PhantomData<T>,
}

impl<T: Zeroable> Mapping<T> {
    /// Creates `count` zeros, in memory or in a file below `scratch`.
    pub fn new(count: usize, scratch: Option<&Path>) -> Result<Mapping<T>, MappingError> {
        // A slice has at most `isize::MAX` bytes.
        let bytes = (count as u64).checked_mul(size_of::<T>() as u64);
        let bytes = bytes.filter(|&bytes| in_huge_pages(bytes) <= isize::MAX as u64);
        let bytes = bytes.ok_or(MappingError::Memory(u64::MAX))?;
        let map = match scratch {
            // An empty file cannot be mapped.
            Some(directory) if count > 0 => {
                mapped_file(bytes, directory).map_err(|source| MappingError::Scratch {
                    directory: directory.to_path_buf(),
                    source,
                })?
            }
            _ => mapped_memory(bytes).ok_or(MappingError::Memory(bytes))?,
        };
        Ok(Mapping {
            map,
            count,
            values: PhantomData,
        })
    }
}

fn mapped_file(bytes: u64, directory: &Path) -> io::Result<MmapRaw> {
    let file = phutbase_base::disk::unnamed_file(directory)?;
    // A store into a sparse file raises SIGBUS when the disk is full. On file systems that copy on
    // write this reserves nothing, and such a store ends the process; so does an I/O error.
    reserve(&file, bytes)?;
    MmapOptions::new().map_raw(&file)
}

/// Extends `file` to `bytes` and allocates the disk space, so that writing through a map does not
/// run out of it. File systems that copy on write or compress (btrfs, ZFS) may still have no space
/// at the write.
fn reserve(file: &File, bytes: u64) -> io::Result<()> {
    #[cfg(unix)]
    rustix::fs::fallocate(file, rustix::fs::FallocateFlags::empty(), 0, bytes)?;
    file.set_len(bytes)
}

/// Maps memory, in huge pages if available: random access is about twice as fast.
fn mapped_memory(bytes: u64) -> Option<MmapRaw> {
    let map = MmapMut::map_anon(usize::try_from(in_huge_pages(bytes)).ok()?).ok()?;
    #[cfg(target_os = "linux")]
    let _ = map.advise(Advice::HugePage);
    Some(map.into())
}

/// Rounds a number of bytes up to whole huge pages if it fills one: the system aligns only such
/// mappings, and splits the pages of others when it moves them.
fn in_huge_pages(bytes: u64) -> u64 {
    const HUGE_PAGE: u64 = 2 << 20;
    if bytes < HUGE_PAGE {
        bytes
    } else {
        bytes.checked_next_multiple_of(HUGE_PAGE).unwrap_or(u64::MAX)
    }
}

impl<T> Deref for Mapping<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: the mapping is page-aligned, lives as long as the slice, and has `count` values.
        // It is private memory or a file without a name, so nothing else can shorten or change it.
        // If the file system has no space for a page or cannot read it, the access raises SIGBUS,
        // which ends the process before it sees a value.
        // Its bytes start as zeros, which are values of T (`new` requires `Zeroable`), and are
        // written only as values of T, through `deref_mut` or through shared atomics.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast::<T>(), self.count) }
    }
}

impl<T> DerefMut for Mapping<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`; `self` is borrowed mutably, so no other slice exists.
        unsafe { std::slice::from_raw_parts_mut(self.map.as_mut_ptr().cast::<T>(), self.count) }
    }
}

//! Room for what an engine works on: in memory, or in files of a scratch directory.
//!
//! The files have no names and go with the process.

use bytemuck::Zeroable;
use memmap2::{MmapOptions, MmapRaw};
use std::io;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};

/// Why there is no room.
#[derive(Debug, thiserror::Error)]
pub enum NoRoom {
    /// The system refused memory.
    #[error("no memory for {0} bytes: give a scratch directory with --scratch, or try something smaller")]
    Memory(u64),
    /// A scratch file failed.
    #[error("scratch directory '{}': {source}; free space there or name another with --scratch", directory.display())]
    Scratch {
        /// The directory.
        directory: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

/// A row of values in memory or in a scratch file.
pub enum Room<T> {
    /// In memory.
    Memory(Vec<T>),
    /// In a file.
    Scratch(ScratchFile<T>),
}

impl<T: Zeroable> Room<T> {
    /// So many zeros, in memory or in a file below `scratch`.
    ///
    /// # Errors
    /// [`NoRoom`].
    pub fn new(count: usize, scratch: Option<&Path>) -> Result<Room<T>, NoRoom> {
        let bytes = count as u64 * size_of::<T>() as u64;
        match scratch {
            // An empty file cannot be mapped.
            Some(directory) if count > 0 => {
                ScratchFile::new(bytes, directory)
                    .map(Room::Scratch)
                    .map_err(|source| NoRoom::Scratch {
                        directory: directory.to_path_buf(),
                        source,
                    })
            }
            _ => bytemuck::allocation::try_zeroed_vec(count)
                .map(Room::Memory)
                .map_err(|()| NoRoom::Memory(bytes)),
        }
    }
}

impl<T> Deref for Room<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        match self {
            Room::Memory(values) => values,
            Room::Scratch(file) => file.values(),
        }
    }
}

impl<T> DerefMut for Room<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        match self {
            Room::Memory(values) => values,
            Room::Scratch(file) => file.values_mut(),
        }
    }
}

/// Values in a mapped file that nobody else can open.
pub struct ScratchFile<T> {
    map: MmapRaw,
    values: PhantomData<T>,
}

impl<T: Zeroable> ScratchFile<T> {
    fn new(bytes: u64, directory: &Path) -> io::Result<ScratchFile<T>> {
        let file = tempfile::tempfile_in(directory)?;
        // Its blocks are reserved on the disk, so a store cannot fail for want of space.
        crate::disk::reserve(&file, bytes)?;
        Ok(ScratchFile {
            map: MmapOptions::new().map_raw(&file)?,
            values: PhantomData,
        })
    }
}

impl<T> ScratchFile<T> {
    fn count(&self) -> usize {
        self.map.len() / size_of::<T>()
    }

    #[inline(always)]
    fn values(&self) -> &[T] {
        // SAFETY: the map is aligned to a page, lives as long as the slice and is longer by no value. The file has no name, so nothing
        // else shortens or changes it; it was all zeros, which are values of T (`new` asks for `Zeroable`), and is written
        // only as values of T, through `values_mut` or through what T allows to be written when shared (atomics).
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast::<T>(), self.count()) }
    }

    #[inline(always)]
    fn values_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `values`; and `self` is borrowed mutably, so there is no other slice.
        unsafe { std::slice::from_raw_parts_mut(self.map.as_mut_ptr().cast::<T>(), self.count()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU8, Ordering};

    #[test]
    fn memory_and_scratch_hold_the_same() {
        let directory = tempfile::tempdir().unwrap();
        for scratch in [None, Some(directory.path())] {
            let mut room: Room<u32> = Room::new(5000, scratch).unwrap();
            assert!(room.iter().all(|&value| value == 0) && room.len() == 5000);
            room[4999] = 7;
            assert_eq!(room[4998..], [0, 7]);
            let shared: Room<AtomicU8> = Room::new(3, scratch).unwrap();
            std::thread::scope(|scope| {
                for byte in shared.iter() {
                    scope.spawn(|| byte.fetch_add(9, Ordering::Relaxed));
                }
            });
            assert!(shared.iter().all(|byte| byte.load(Ordering::Relaxed) == 9));
            assert!(Room::<u64>::new(0, scratch).unwrap().is_empty());
        }
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
        assert!(matches!(
            Room::<u8>::new(1, Some(&directory.path().join("none"))),
            Err(NoRoom::Scratch { .. })
        ));
        assert!(matches!(
            Room::<u64>::new(1 << 55, None),
            Err(NoRoom::Memory { .. })
        ));
    }
}

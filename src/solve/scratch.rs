//! Room for what an engine works on: in memory, or in files of a scratch directory.
//!
//! The files have no names and go with the process.

use bytemuck::Zeroable;
#[cfg(target_os = "linux")]
use memmap2::{Advice, RemapOptions};
use memmap2::{MmapMut, MmapOptions, MmapRaw};
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

/// A row of values in mapped memory, or in a mapped file that nobody else can open.
pub struct Room<T> {
    map: MmapRaw,
    in_memory: bool,
    count: usize,
    values: PhantomData<T>,
}

impl<T: Zeroable> Room<T> {
    /// So many zeros, in memory or in a file below `scratch`.
    pub fn new(count: usize, scratch: Option<&Path>) -> Result<Room<T>, NoRoom> {
        let bytes = count as u64 * size_of::<T>() as u64;
        let map = match scratch {
            // An empty file cannot be mapped.
            Some(directory) if count > 0 => {
                mapped_file(bytes, directory).map_err(|source| NoRoom::Scratch {
                    directory: directory.to_path_buf(),
                    source,
                })?
            }
            _ => mapped_memory(bytes).ok_or(NoRoom::Memory(bytes))?,
        };
        Ok(Room {
            map,
            in_memory: scratch.is_none() || count == 0,
            count,
            values: PhantomData,
        })
    }

    /// So many zeros in memory that is known to be there.
    ///
    /// # Panics
    /// If the system refuses it all the same.
    pub fn granted(count: usize) -> Room<T> {
        Room::new(count, None).expect("the memory that was said to be needed is there")
    }

    /// Fewer values, or more of which the new ones are zeros; where the system cannot move the map, both are there for a moment.
    ///
    /// # Errors
    /// [`NoRoom::Memory`]; then all is as it was.
    ///
    /// # Panics
    /// If the room is a file.
    pub fn resize(&mut self, count: usize) -> Result<(), NoRoom> {
        assert!(self.in_memory, "only rooms in memory change their size");
        #[cfg(target_os = "linux")]
        {
            let bytes = count as u64 * size_of::<T>() as u64;
            let options = RemapOptions::new().may_move(true);
            // SAFETY: `self` is borrowed mutably, so there is no slice of the old map; what a map of memory gains is zeros.
            unsafe { self.map.remap(bytes as usize, options) }.map_err(|_| NoRoom::Memory(bytes))?;
            self.count = count;
        }
        #[cfg(not(target_os = "linux"))]
        {
            let mut old = std::mem::replace(self, Room::new(count, None)?);
            (self.iter_mut().zip(old.iter_mut())).for_each(|(new, old)| std::mem::swap(new, old));
        }
        Ok(())
    }
}

fn mapped_file(bytes: u64, directory: &Path) -> io::Result<MmapRaw> {
    let file = tempfile::tempfile_in(directory)?;
    // Its blocks are reserved on the disk, so a store cannot fail for want of space.
    crate::disk::reserve(&file, bytes)?;
    MmapOptions::new().map_raw(&file)
}

/// Values are looked up all over the place: in large pages the system finds them with half the work. Where there are none, nothing is lost.
fn mapped_memory(bytes: u64) -> Option<MmapRaw> {
    let map = MmapMut::map_anon(usize::try_from(bytes).ok()?).ok()?;
    #[cfg(target_os = "linux")]
    let _ = map.advise(Advice::HugePage);
    Some(map.into())
}

impl<T> Deref for Room<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: the map is aligned to a page, lives as long as the slice and is as long as `count` values. It is memory of this
        // process, or a file without a name: nothing else shortens or changes it. It was all zeros, which are values of T (`new` asks
        // for `Zeroable`), and is written only as values of T, through `deref_mut` or through what T allows to be written when
        // shared (atomics).
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast::<T>(), self.count) }
    }
}

impl<T> DerefMut for Room<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`; and `self` is borrowed mutably, so there is no other slice.
        unsafe { std::slice::from_raw_parts_mut(self.map.as_mut_ptr().cast::<T>(), self.count) }
    }
}

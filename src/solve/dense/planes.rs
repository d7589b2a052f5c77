//! Where planes are kept: in memory, or in files mapped from a scratch directory.
//!
//! The engine sees a plane only through [`PlaneStore`]: any slice can be read while none is written, and all can be
//! written at once, each by one thread. Nothing else is asked of a store, so slices spread over machines fit as well.

use super::DenseError;
use super::layout::Layout;
use super::pool::State;
use memmap2::MmapMut;
use std::path::Path;

/// The slices of one plane.
pub trait PlaneStore: Send + Sync {
    /// One slice, to read.
    fn slice(&self, index: usize) -> &[State];
    /// All slices, to write.
    fn slices_mut(&mut self) -> Vec<&mut [State]>;
}

/// A plane in memory.
pub struct MemoryPlane {
    states: Vec<State>,
    slice_blocks: usize,
}

impl MemoryPlane {
    /// An empty set.
    ///
    /// # Errors
    /// [`DenseError::OutOfMemory`] if the system refuses the memory.
    pub fn new(layout: &Layout) -> Result<MemoryPlane, DenseError> {
        let states =
            bytemuck::allocation::try_zeroed_vec(layout.blocks()).map_err(|()| DenseError::OutOfMemory {
                bytes: layout.plane_bytes(),
            })?;
        Ok(MemoryPlane {
            states,
            slice_blocks: layout.slice_blocks(),
        })
    }
}

impl PlaneStore for MemoryPlane {
    #[inline(always)]
    fn slice(&self, index: usize) -> &[State] {
        &self.states[index * self.slice_blocks..][..self.slice_blocks]
    }

    fn slices_mut(&mut self) -> Vec<&mut [State]> {
        self.states.chunks_mut(self.slice_blocks).collect()
    }
}

/// A plane in a file of a scratch directory, mapped; the file has no name any more and goes with the process.
pub struct MappedPlane {
    map: MmapMut,
    slice_blocks: usize,
}

impl MappedPlane {
    /// An empty set in an unnamed file below `directory`.
    ///
    /// # Errors
    /// [`DenseError::Scratch`] if the file cannot be made, is refused the disk space, or cannot be mapped.
    pub fn new(layout: &Layout, directory: &Path) -> Result<MappedPlane, DenseError> {
        let scratch = |source| DenseError::Scratch {
            directory: directory.to_path_buf(),
            source,
        };
        let file = tempfile::tempfile_in(directory).map_err(scratch)?;
        crate::disk::reserve(&file, layout.plane_bytes()).map_err(scratch)?;
        Ok(MappedPlane {
            map: map_private_file(&file).map_err(scratch)?,
            slice_blocks: layout.slice_blocks(),
        })
    }

    fn states(&self) -> &[State] {
        bytemuck::cast_slice(&self.map)
    }
}

impl PlaneStore for MappedPlane {
    #[inline(always)]
    fn slice(&self, index: usize) -> &[State] {
        &self.states()[index * self.slice_blocks..][..self.slice_blocks]
    }

    fn slices_mut(&mut self) -> Vec<&mut [State]> {
        bytemuck::cast_slice_mut::<u8, State>(&mut self.map)
            .chunks_mut(self.slice_blocks)
            .collect()
    }
}

/// Maps a file that no other process can open.
fn map_private_file(file: &std::fs::File) -> std::io::Result<MmapMut> {
    // SAFETY: the file was just made without a name, so nothing else can shorten or change it while it is mapped,
    // and its blocks are reserved on the disk, so a store cannot fail for want of space.
    unsafe { MmapMut::map_mut(file) }
}

//! Where planes are kept: in memory, or in files mapped from a scratch directory.
//!
//! The engine sees a plane only through [`PlaneStore`]: any slice can be read while none is written, and all can be
//! written at once, each by one thread. Nothing else is asked of a store, so slices spread over machines fit as well.

use super::super::scratch::ScratchFile;
use super::DenseError;
use super::layout::Layout;
use super::pool::State;
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
    file: ScratchFile,
    slice_blocks: usize,
}

impl MappedPlane {
    /// An empty set in an unnamed file below `directory`.
    ///
    /// # Errors
    /// [`DenseError::Scratch`] if the file cannot be made, is refused the disk space, or cannot be mapped.
    pub fn new(layout: &Layout, directory: &Path) -> Result<MappedPlane, DenseError> {
        let file = ScratchFile::new(layout.plane_bytes(), directory);
        Ok(MappedPlane {
            file: file.map_err(|source| DenseError::Scratch {
                directory: directory.to_path_buf(),
                source,
            })?,
            slice_blocks: layout.slice_blocks(),
        })
    }
}

impl PlaneStore for MappedPlane {
    #[inline(always)]
    fn slice(&self, index: usize) -> &[State] {
        &self.file.values()[index * self.slice_blocks..][..self.slice_blocks]
    }

    fn slices_mut(&mut self) -> Vec<&mut [State]> {
        self.file.values_mut().chunks_mut(self.slice_blocks).collect()
    }
}

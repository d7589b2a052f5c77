//! Where the engine keeps its sets and depths: in memory, or in files of a scratch directory.

use super::super::dense::block::Block;
use super::super::scratch::{ScratchFile, SharedBytes};
use super::PitchSolveError;
use super::Setup;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::AtomicU8;

/// Blocks of a chunk.
pub enum Blocks {
    /// In memory.
    Memory(Vec<Block>),
    /// In a file.
    Scratch(ScratchFile),
}

impl Blocks {
    /// Empty sets.
    ///
    /// # Errors
    /// [`PitchSolveError::OutOfMemory`], [`PitchSolveError::Scratch`].
    pub fn new(count: usize, setup: &Setup) -> Result<Blocks, PitchSolveError> {
        let bytes = (count * size_of::<Block>()) as u64;
        match &setup.scratch {
            // An empty file cannot be mapped.
            Some(_) if count > 0 => setup.scratch_file(bytes).map(Blocks::Scratch),
            _ => bytemuck::allocation::try_zeroed_vec(count)
                .map(Blocks::Memory)
                .map_err(|()| setup.out_of_memory(bytes)),
        }
    }
}

impl Deref for Blocks {
    type Target = [Block];

    #[inline(always)]
    fn deref(&self) -> &[Block] {
        match self {
            Blocks::Memory(blocks) => blocks,
            Blocks::Scratch(file) => file.values(),
        }
    }
}

impl DerefMut for Blocks {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [Block] {
        match self {
            Blocks::Memory(blocks) => blocks,
            Blocks::Scratch(file) => file.values_mut(),
        }
    }
}

/// Depth bytes, which all threads write.
pub enum DepthBytes {
    /// In memory.
    Memory(Vec<AtomicU8>),
    /// In a file.
    Scratch(SharedBytes),
}

impl DepthBytes {
    /// Zeros.
    ///
    /// # Errors
    /// As [`Blocks::new`].
    pub fn new(bytes: u64, setup: &Setup) -> Result<DepthBytes, PitchSolveError> {
        if setup.scratch.is_some() {
            return Ok(DepthBytes::Scratch(
                setup.scratch_file(bytes)?.into_shared_bytes(),
            ));
        }
        let mut zeros = Vec::new();
        let length = usize::try_from(bytes).map_err(|_| setup.out_of_memory(bytes))?;
        zeros
            .try_reserve_exact(length)
            .map_err(|_| setup.out_of_memory(bytes))?;
        zeros.resize_with(length, || AtomicU8::new(0));
        Ok(DepthBytes::Memory(zeros))
    }
}

impl Deref for DepthBytes {
    type Target = [AtomicU8];

    #[inline(always)]
    fn deref(&self) -> &[AtomicU8] {
        match self {
            DepthBytes::Memory(bytes) => bytes,
            DepthBytes::Scratch(file) => file.bytes(),
        }
    }
}

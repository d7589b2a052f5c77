//! What a length will take, before anything is allocated.

use super::Request;
use crate::disk::available_space;
use crate::games::strip::{MIN_LENGTH, positions};
use crate::solve::dense::MAX_DENSE_LENGTH;
use crate::solve::dense::layout::DenseLayout;
use std::path::{Path, PathBuf};
use sysinfo::System;

/// What a length needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The number of squares.
    pub length: usize,
    /// Positions with Left to move.
    pub positions: u64,
    /// Memory in bytes: what the planes take, if they are in memory, and what the blocks they share are expected to.
    pub memory: u64,
    /// Bytes on the scratch directory.
    pub scratch: u64,
    /// Bytes in the directory of tables: a checkpoint and the next one, which is written before the first is let go; the
    /// table itself is smaller than either.
    pub disk: u64,
}

/// Why a length is not begun.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// Out of range.
    #[error(
        "length {length} is out of range: the dense engine solves lengths {MIN_LENGTH} to {MAX_DENSE_LENGTH}"
    )]
    Length {
        /// The length asked for.
        length: usize,
    },
    /// Not enough memory.
    #[error(
        "length {length} needs {} of memory and {} may be used: {way_out}",
        human_bytes(*needed), human_bytes(*available)
    )]
    Memory {
        /// The length.
        length: usize,
        /// Bytes needed.
        needed: u64,
        /// Bytes that may be used.
        available: u64,
        /// What to do.
        way_out: String,
    },
    /// Not enough disk.
    #[error(
        "length {length} needs {} in '{}' and {} are free: free some, or choose another directory",
        human_bytes(*needed), directory.display(), human_bytes(*available)
    )]
    Disk {
        /// The length.
        length: usize,
        /// Where.
        directory: PathBuf,
        /// Bytes needed.
        needed: u64,
        /// Bytes free.
        available: u64,
    },
}

impl Plan {
    /// What a request will take.
    ///
    /// # Errors
    /// [`PlanError::Length`].
    pub fn new(request: &Request) -> Result<Plan, PlanError> {
        let length = request.length;
        if !(MIN_LENGTH..=MAX_DENSE_LENGTH).contains(&length) {
            return Err(PlanError::Length { length });
        }
        let layout = DenseLayout::new(length);
        let planes = 2 * layout.plane_bytes();
        // Per block number: which ball squares changed, for either plane.
        let masks = 16u64 << layout.high_bits();
        let shared = shared_blocks_bytes(length);
        let in_memory = if request.scratch.is_none() { planes } else { 0 };
        Ok(Plan {
            length,
            positions: positions(length)
                .and_then(|count| u64::try_from(count).ok())
                .expect("the longest dense strip has fewer than 2^64 positions"),
            memory: in_memory + masks + shared,
            scratch: planes - in_memory,
            disk: 2 * (planes + masks + shared),
        })
    }

    /// Whether there is room for it.
    ///
    /// # Errors
    /// [`PlanError::Memory`], [`PlanError::Disk`].
    pub fn check(&self, request: &Request) -> Result<(), PlanError> {
        let available = request.memory.unwrap_or_else(free_memory);
        if self.memory > available {
            return Err(PlanError::Memory {
                length: self.length,
                needed: self.memory,
                available,
                way_out: self.way_out(request, available),
            });
        }
        // What an interrupted run left is part of what is needed.
        let there = std::fs::metadata(request.checkpoint()).map_or(0, |file| file.len());
        self.check_disk(&request.tables, self.disk.saturating_sub(there))?;
        match &request.scratch {
            Some(directory) => self.check_disk(directory, self.scratch),
            None => Ok(()),
        }
    }

    fn way_out(&self, request: &Request, available: u64) -> String {
        let on_scratch = self
            .memory
            .saturating_sub(2 * DenseLayout::new(self.length).plane_bytes());
        if request.scratch.is_none() && on_scratch <= available {
            let planes = human_bytes(self.memory - on_scratch);
            format!("keep {planes} of it on a disk with --scratch DIR, or allow more with --memory")
        } else if request.memory.is_some() {
            "allow more with --memory".to_string()
        } else {
            "free some memory, or stop at a shorter length".to_string()
        }
    }

    fn check_disk(&self, directory: &Path, needed: u64) -> Result<(), PlanError> {
        let available = available_space(directory);
        if needed > available {
            return Err(PlanError::Disk {
                length: self.length,
                directory: directory.to_path_buf(),
                needed,
                available,
            });
        }
        Ok(())
    }
}

/// Memory for the blocks that planes share, while a length is solved and written: a fit above what was
/// measured for lengths 20 to 32 (README, performance). How many different blocks there are is known only afterwards.
fn shared_blocks_bytes(length: usize) -> u64 {
    (1.5 * (1 << 20) as f64 * 1.34f64.powi(length as i32 - 13)) as u64
}

/// Memory that the system could give now, within the limits of a container.
pub fn free_memory() -> u64 {
    let mut system = System::new();
    system.refresh_memory();
    match (system.available_memory(), system.cgroup_limits()) {
        // If the system does not tell, allocating will.
        (0, _) => u64::MAX,
        (available, Some(limits)) => available.min(limits.free_memory),
        (available, None) => available,
    }
}

/// A number of bytes for people: `1.5 GiB`.
pub fn human_bytes(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let mut size = bytes as f64;
    let mut unit = 0;
    while size >= 1024.0 && unit + 1 < UNITS.len() {
        size /= 1024.0;
        unit += 1;
    }
    if unit == 0 {
        format!("{bytes} bytes")
    } else {
        format!("{size:.1} {}", UNITS[unit])
    }
}

//! The free memory and disk space of this machine.

use super::cgroup;
use phutbase_base::fault::Fault;
use std::path::Path;
use sysinfo::System;

/// The system does not tell its free memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the free memory of this machine is unknown")]
pub struct UnknownMemory;

impl Fault for UnknownMemory {
    fn message(&self) -> String {
        format!("{self}: limit it with --memory SIZE")
    }
}

/// Returns the free memory, within the limits of the [control groups](cgroup).
pub fn free_memory() -> Result<u64, UnknownMemory> {
    let mut system = System::new();
    system.refresh_memory();
    let left = cgroup::free_memory(Path::new("/proc"), Path::new("/sys/fs/cgroup"));
    let available = Some(system.available_memory()).filter(|&available| available > 0);
    available.into_iter().chain(left).min().ok_or(UnknownMemory)
}

/// Returns the limit that is given, or else the free memory.
pub fn memory_limit(given: Option<u64>) -> Result<u64, UnknownMemory> {
    given.map_or_else(free_memory, Ok)
}

/// Returns the free bytes of the file system that holds `directory`, which need not exist yet;
/// `u64::MAX` if unknown.
pub fn available_space(directory: &Path) -> u64 {
    let there = directory
        .ancestors()
        .find(|part| part.exists())
        .unwrap_or(Path::new("."));
    #[cfg(unix)]
    if let Ok(found) = rustix::fs::statvfs(there) {
        return found.f_bavail.saturating_mul(found.f_frsize);
    }
    u64::MAX
}

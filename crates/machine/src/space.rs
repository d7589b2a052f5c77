//! The free memory and disk space of this machine.

use super::cgroup;
use std::path::Path;
use sysinfo::System;

/// Returns the free memory, within the limits of the [control groups](cgroup).
pub fn free_memory() -> u64 {
    let mut system = System::new();
    system.refresh_memory();
    let left = cgroup::free_memory(Path::new("/proc"), Path::new("/sys/fs/cgroup"));
    // Where it is unknown, allocation itself reports a lack of memory.
    let available = Some(system.available_memory()).filter(|&available| available > 0);
    available.into_iter().chain(left).min().unwrap_or(u64::MAX)
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

//! Free memory. A system that overcommits would grant arrays that do not fit and kill the process
//! later.

use std::fs::read_to_string;

/// Returns the free memory in bytes, if the system reports it.
pub fn free() -> Option<u64> {
    let information = read_to_string("/proc/meminfo").ok()?;
    let line = information
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes << 10)
}

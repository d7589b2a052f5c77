//! Free memory, so that arrays that do not fit are refused: systems that overcommit grant them and end the process when they are filled.

use std::fs::read_to_string;

/// Bytes that are free, where the system says so.
pub fn free() -> Option<u64> {
    let information = read_to_string("/proc/meminfo").ok()?;
    let line = information
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes << 10)
}

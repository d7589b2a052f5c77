//! The memory that the control groups of this process leave, on Linux.
//!
//! `/proc/self/cgroup` names a group of every hierarchy: `0::/a/b` of version 2, `4:memory:/a/b` of
//! version 1. The groups above it limit the process as well. A hierarchy is mounted below
//! `/sys/fs/cgroup`; a group that is not there belongs to another namespace and does not count.

use std::fs::read_to_string;
use std::path::Path;

/// The names of a hierarchy's files and of a line of `memory.stat`.
struct Files {
    limit: &'static str,
    used: &'static str,
    /// Pages of files that the system takes back at once.
    reclaimable: &'static str,
}

const VERSION_1: Files = Files {
    limit: "memory.limit_in_bytes",
    used: "memory.usage_in_bytes",
    reclaimable: "total_inactive_file",
};
const VERSION_2: Files = Files {
    limit: "memory.max",
    used: "memory.current",
    reclaimable: "inactive_file",
};

/// Returns the least memory, in bytes, that a group leaves; `None` if none has a limit. The roots are
/// `/proc` and `/sys/fs/cgroup`.
pub fn free_memory(proc: &Path, sys: &Path) -> Option<u64> {
    let groups = read_to_string(proc.join("self/cgroup")).ok()?;
    let left = groups.lines().filter_map(|line| {
        let (controllers, group) = line.split_once(':')?.1.split_once(':')?;
        let (root, files) = match controllers {
            "" => (sys.to_path_buf(), VERSION_2),
            _ if controllers.split(',').any(|name| name == "memory") => (sys.join("memory"), VERSION_1),
            _ => return None,
        };
        let groups = Path::new(group.trim_start_matches('/')).ancestors();
        groups
            .filter_map(|group| left_by(&root.join(group), &files))
            .min()
    });
    left.min()
}

/// Returns the memory that a group leaves; `None` if it has no limit, or is not there.
fn left_by(group: &Path, files: &Files) -> Option<u64> {
    let read = |name: &str| read_to_string(group.join(name)).ok();
    let number = |name: &str| read(name)?.trim().parse::<u64>().ok();
    let limit = number(files.limit)?;
    let stat = read("memory.stat").unwrap_or_default();
    let mut lines = stat.lines().filter_map(|line| line.split_once(' '));
    let reclaimable = lines.find(|(name, _)| *name == files.reclaimable);
    let reclaimable = reclaimable.and_then(|(_, bytes)| bytes.parse().ok()).unwrap_or(0);
    let used = number(files.used).unwrap_or(0).saturating_sub(reclaimable);
    Some(limit.saturating_sub(used))
}

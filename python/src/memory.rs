//! Free memory. A system that overcommits would grant arrays that do not fit and kill the process
//! later; where it does not, a failed allocation ends the process.

use crate::errors::limit;
use pyo3::prelude::*;
use sysinfo::System;

/// Returns the free memory in bytes, within the limits of a container, if the system reports it.
fn free() -> Option<u64> {
    let mut system = System::new();
    system.refresh_memory();
    let available = Some(system.available_memory()).filter(|&bytes| bytes > 0)?;
    let container = system.cgroup_limits().map(|limits| limits.free_memory);
    Some(container.map_or(available, |free| free.min(available)))
}

/// Checks that this many bytes are free and can be allocated.
///
/// # Errors
/// `LimitError` that `what` need more than that.
pub fn ensure(bytes: usize, what: &str) -> PyResult<()> {
    let is_free = free().is_none_or(|free| bytes as u64 <= free);
    // The address space may be smaller than the free memory.
    if is_free && Vec::<u8>::new().try_reserve_exact(bytes).is_ok() {
        return Ok(());
    }
    Err(limit(format!(
        "{what} need {bytes} bytes, more than the free memory"
    )))
}

//! Free memory. A system that overcommits would grant arrays that do not fit and kill the process
//! later; where it does not, a failed allocation ends the process.

use crate::errors::limit;
use phutbase_machine::space::free_memory;
use pyo3::prelude::*;

/// Checks that this many bytes are free and can be allocated.
///
/// # Errors
/// `LimitError` that `what` need more than that.
pub fn ensure(bytes: usize, what: &str) -> PyResult<()> {
    let is_free = free_memory().is_ok_and(|free| bytes as u64 <= free);
    // The address space may be smaller than the free memory.
    if is_free && Vec::<u8>::new().try_reserve_exact(bytes).is_ok() {
        return Ok(());
    }
    Err(limit(format!(
        "{what} need {bytes} bytes, more than the free memory"
    )))
}

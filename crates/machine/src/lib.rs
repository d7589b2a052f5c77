//! The memory and the disk of this machine.
//!
//! * [`allocator`] — the allocator of a program, and its way out when memory ends;
//! * [`space`] — free memory and disk space, [`cgroup`] — limits of memory.

pub mod allocator;
pub mod cgroup;
pub mod space;

//! What the engines take from a machine: memory, disk space, vector instructions.
//!
//! * [`allocator`] — the allocator of a program, and its way out when memory ends;
//! * [`space`] — free memory and disk space, [`cgroup`] — limits of memory; [`scratch`] — memory of the engines;
//! * [`simd`] — code for several instruction sets; [`block`] — 4,096 positions at once.

pub mod allocator;
pub mod block;
pub mod cgroup;
#[allow(unsafe_code)]
pub mod scratch;
#[allow(unsafe_code)]
pub mod simd;
pub mod space;

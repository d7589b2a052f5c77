//! Tests of the machine.

mod cgroup;
mod space;

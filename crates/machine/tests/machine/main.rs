//! Tests of the machine.

mod cgroup;

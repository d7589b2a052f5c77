//! The pitch engine: comparisons with the reference solver, and tests of its parts.

mod against_reference;
mod checkpoint;
mod layout;
mod work_list;

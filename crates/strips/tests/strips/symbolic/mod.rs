//! The symbolic engine: comparisons with the dense engine, and tests of its parts.

pub mod against_dense;
mod algebra;
mod cache;
mod guess;
mod recompute;
mod resume;
mod room;
mod store;
mod zones;

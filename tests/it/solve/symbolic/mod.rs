//! The symbolic engine: against the dense one, and part by part.

mod against_dense;
mod algebra;
mod cache;
mod recompute;
mod resume;
mod room;
mod store;
mod zones;

//! The symbolic engine, part by part.

mod cache;
mod recompute;
mod store;
mod zones;

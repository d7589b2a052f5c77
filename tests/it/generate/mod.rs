//! Planning tables. `cli/generate.rs` tests how they are made.

mod slices;

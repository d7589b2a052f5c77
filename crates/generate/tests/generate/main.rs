//! Tests of plans of tables. `tests/it/cli/generate.rs` tests how they are made.

mod slices;

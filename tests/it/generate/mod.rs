//! From boards to their tables: planning the work. Making tables is tested in `cli/generate.rs`.

mod gather;
mod slices;

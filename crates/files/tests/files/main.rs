//! Tests of files: damage, and packing.

mod damage;
mod packing;

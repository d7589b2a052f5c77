//! Tests of files: packing, and the cache of frames.

mod cache;
mod packing;

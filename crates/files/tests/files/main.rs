//! Tests of files: atomic replacement, packing, and the cache of frames.

mod cache;
mod disk;
mod packing;

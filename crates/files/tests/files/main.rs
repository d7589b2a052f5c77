//! Tests of files: packing, and the cache of frames.

mod packing;

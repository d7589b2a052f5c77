//! The files of phutbase.
//!
//! * [`container`] — the parts common to all files: sections, checksums, the atomic writer, frames
//!   and their cache;
//! * [`error`] — errors of files.

#![deny(missing_docs)]

pub mod container;
pub mod error;

pub use container::cache::FrameCache;
pub use error::FileError;

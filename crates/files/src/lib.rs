//! The files of phutbase.
//!
//! * [`container`] — the parts common to all files: sections, checksums, the atomic writer,
//!   frames;
//! * [`error`] — errors of files.

#![deny(missing_docs)]

pub mod container;
pub mod error;

pub use error::FileError;

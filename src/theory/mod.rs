//! The mathematics held against the tables.
//!
//! * [`draws`] — draws and mutual draws;
//! * [`find`] — positions of one value, depth and pattern.

pub mod draws;
pub mod find;

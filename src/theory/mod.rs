//! The mathematics held against the tables.

pub mod draws;

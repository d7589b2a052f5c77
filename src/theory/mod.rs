//! The mathematics held against the tables.

pub mod draws;
pub mod pitch_draws;

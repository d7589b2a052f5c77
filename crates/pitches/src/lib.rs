//! The engines for pitches: [`solver`] values all positions, [`threats`] proves forced wins, and
//! [`wins`] lists the turns that win at once.

pub mod solver;
pub mod threats;
pub mod wins;

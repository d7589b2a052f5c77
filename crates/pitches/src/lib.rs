//! The engines for pitches: [`solver`] values all positions, [`threats`] proves forced wins, [`wins`]
//! lists the turns that win at once. [`exact`] makes certificates from values.

pub mod exact;
pub mod solver;
pub mod threats;
pub mod wins;

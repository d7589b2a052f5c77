//! The engines for pitches: [`solver`] values all positions, [`threats`] proves forced wins, [`wins`]
//! lists the turns that win at once. [`exact`] makes certificates from values.
//!
//! The solver works on [`block`]s of 4,096 positions, in [`scratch`] memory, with vector instructions
//! ([`simd`]).

pub mod block;
pub mod exact;
#[allow(unsafe_code)]
pub mod scratch;
#[allow(unsafe_code)]
pub mod simd;
pub mod solver;
pub mod threats;
pub mod wins;

//! Questions about many positions.
//!
//! * [`find`] — strips by value, depth and pattern; [`draws`] — draws of strips;
//! * [`pitches`] — pitches by value, depth and stones, [`blocks`] by block; [`pitch_draws`] — draws and
//!   perfect play from them.

pub mod blocks;
pub mod draws;
pub mod find;
pub mod pitch_draws;
pub mod pitches;

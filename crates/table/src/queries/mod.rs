//! Questions about many positions of a table.
//!
//! * [`find`] — strips by value, depth and pattern; [`draws`] — draws of strips;
//! * [`pitches`] — pitches by value, depth and stones; `pitch_draws` — draws and perfect play from
//!   them;
//! * [`values`] — all values of a length or a pitch.

pub mod draws;
pub mod find;
pub mod pitch_draws;
pub mod pitches;
pub mod values;

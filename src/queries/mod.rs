//! Questions about many positions of a table.
//!
//! * [`find`] — strips by value, depth and pattern; [`draws`] — draws of strips;
//! * [`pitches`] — pitches by value, depth and stones; `pitch_draws` — draws and perfect play from
//!   them;
//! * [`values`] — all values of a length or a pitch.

#[cfg(feature = "answers")]
pub mod draws;
#[cfg(feature = "answers")]
pub mod find;
#[cfg(feature = "cli")]
pub mod pitch_draws;
#[cfg(feature = "answers")]
pub mod pitches;
pub mod values;

//! Questions about many positions of a table.
//!
//! * [`find`] — strips by value, depth and pattern; [`draws`] — draws of strips;
//! * `pitches` — all positions of a pitch, and samples; `pitch_draws` — draws and perfect play
//!   from them;
//! * [`values`] — all values of a length or a pitch.

#[cfg(feature = "answers")]
pub mod draws;
#[cfg(feature = "answers")]
pub mod find;
#[cfg(feature = "cli")]
pub mod pitch_draws;
#[cfg(feature = "cli")]
pub mod pitches;
pub mod values;

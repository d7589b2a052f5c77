//! Tests of answers as JSON.

mod answers;
mod draws;
mod find;
mod lines;
mod pitch_draws;
mod pitches;
mod strips;

//! Tests of the atlas: counts and charts.

mod boards;
mod limit;
mod pitches;
mod text;

//! The atlas: what it counts, draws and says.

mod boards;
mod limit;
mod pitches;
mod text;

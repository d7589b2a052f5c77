//! The atlas: counts, charts and claims.

mod boards;
mod limit;
mod pitches;
mod results;
mod text;

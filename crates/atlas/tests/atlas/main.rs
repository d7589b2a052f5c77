//! Tests of the atlas: counts, charts, the program, and the pages of the repository.

mod pitches;
mod program;
mod results;
mod text;

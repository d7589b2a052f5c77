//! Claims of the papers that a command checks, compared with exact values. The others are in
//! `crates/theory/tests`.

mod directional;
mod planted;
mod proper;
mod replace;
mod tempo;

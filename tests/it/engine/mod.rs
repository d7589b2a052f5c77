//! Playing, and checking other programs.

mod matches;
mod play;
mod tools;
mod ugi;

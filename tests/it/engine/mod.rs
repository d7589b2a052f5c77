//! Playing, and checking other programs.

mod play;
mod tools;
mod ugi;

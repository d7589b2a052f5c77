//! Playing, and checking other programs.

mod budget;
mod matches;
mod options;
mod play;
mod protocol;
mod tools;
mod ugi;

//! Engines and tests of engines.

mod budget;
mod matches;
mod options;
mod pitch_tools;
mod play;
mod protocol;
mod tools;
mod ugi;

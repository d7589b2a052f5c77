//! Engines and tests of engines.

mod budget;
mod options;
mod play;
mod protocol;
mod sprt;

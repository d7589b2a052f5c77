//! Tests of engines, and of tests of engines.

mod limits;
mod matches;
mod openings;
mod options;
mod parsers;
mod play;
mod protocol;
#[cfg(unix)]
mod referee;
mod sprt;

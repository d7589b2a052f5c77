//! Tests of engines, and of tests of engines.

mod limits;
mod options;
mod parsers;
mod play;
mod protocol;
mod sprt;

//! Nimbers of Obstruction, part by part.

mod canonical;
mod memo;
mod octal;
mod region;

//! The solution against the rules, against itself, and against what other programs computed.

mod automata;
mod boards;
mod classes;
mod comparison;
mod data;
mod explain;
mod half;
mod play;
mod witness;

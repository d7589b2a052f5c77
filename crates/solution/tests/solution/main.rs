//! The solution against the rules, against itself, and against what other programs computed.

mod automata;
mod classes;
mod data;
mod half;

//! Tests of the rules and their notation.

mod automata;
mod oddish;
mod pitch_notation;
mod pitch_rules;
mod strip;
mod strip_laws;

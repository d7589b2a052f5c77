//! Tests of the rules and their notation.

mod lines;
mod naive;
mod oddish;
mod pitch_notation;
mod pitch_rules;
mod strip;
mod strip_laws;

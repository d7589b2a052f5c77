//! The rules and their notation.

pub mod known_nimbers;
mod obstruction;
mod oddish;
mod parsers;
mod pitch_certificates;
mod pitch_notation;
mod pitch_rules;
pub mod pitch_support;
mod plain_nimbers;
mod shape_notation;
pub mod shapes;
mod strip;
mod strip_laws;

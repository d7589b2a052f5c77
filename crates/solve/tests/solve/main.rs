//! Tests of the solvers: each against the definition on short strips, and against each other.

mod enumeration;
mod levels;
mod plans;
mod plies;
mod reference;
mod resume;
mod slices;

//! Tests of sets of boards as decision diagrams.

mod algebra;
mod count;
mod mirror;
mod turns;
mod won;

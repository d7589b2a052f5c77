//! Sets of boards as decision diagrams.

mod algebra;
mod count;

//! Sets of boards as decision diagrams.

mod count;

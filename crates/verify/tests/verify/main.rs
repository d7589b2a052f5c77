//! Tests of verification: every stored value is derived again from its successors.

mod cudd_check;
mod limits;
mod pitch_certificates;
mod planted;
mod rule;
mod tables;
mod turns;

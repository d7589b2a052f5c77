//! Verification: every stored value is derived again from its successors.

mod pitch;
mod planted;
mod turns;

//! Every stored value again from its successors.

mod pitch;
mod turns;

//! Every stored value again from its successors.

mod turns;

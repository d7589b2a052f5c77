//! Tests of the base.

mod bits;
mod nimber;
mod outcome;
mod random;

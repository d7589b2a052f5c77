//! Tests of the base.

mod bits;
mod digits;
mod nimber;
mod outcome;
mod random;

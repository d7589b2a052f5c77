//! Tests of the base.

mod bits;
mod disk;
mod nimber;
mod outcome;
mod random;

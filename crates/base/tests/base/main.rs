//! Tests of the base.

mod bits;
mod digits;
mod disk;
mod job;
mod nimber;
mod outcome;
mod random;

//! Tests of the machine.

mod scratch;

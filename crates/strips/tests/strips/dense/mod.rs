//! The dense engine: comparisons with the reference solver, and tests of its parts.

mod against_reference;
mod sweep;

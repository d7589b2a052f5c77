//! The solution against the rules, against itself, and against what other programs computed.

mod half;

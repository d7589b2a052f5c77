//! phutbase: exact values for Phutball in one and two dimensions, Oddish Phutball and Obstruction,
//! by exhaustive, checkable computation.
//!
//! This package is the program: [`commands`] has one file per verb. Everything else is a crate of
//! its own. A program that reads tables needs `phutbase-tables` alone.

pub mod commands;

//! Comparison of mathematical claims with exact values.
//!
//! Each module has one claim, or one question: a type that [checks](claim::Claim) the boards of a size,
//! and what it finds there.

pub mod claim;
pub mod error;
pub mod forward;
pub mod generalized;
pub mod monotonicity;
pub mod oddish;
pub mod outside;
pub mod proof;
pub mod replace;
pub mod reversible;
pub mod values;

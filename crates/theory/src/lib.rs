//! Comparison of mathematical claims with exact values.
//!
//! Each module has one claim, or one question: a type that [checks](claim::Claim) the boards of a size,
//! and what it finds there.

pub mod chain;
pub mod claim;
pub mod directional;
pub mod error;
pub mod exact;
pub mod forward;
pub mod forward_value;
pub mod generalized;
pub mod monotonicity;
pub mod oddish;
pub mod outside;
pub mod proof;
pub mod proper;
pub mod replace;
pub mod reversible;
pub mod tempo;
pub mod values;
pub mod window;

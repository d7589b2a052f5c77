//! From rules to values: engines that label every position of a game.

pub mod dense;
pub mod nimbers;
pub mod pitch;
pub mod reference;
pub mod scratch;
pub mod simd;
pub mod symbolic;
pub mod threats;
pub mod wins;

//! From rules to values: engines that label every position of a game, and searches from one.

#[cfg(feature = "cli")]
pub mod dense;
pub mod nimbers;
#[cfg(feature = "cli")]
pub mod pitch;
#[cfg(feature = "cli")]
pub mod reference;
#[cfg(feature = "cli")]
#[allow(unsafe_code)]
pub mod scratch;
#[cfg(feature = "cli")]
#[allow(unsafe_code)]
pub mod simd;
#[cfg(feature = "cli")]
pub mod symbolic;
#[cfg(feature = "cli")]
pub mod threats;
#[cfg(feature = "wins")]
pub mod wins;

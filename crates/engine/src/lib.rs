//! Engines: playing, and testing other programs that play.

pub mod announced;
pub mod cases;
pub mod claims;
pub mod client;
pub mod game;
pub mod junit;
pub mod kill;
pub mod limits;
pub mod matches;
pub mod options;
pub mod players;
pub mod position;
pub mod protocol;
pub mod report;
pub mod search;
pub mod session;
pub mod suite;
pub mod tester;

/// The crates whose types functions take.
pub use {phutbase_ask, phutbase_base, phutbase_rules, phutbase_tables};

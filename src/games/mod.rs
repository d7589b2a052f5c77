//! The rules, and nothing else: boards, turns, notation. No module here knows that tables exist.
//!
//! [`boards`] and [`position`] are the one grammar of all games: what verbs, addresses and engines are asked with.

pub mod boards;
pub mod obstruction;
pub mod oddish;
pub mod pitch;
pub mod position;
pub mod strip;

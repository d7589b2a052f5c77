//! The rules, and nothing else: boards, turns, notation. No module here knows that tables exist.
//!
//! [`mod@rules`] says by which rules Phutball is played. [`boards`] and [`position`] are the one grammar of all games: what verbs, addresses and engines are asked with.

pub mod boards;
pub mod obstruction;
pub mod oddish;
pub mod pitch;
pub mod position;
pub mod rules;
pub mod strip;

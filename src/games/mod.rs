//! The rules, and nothing else: boards, turns, notation. No module here knows that tables exist.

pub mod obstruction;
pub mod oddish;
pub mod pitch;
pub mod strip;

//! Helpers of tests that need the rules and sets of boards. Helpers that need tables or solvers are in
//! `phutbase-fixtures`.

pub mod boards;
pub mod compare;
pub mod levels;
pub mod pitch;
pub mod prelude;
pub mod run;
pub mod tools;
pub mod turns;

//! From rules to values: every fast engine compared with the reference solver.

mod dense;
mod directional;
mod nimbers;
mod pitch;
mod reference_draws;
mod scratch;
mod sets;
pub mod symbolic;
mod wins;

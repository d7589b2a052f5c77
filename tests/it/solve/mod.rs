//! From rules to values: every fast engine against the slow one.

mod dense;
mod directional;
mod nimbers;
mod pitch;
mod ranks;
mod reference_draws;
mod scratch;
mod sets;
mod symbolic;
mod wins;

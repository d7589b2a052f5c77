//! From rules to values: every fast engine against the slow one.

mod dense_against_reference;
mod dense_checkpoint;
mod directional;
mod pitch;
mod ranks;
mod reference_draws;
mod sets;
mod symbolic_against_dense;
mod symbolic_algebra;
mod symbolic_resume;
mod wins;

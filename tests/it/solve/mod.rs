//! From rules to values: every fast engine against the slow one.

mod dense_against_reference;
mod dense_checkpoint;
mod dense_sweep;
mod dense_walk;
mod directional;
mod nimbers;
mod pitch;
mod ranks;
mod reference_draws;
mod scratch;
mod sets;
mod symbolic;
mod symbolic_against_dense;
mod symbolic_algebra;
mod symbolic_resume;
mod wins;

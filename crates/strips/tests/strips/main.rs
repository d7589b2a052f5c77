//! Tests of the solvers of strips: every fast one compared with the reference solver.

mod dense;
mod reference_draws;
mod sets;
mod symbolic;

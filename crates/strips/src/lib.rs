//! The engines for strips: a slow reference, a bit-parallel one for short strips, and a symbolic one
//! for long strips.

pub mod dense;
pub mod reference;
pub mod symbolic;

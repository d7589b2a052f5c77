//! The generalized potential (Grossman & Nowakowski, *One-Dimensional Phutball*, §3) against the strip.

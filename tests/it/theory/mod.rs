//! The papers' claims against exact values.

mod counterexamples;
mod exact;
mod find;
mod forward;
mod generalized;
mod halves;
mod oddish;
mod oddish_turns;
mod pitch_draws;
mod potential;
mod support;
mod tempo;
